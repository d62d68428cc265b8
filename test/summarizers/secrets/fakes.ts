const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** `length` characters that look drawn by lot and are the same at every run; no scanner shall find whole secrets in this file. */
export function random(length: number, seed: number, chars = LETTERS): string {
  let state = seed * 2_654_435_761 + 1;
  let text = "";
  for (let i = 0; i < length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += chars[Math.floor(state / 65_536) % chars.length];
  }
  return text;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const KEY = [1, 2, 3, 4].map((seed) => random(64, seed)).join("\n");

/** Made-up secrets of each kind, in the surroundings that they are met in: [kind, text before, secret, text after]. */
export const FAKES: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ["github", "git clone with ", `ghp_${random(36, 1)}`, " please"],
  ["github", "token=", `github_pat_${random(22, 2)}_${random(59, 3)}`, "\n"],
  ["anthropic", "ANTHROPIC_API_KEY=", `sk-ant-api03-${random(93, 4)}AA`, "\n"],
  ["openai", "key ", `sk-proj-${random(74, 5)}T3BlbkFJ${random(74, 6)}`, "."],
  ["api-key", "I use ", `sk-${random(48, 7)}`, "."],
  [
    "slack",
    "notify with ",
    `xoxb-${random(12, 8, "0123456789")}-${random(12, 9, "0123456789")}-${random(24, 10)}`,
    " ok",
  ],
  ["aws", "aws configure: ", `AKIA${random(16, 11, UPPER)}`, " and"],
  ["aws", 'aws_secret_access_key = "', random(40, 12), '"\n'],
  ["google", "maps ", `AIza${random(35, 13)}`, " key"],
  ["huggingface", "login ", `hf_${random(34, 14)}`, "\n"],
  ["stripe", "charge with ", `sk_live_${random(24, 15)}`, " now"],
  ["jwt", "cookie ", `eyJ${random(20, 16)}.eyJ${random(60, 17)}.${random(43, 18)}`, ";"],
  ["bearer", "curl -H 'Authorization: Bearer ", `${random(40, 19)}1`, "'"],
  ["url-password", "postgres://app:", `pa5$${random(10, 20)}`, "@db.internal:5432/main"],
  ["url-password", "https://ci:", random(20, 21), "@git.internal/a.git"],
  ["password", '{"db_password": "', "correct-h0rse!", '"}'],
  ["password", 'bash(command="export PGPASSWORD=', `hunter2${random(4, 22)}`, ' && psql")'],
  ["assigned", "SESSION_SECRET=", `${random(32, 23)}9`, "\n"],
  ["assigned", '{\\"api_key\\": \\"', `${random(32, 24)}7`, '\\"}'],
  ["private-key", "cat id\n", `-----BEGIN RSA PRIVATE KEY-----\n${KEY}\n-----END RSA PRIVATE KEY-----`, "\n$"],
];
