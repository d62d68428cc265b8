import { EspalierError } from "../errors.ts";

/** How the values of one setting are checked and shown. */
type Kind =
  | { readonly kind: "boolean" }
  | { readonly kind: "integer"; readonly min: number; readonly max?: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

/** One row: everything that is said about a setting anywhere is said here [E1]. `default: undefined` means unset. */
type Row = Kind & {
  readonly default: boolean | number | string | undefined;
  readonly unit?: "tokens" | "percent";
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
} as const satisfies Record<string, Row>;

export type SettingKey = keyof typeof SETTINGS;

type Value<R> = R extends { kind: "boolean" }
  ? boolean
  : R extends { kind: "choice"; choices: readonly (infer C)[] }
    ? C
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
  const ok =
    row.kind === "boolean"
      ? typeof value === "boolean"
      : row.kind === "choice"
        ? typeof value === "string" && row.choices.includes(value)
        : row.kind === "integer"
          ? Number.isInteger(value) && inRange(row.min, row.max)
          : inRange(row.min, row.max);
  if (ok) return;
  const allowed = allowedValues(key);
  throw new EspalierError("SETTING_INVALID", `${source}: ${key} is ${shown(value)}; it must be ${allowed}.`, {
    source,
    key,
    value,
    allowed,
  });
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
