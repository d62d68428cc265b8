import { EspalierError } from "../errors.ts";

/** How the values of one setting are checked and shown. */
type Kind =
  | { readonly kind: "boolean" }
  | { readonly kind: "integer"; readonly min: number; readonly max?: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "text" }
  | { readonly kind: "names" }
  | { readonly kind: "models" };

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
type Row = Kind & {
  readonly default: boolean | number | string | readonly string[] | readonly ModelDefinition[] | undefined;
  readonly unit?: "tokens" | "percent" | "milliseconds";
  readonly sentence: string;
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
  fallback: {
    kind: "choice",
    choices: ["embedded", "fail"],
    default: "embedded",
    sentence: "When every model has failed, make the summary without one, or fail and change nothing.",
  },
  models: {
    kind: "models",
    default: [],
    sentence:
      "Models that are not known by themselves: provider, id, api, baseUrl, contextWindow, maxTokens, apiKeyEnv.",
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
  "hooks.timeout": {
    kind: "integer",
    min: 1,
    default: 30_000,
    unit: "milliseconds",
    sentence: "How long a hook may take to answer before it is left out.",
  },
} as const satisfies Record<string, Row>;

export type SettingKey = keyof typeof SETTINGS;

type Value<R> = R extends { kind: "boolean" }
  ? boolean
  : R extends { kind: "choice"; choices: readonly (infer C)[] }
    ? C
    : R extends { kind: "text" }
      ? string
      : R extends { kind: "names" }
        ? readonly string[]
        : R extends { kind: "models" }
          ? readonly ModelDefinition[]
          : number;

type Optional<R> = R extends { default: undefined } ? undefined : never;

/** Effective settings, flat: `settings["compaction.reserveTokens"]`. */
export type Settings = { readonly [K in SettingKey]: Value<(typeof SETTINGS)[K]> | Optional<(typeof SETTINGS)[K]> };

/** The nested form of files and of the API, after `JSON.parse`. Unchecked. */
export type SettingsInput = { readonly [key: string]: unknown };

/** One place settings come from. `source` names it in messages: a path, `environment`, `flags`, `API`. */
export interface SettingsLayer {
  readonly source: string;
  readonly values: SettingsInput;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  /** Where each value comes from: `default` or the layer's `source`. */
  readonly origins: Readonly<Record<SettingKey, string>>;
  /** Unknown keys, each with the nearest known name [E2]. */
  readonly warnings: readonly string[];
}

/** The settings when nobody has said anything. */
export const DEFAULT_SETTINGS: Settings = resolveSettings([]).settings;

/**
 * Effective settings of `layers`, lowest first: a later layer's value replaces an earlier one's [E2].
 *
 * Unknown keys are warnings; `undefined` and `null` leave the value as it was.
 * Throws `SETTING_INVALID` naming source, key, value and what is allowed.
 */
export function resolveSettings(layers: readonly SettingsLayer[]): ResolvedSettings {
  const keys = Object.keys(SETTINGS) as SettingKey[];
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingKey, string>;
  const warnings: string[] = [];
  for (const key of keys) {
    values[key] = SETTINGS[key].default;
    origins[key] = "default";
  }
  for (const layer of layers) {
    for (const [key, value] of flatten(layer.values)) {
      if (!Object.hasOwn(SETTINGS, key)) {
        warnings.push(`${layer.source}: unknown setting "${key}"; did you mean "${nearest(key, keys)}"?`);
      } else if (value !== undefined && value !== null) {
        check(layer.source, key as SettingKey, value);
        values[key] = value;
        origins[key as SettingKey] = layer.source;
      }
    }
  }
  return { settings: values as Settings, origins, warnings };
}

/** What values a setting takes, as a phrase: `an integer of at least 1 (tokens)`. */
export function allowedValues(key: SettingKey): string {
  const row: Row = SETTINGS[key];
  const unit = row.unit ? ` (${row.unit})` : "";
  switch (row.kind) {
    case "boolean":
      return "true or false";
    case "choice":
      return `one of ${row.choices.join(", ")}`;
    case "text":
      return "a text";
    case "names":
      return 'a list of names, as in ["read", "skill"]';
    case "models":
      return 'a list of models, as in [{"provider": "mine", "id": "m", "api": "openai-chat", "baseUrl": "http://127.0.0.1:8080/v1"}]';
    case "integer":
      return `an integer ${row.max === undefined ? `of at least ${row.min}` : `from ${row.min} to ${row.max}`}${unit}`;
    case "number":
      return `a number from ${row.min} to ${row.max}${unit}`;
  }
}

function check(source: string, key: SettingKey, value: unknown): void {
  const row: Row = SETTINGS[key];
  const inRange = (min: number, max = Number.MAX_SAFE_INTEGER) =>
    typeof value === "number" && Number.isFinite(value) && value >= min && value <= max;
  const ok = () => {
    switch (row.kind) {
      case "boolean":
        return typeof value === "boolean";
      case "choice":
        return typeof value === "string" && row.choices.includes(value);
      case "text":
        return typeof value === "string" && value.trim() !== "";
      case "names":
        return Array.isArray(value) && value.every((name) => typeof name === "string" && name.trim() !== "");
      case "models":
        return Array.isArray(value) && value.every(isDefinition);
      case "integer":
        return Number.isInteger(value) && inRange(row.min, row.max);
      case "number":
        return inRange(row.min, row.max);
    }
  };
  if (ok()) return;
  const allowed = allowedValues(key);
  throw new EspalierError("SETTING_INVALID", `${source}: ${key} is ${shown(value)}; it must be ${allowed}.`, {
    source,
    key,
    value,
    allowed,
  });
}

const DEFINITION: Readonly<Record<string, string>> = {
  provider: "string",
  id: "string",
  baseUrl: "string",
  api: "string",
  apiKeyEnv: "string",
  contextWindow: "number",
  maxTokens: "number",
  reasoning: "boolean",
  cost: "object",
};
const APIS = ["openai-chat", "openai-responses", "anthropic", "google"];

function isDefinition(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("provider" in value) || !("id" in value)) return false;
  if ("api" in value && !APIS.includes(String(value.api))) return false;
  return Object.entries(value).every(([name, field]) => typeof field === DEFINITION[name]);
}

function shown(value: unknown): string {
  return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
}

/** Only groups of the table nest; anything else is one value, however deep it is. */
function* flatten(values: SettingsInput, prefix = ""): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(values)) {
    const key = prefix + name;
    const nests = typeof value === "object" && value !== null && !Array.isArray(value) && isGroup(key);
    if (nests) yield* flatten(value as SettingsInput, `${key}.`);
    else yield [key, value];
  }
}

function isGroup(key: string): boolean {
  return Object.keys(SETTINGS).some((known) => known.startsWith(`${key}.`));
}

function nearest(key: string, keys: readonly string[]): string {
  let best = keys[0] ?? "";
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of keys) {
    const distance = Math.min(editDistance(key, candidate), editDistance(key, candidate.split(".").at(-1) ?? ""));
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions and substitutions that turn `a` into `b`: for naming what somebody may have meant. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
