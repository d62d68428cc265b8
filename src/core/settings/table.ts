/** How the values of one setting are checked and shown. */
type Kind =
  | { readonly kind: "boolean" }
  | { readonly kind: "integer"; readonly min: number; readonly max?: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "text" }
  | { readonly kind: "names" }
  | { readonly kind: "models" }
  | { readonly kind: "overrides" };

/** A model that the table of known models lacks, or says otherwise; for a server of one's own with `baseUrl` and `api`. */
export interface ModelDefinition {
  readonly provider: string;
  readonly id: string;
  readonly baseUrl?: string;
  readonly api?: "openai-chat" | "openai-responses" | "anthropic" | "google";
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string;
  /** Tokens of request and reply together. */
  readonly contextWindow?: number;
  /** The longest reply, in tokens. */
  readonly maxTokens?: number;
  /** It thinks before it writes. */
  readonly reasoning?: boolean;
  /** US dollars for a million tokens. */
  readonly cost?: { readonly input: number; readonly output: number; cacheRead?: number; cacheWrite?: number };
}

/** One row: everything that is said about a setting anywhere is said here [E1]. `default: undefined` means unset. */
export type Row = Kind & {
  readonly default: boolean | number | string | object | undefined;
  readonly unit?: "tokens" | "bytes" | "percent" | "milliseconds";
  readonly sentence: string;
  /** Says where text goes or what runs: not taken from a project that the user has not trusted [E2]. */
  readonly guarded?: true;
};

/**
 * All settings [E1]. Types, validation, help, docs and the JSON Schema come from this table.
 * Keys are dotted; in files they nest: `{"compaction": {"keepRecentTokens": 8000}}`.
 */
export const SETTINGS = {
  contextWindow: {
    kind: "integer",
    min: 1024,
    default: 200_000,
    unit: "tokens",
    sentence: "Size of the model's context window.",
  },
  maxRequestBytes: {
    kind: "integer",
    min: 100_000,
    default: 30_000_000,
    unit: "bytes",
    sentence: "Above this size of a request its oldest images are left out.",
  },
  "compaction.enabled": {
    kind: "boolean",
    default: true,
    sentence: "Compact by itself when the context outgrows the threshold.",
  },
  "compaction.reserveTokens": {
    kind: "integer",
    min: 1,
    default: 16_384,
    unit: "tokens",
    sentence: "Room kept free for the reply; capped at a quarter of the window.",
  },
  "compaction.keepRecentTokens": {
    kind: "integer",
    min: 1,
    default: 20_000,
    unit: "tokens",
    sentence: "How much of the newest conversation stays verbatim; capped at half of what the reserve leaves.",
  },
  "compaction.thresholdTokens": {
    kind: "integer",
    min: 1,
    default: undefined,
    unit: "tokens",
    sentence: "Compact above this size; goes before thresholdPercent.",
  },
  "compaction.thresholdPercent": {
    kind: "number",
    min: 1,
    max: 99,
    default: undefined,
    unit: "percent",
    sentence: "Compact above this share of the window.",
  },
  "compaction.mode": {
    kind: "choice",
    choices: ["keep-recent", "retain-none"],
    default: "keep-recent",
    sentence: "Keep the newest conversation verbatim, or replace everything by the summary.",
  },
  "compaction.autoContinue": {
    kind: "boolean",
    default: true,
    sentence: "Let an agent session go on by itself after a compaction that came before its work was done.",
  },
  "compaction.model": {
    kind: "text",
    default: undefined,
    sentence:
      "Models that write summaries, as provider/id, several separated by commas: the next is asked when one fails.",
  },
  "compaction.thinking": {
    kind: "choice",
    choices: ["off", "minimal", "low", "medium", "high"],
    default: "off",
    sentence: "How much those models think before they write a summary.",
  },
  "compaction.timeout": {
    kind: "integer",
    min: 1,
    default: 300_000,
    unit: "milliseconds",
    sentence: "How long one request to a model may take in all.",
  },
  "compaction.remoteEndpoint": {
    kind: "text",
    default: undefined,
    guarded: true,
    sentence: "URL that summaries are asked from, before any model: POST {systemPrompt, prompt} gives {summary}.",
  },
  "compaction.remoteTokenEnv": {
    kind: "text",
    default: "ESPALIER_REMOTE_TOKEN",
    guarded: true,
    sentence: "The environment variable that holds the bearer token for that URL.",
  },
  "compaction.remoteInsecure": {
    kind: "boolean",
    default: false,
    guarded: true,
    sentence: "Allow plain HTTP to a remote endpoint on another machine.",
  },
  "compaction.remoteWindow": {
    kind: "integer",
    min: 1_024,
    default: 128_000,
    unit: "tokens",
    sentence: "What the model behind that URL takes in one request; a longer conversation goes in parts.",
  },
  redactSecrets: {
    kind: "boolean",
    default: true,
    guarded: true,
    sentence: "Mask keys, tokens and passwords in what is sent to a model or a remote endpoint.",
  },
  trustedFolders: {
    kind: "names",
    default: [],
    guarded: true,
    sentence: "Folders, with all below them, whose project files may set where text goes and what runs.",
  },
  fallback: {
    kind: "choice",
    choices: ["embedded", "fail"],
    default: "embedded",
    sentence: "When every model has failed, make the summary without one, or fail and change nothing.",
  },
  models: {
    kind: "models",
    default: [],
    guarded: true,
    sentence:
      "Models that are not known by themselves: provider, id, api, baseUrl, contextWindow, maxTokens, apiKeyEnv.",
  },
  "branchSummary.enabled": {
    kind: "boolean",
    default: false,
    sentence: "Leaving a branch leaves a summary of it where one goes on, unless the call says otherwise.",
  },
  "branchSummary.reserveTokens": {
    kind: "integer",
    min: 1,
    default: 16_384,
    unit: "tokens",
    sentence: "Room of the window kept free for the summary of a branch; the rest may hold the branch.",
  },
  "pruning.enabled": {
    kind: "boolean",
    default: true,
    sentence: "Prune old tool outputs by itself before a compaction is considered.",
  },
  "pruning.protectTokens": {
    kind: "integer",
    min: 0,
    default: 40_000,
    unit: "tokens",
    sentence: "How much of the newest tool output is never pruned.",
  },
  "pruning.minSavings": {
    kind: "integer",
    min: 1,
    default: 20_000,
    unit: "tokens",
    sentence: "A prune that would save less in all is not done.",
  },
  "pruning.minTokens": {
    kind: "integer",
    min: 1,
    default: 50,
    unit: "tokens",
    sentence: "Smaller outputs stay: a placeholder would be as long.",
  },
  "pruning.protectTools": {
    kind: "names",
    default: ["read", "skill"],
    sentence: "Tools whose outputs are never pruned; other agents' names for the same tool count too.",
  },
  "pruning.staleReads": {
    kind: "boolean",
    default: false,
    sentence: "A read of a file that was read again or written since may be pruned, and goes first.",
  },
  "pruning.persist": {
    kind: "choice",
    choices: ["edits", "rewrite"],
    default: "edits",
    sentence: "Append edits, or rewrite the stored outputs and move the originals to a file beside the session.",
  },
  "pins.auto": {
    kind: "boolean",
    default: true,
    sentence: "Pin the user's own prohibitions and obligations by themselves.",
  },
  "pruning.cacheAware": {
    kind: "boolean",
    default: true,
    sentence: "While the provider's cache is warm, prune only when it saves more than sending the rest again costs.",
  },
  "micro.enabled": {
    kind: "boolean",
    default: false,
    sentence: "Show the model a mark in place of older tool results; nothing is stored.",
  },
  "micro.minFill": {
    kind: "number",
    min: 0,
    max: 1,
    default: 0.5,
    sentence: "Below this share of the window all tool results are shown.",
  },
  "micro.keepRounds": {
    kind: "integer",
    min: 1,
    default: 3,
    sentence: "So many newest rounds stay; a round is one reply with the results of all its calls.",
  },
  "micro.preserveTools": {
    kind: "names",
    default: ["read_file", "read"],
    sentence: "Tools whose results are always shown; other agents' names for the same tool count too.",
  },
  transcripts: {
    kind: "boolean",
    default: false,
    sentence: "Write what an automatic compaction replaces to .transcripts beside the session as well.",
  },
  prefetch: {
    kind: "boolean",
    default: false,
    sentence: "Prepare a summary in the background from 85 % of the threshold on.",
  },
  fsync: {
    kind: "choice",
    choices: ["always", "turn", "never"],
    default: "turn",
    sentence:
      "When what was appended is forced to the disk: at each append, at the end of a turn, or when the system likes.",
  },
  blobs: {
    kind: "choice",
    choices: ["inline", "extract"],
    default: "inline",
    sentence: "Keep images in the session file, or in files of their own in a folder blobs beside it.",
  },
  modelOverrides: {
    kind: "overrides",
    default: {},
    sentence: "Other values for some models, by a pattern of provider/id.",
  },
  "chat.model": {
    kind: "text",
    default: undefined,
    sentence:
      "The model that `espalier chat` talks with, as provider/id; it writes the summaries too, unless compaction.model says who does.",
  },
  "tools.allow": {
    kind: "names",
    default: [],
    guarded: true,
    sentence:
      "What the agent's tools may do without asking: write, edit, bash, or as in bash(npm test) and write(src/**).",
  },
  "hooks.modules": {
    kind: "names",
    default: [],
    guarded: true,
    sentence: "Modules with hooks, by absolute path; each exports hooks by their names.",
  },
  "hooks.timeout": {
    kind: "integer",
    min: 1,
    default: 30_000,
    unit: "milliseconds",
    sentence: "How long a hook may take to answer before it is left out.",
  },
} as const satisfies Record<string, Row>;
