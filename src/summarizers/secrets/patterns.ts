/** One kind of secret that can be told by its look. */
export interface SecretPattern {
  readonly kind: string;
  /** Global. Group 1, where there is one, is the secret; else all of the match. */
  readonly pattern: RegExp;
  /** Asked about the secret alone. */
  readonly likely?: (value: string) => boolean;
}

/** Where a token may begin: so that a long run of such characters is entered once only. */
const START = "(?<![A-Za-z0-9_-])";

/**
 * What the maintained ruleset does not find [M3]: some providers' keys, tokens in headers, passwords in URLs, and values
 * that are assigned to a name which says that they are secret.
 *
 * All repetitions are bounded or begin at the start of a run, so that no text makes them slow. The first kinds are the
 * more certain ones.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  { kind: "aws", pattern: regex(`${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`) },
  { kind: "google", pattern: regex(`${START}AIza[\\w-]{35}(?![\\w-])`) },
  { kind: "huggingface", pattern: regex(`${START}hf_[A-Za-z0-9]{30,100}`) },
  { kind: "stripe", pattern: regex(`${START}(?:(?:sk|rk|pk)_(?:live|test)|whsec)_[A-Za-z0-9]{16,250}`) },
  { kind: "github", pattern: regex(`${START}(?:gh[pousr]_[A-Za-z0-9]{30,250}|github_pat_\\w{40,250})`) },
  { kind: "api-key", pattern: regex(`${START}sk-[A-Za-z0-9_-]{20,250}`), likely: isMixed },
  {
    kind: "jwt",
    pattern: regex(`${START}eyJ[\\w-]{8,4000}\\.eyJ[\\w-]{8,8000}\\.[\\w-]{8,2000}`),
  },
  {
    kind: "url-password",
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,200}:([^\s/@"'<>]{3,200})@/gi,
    likely: isValue,
  },
  {
    kind: "bearer",
    pattern:
      /(?:\bauthorization["']?\s?[:=]\s?["']?(?:basic|token|bearer)|\bbearer) {1,2}([A-Za-z0-9._~+/=-]{16,4000})/gi,
    likely: isMixed,
  },
  {
    kind: "password",
    pattern:
      /(?<![\w.-])[\w.-]{0,40}(?:passw(?:or)?d|passphrase|pwd)[\w.-]{0,20}(?:\\?["'`])?\s{0,3}(?:=>|[:=])\s{0,3}(?:\\?["'`])?([^\s"'`\\,;<>(){}[\]]{6,256})/gi,
    likely: (value) => isValue(value) && (/\d/.test(value) || /[^\w.-]/.test(value)),
  },
  {
    kind: "assigned",
    pattern:
      /(?<![\w.-])[\w.-]{0,40}(?:key|token|secret|credentials?|auth)[\w.-]{0,20}(?:\\?["'`])?\s{0,3}(?:=>|[:=])\s{0,3}(?:\\?["'`])?([\w+/=.~-]{16,512})/gi,
    likely: (value) => isValue(value) && isMixed(value) && entropy(value) > 3.2,
  },
  {
    // What is left of a token where a long text was cut.
    kind: "cut",
    pattern: /(?<![\w+/=-])([\w+/=-]{12,400})\n\[\.\.\. \d+ characters left out/g,
    likely: (value) => isMixed(value) && entropy(value) > 3.2,
  },
  {
    kind: "cut",
    pattern: /characters left out \.\.\.\]\n([\w+/=-]{12,400})/g,
    likely: (value) => isMixed(value) && entropy(value) > 3.2,
  },
];

function regex(source: string): RegExp {
  return new RegExp(source, "g");
}

/** No reference to a value that stands elsewhere, and no mask. */
function isValue(value: string): boolean {
  return !/^(?:\$|%|process\.|os\.|env\.|\*{3}|x{4}|\.{3}|\[secret-)/i.test(value) && new Set(value).size > 2;
}

/** Letters and digits together: words and numbers alone are seldom secrets. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
