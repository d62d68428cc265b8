import { EspalierError } from "../errors.ts";
import { type ModelDefinition, type Row, SETTINGS } from "./settings/table.ts";

export { type ModelDefinition, SETTINGS } from "./settings/table.ts";

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
          : R extends { kind: "overrides" }
            ? ModelOverrides
            : number;

/** By a pattern such as `anthropic/*`: flat settings that hold for the models it matches [E3]. */
export type ModelOverrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Optional<R> = R extends { default: undefined } ? undefined : never;

/** Effective settings, flat: `settings["compaction.reserveTokens"]`. */
export type Settings = { readonly [K in SettingKey]: Value<(typeof SETTINGS)[K]> | Optional<(typeof SETTINGS)[K]> };

/** The nested form of files and of the API, after `JSON.parse`. Unchecked. */
export type SettingsInput = { readonly [key: string]: unknown };

/** One place settings come from. `source` names it in messages: a path, `environment`, `flags`, `API`. */
export interface SettingsLayer {
  readonly source: string;
  readonly values: SettingsInput;
  /** A project's file that the user has not trusted: guarded settings in it are left out, with a warning [E2]. */
  readonly untrusted?: boolean;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  /** Where each value comes from: `default` or the layer's `source`. */
  readonly origins: Readonly<Record<SettingKey, string>>;
  /** Unknown keys, each with the nearest known name, and guarded settings that were left out [E2]. */
  readonly warnings: readonly string[];
}

/** The settings when nobody has said anything. */
export const DEFAULT_SETTINGS: Settings = resolveSettings([]).settings;

/**
 * Effective settings of `layers`, lowest first: a later layer's value replaces an earlier one's [E2].
 *
 * Unknown keys and guarded settings of an untrusted layer are warnings; `undefined` and `null` leave the value as it was.
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
      } else if (layer.untrusted && (SETTINGS[key as SettingKey] as Row).guarded) {
        warnings.push(`${layer.source}: ${key} is left out, since your trustedFolders do not name that folder.`);
      } else if (value !== undefined && value !== null) {
        check(layer.source, key as SettingKey, value);
        values[key] = key === "modelOverrides" ? { ...(values[key] as object), ...flatOverrides(value) } : value;
        origins[key as SettingKey] = layer.source;
      }
    }
    values.modelOverrides = withoutOverrides(values.modelOverrides as ModelOverrides, layer);
  }
  return { settings: values as Settings, origins, warnings };
}

/**
 * `changes` as they are, once each is known and right.
 *
 * Throws `SETTING_INVALID`, also for an unknown key.
 */
export function checkedSettings(changes: Partial<Settings>): Partial<Settings> {
  for (const [key, value] of Object.entries(changes)) {
    if (!Object.hasOwn(SETTINGS, key)) {
      throw new EspalierError("SETTING_INVALID", `There is no setting "${key}".`, { key });
    }
    if (value !== undefined) check("API", key as SettingKey, value);
  }
  return changes;
}

/**
 * `settings` as they hold for one model, `provider/id` [E3].
 *
 * Patterns apply in their order, `*` stands for any characters. What a higher layer says plainly is not overridden.
 */
export function settingsFor(settings: Settings, model: string): Settings {
  let effective = settings;
  for (const [pattern, values] of Object.entries(settings.modelOverrides)) {
    if (globOf(pattern).test(model)) effective = { ...effective, ...values };
  }
  return effective;
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
    case "overrides":
      return 'settings by model, as in {"anthropic/*": {"compaction": {"keepRecentTokens": 30000}}}';
    case "integer":
      return `an integer ${row.max === undefined ? `of at least ${row.min}` : `from ${row.min} to ${row.max}`}${unit}`;
    case "number":
      return `a number from ${row.min} to ${row.max}${unit}`;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True for an object of settings that may differ by model; throws for a wrong one, naming it. */
function checkOverride(source: string, [pattern, values]: [string, unknown]): boolean {
  if (!isObject(values)) return false;
  for (const [key, value] of flatten(values)) {
    const row: Row | undefined = Object.hasOwn(SETTINGS, key) ? SETTINGS[key as SettingKey] : undefined;
    if (!row || row.guarded || row.kind === "overrides") {
      const message = `${source}: modelOverrides["${pattern}"] has ${key}, which is no setting that may differ by model.`;
      throw new EspalierError("SETTING_INVALID", message, { source, key });
    }
    check(`${source}: modelOverrides["${pattern}"]`, key as SettingKey, value);
  }
  return true;
}

function flatOverrides(value: unknown): ModelOverrides {
  const overrides = Object.entries(value as Record<string, SettingsInput>);
  return Object.fromEntries(overrides.map(([pattern, values]) => [pattern, Object.fromEntries(flatten(values))]));
}

/** Overrides of lower layers, without what `layer` says for every model. */
function withoutOverrides(overrides: ModelOverrides, layer: SettingsLayer): ModelOverrides {
  const said = new Set([...flatten(layer.values)].map(([key]) => key));
  const own = isObject(layer.values.modelOverrides) ? layer.values.modelOverrides : {};
  const rest = Object.entries(overrides).map(([pattern, values]) => [
    pattern,
    Object.hasOwn(own, pattern) ? values : Object.fromEntries(Object.entries(values).filter(([key]) => !said.has(key))),
  ]);
  return Object.fromEntries(rest);
}

function globOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`);
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
      case "overrides":
        return isObject(value) && Object.entries(value).every((override) => checkOverride(source, override));
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
