import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { SETTINGS, type SettingKey, type SettingsInput, type SettingsLayer } from "../core/settings.ts";
import { EspalierError } from "../errors.ts";
import type { Flags } from "./answer.ts";
import { nearest } from "./nearest.ts";

/** Where settings are looked for. Paths are absolute; a file need not be there. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The layers below the flags, and what was odd about them. */
export interface FoundLayers {
  readonly layers: readonly SettingsLayer[];
  readonly warnings: readonly string[];
}

const FILE = "settings.json";
const PREFIX = "ESPALIER_";

export const hereAndNow = (): Surroundings => ({ cwd: process.cwd(), home: homedir(), env: process.env });

/**
 * The settings layers of this place, lowest first: user file, project file, environment [E2].
 *
 * The user file is `$XDG_CONFIG_HOME/espalier/settings.json` (or `~/.config/…`), the project file the nearest
 * `.espalier/settings.json` from the working directory up to the repository's root or the home folder.
 * Throws `SETTING_INVALID` for a file that is no JSON object, naming file, line and column.
 */
export function findLayers(at: Surroundings): FoundLayers {
  const user = userFile(at);
  const own = readSettings(user);
  const layers: SettingsLayer[] = own ? [{ source: user, values: own }] : [];
  const project = projectFile(at);
  const values = project === undefined ? undefined : readSettings(project);
  if (project !== undefined && values) {
    layers.push({ source: project, values, untrusted: !isTrusted(dirname(dirname(project)), own?.trustedFolders) });
  }
  const environment = environmentLayer(at.env);
  if (Object.keys(environment.values).length > 0) layers.push(environment);
  return { layers, warnings: strayVariables(at.env) };
}

/** True for a folder that the user's own file trusts; a project can't trust itself. */
export function isTrusted(
  folder: string,
  trusted: unknown = readSettings(userFile(hereAndNow()))?.trustedFolders,
): boolean {
  if (!Array.isArray(trusted)) return false;
  return trusted.some((name) => {
    if (typeof name !== "string" || name === "") return false;
    const way = relative(resolve(name.replace(/^~(?=\/|$)/, homedir())), folder);
    return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
  });
}

/** One layer a flag, named by it, so that messages and `settings` point at what was typed. */
export function flagLayers(flags: Flags): SettingsLayer[] {
  const given: [flag: string, key: SettingKey, text: string | undefined][] = [
    ["--window", "contextWindow", flags.window],
    ["--keep-recent-tokens", "compaction.keepRecentTokens", flags.keepRecentTokens],
    ["--model", "compaction.model", flags.model],
    ["--endpoint", "compaction.remoteEndpoint", flags.endpoint],
    ["--retain-none", "compaction.mode", flags.retainNone ? "retain-none" : undefined],
  ];
  return given.flatMap(([source, key, text]) =>
    text === undefined ? [] : [{ source, values: { [key]: parseValue(key, text) } }],
  );
}

export function userFile(at: Surroundings): string {
  const xdg = at.env.XDG_CONFIG_HOME;
  // The XDG specification says to ignore a relative path.
  return join(xdg?.startsWith("/") ? xdg : join(at.home, ".config"), "espalier", FILE);
}

/** The nearest project file, or undefined. */
export function projectFile(at: Surroundings): string | undefined {
  for (let folder = resolve(at.cwd); ; folder = dirname(folder)) {
    const file = join(folder, ".espalier", FILE);
    if (existsSync(file)) return file;
    if (folder === at.home || existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
  }
}

/** `compaction.keepRecentTokens` is read from `ESPALIER_COMPACTION_KEEP_RECENT_TOKENS`. */
export function variableOf(key: SettingKey): string {
  return PREFIX + key.replace(/[A-Z]/g, "_$&").replaceAll(".", "_").toUpperCase();
}

function environmentLayer(env: Surroundings["env"]): SettingsLayer {
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    const text = env[variableOf(key)];
    if (text !== undefined && text !== "") values[key] = parseValue(key, text);
  }
  return { source: "environment", values };
}

/**
 * Variables hold text, a list of names with commas between; what does not read as the setting's kind is left as it is,
 * for the check to name.
 */
function parseValue(key: SettingKey, text: string): unknown {
  const { kind } = SETTINGS[key];
  if (kind === "boolean")
    return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text;
  if (kind === "models" || kind === "overrides") return parsedJson(text);
  if (kind === "integer" || kind === "number") {
    const digits = text.replace(/[_,](?=\d{3})/g, "");
    return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : text;
  }
  if (kind === "names") return text.split(",").map((name) => name.trim());
  return text;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A misspelt variable would otherwise do nothing without a word; only names that start like a group of settings count. */
function strayVariables(env: Surroundings["env"]): string[] {
  const known = (Object.keys(SETTINGS) as SettingKey[]).map(variableOf);
  const groups = new Set(known.map((name) => name.split("_").slice(0, 2).join("_")));
  return Object.keys(env)
    .filter((name) => !known.includes(name) && groups.has(name.split("_").slice(0, 2).join("_")))
    .map((name) => `environment: unknown setting ${name}; did you mean ${nearest(name, known)[0]}?`);
}

function readSettings(file: string): SettingsInput | undefined {
  let text: string;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return undefined;
    // Reading a named pipe would wait for its writer.
    if (found.isFIFO()) throw new Error("it is a named pipe");
    text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    throw new EspalierError(
      "SETTING_INVALID",
      `${file} cannot be read (${reason(cause)}); fix or remove it.`,
      { file },
      cause,
    );
  }
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { line, column } = placeOf(text, faultOffset(text));
    const at = `${file}:${line}:${column}`;
    throw new EspalierError(
      "SETTING_INVALID",
      `${at} is not JSON from here on; correct that line or remove the file.`,
      { file, line, column },
      cause,
    );
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as SettingsInput;
  throw new EspalierError(
    "SETTING_INVALID",
    `${file} must hold one JSON object such as {"compaction": {"keepRecentTokens": 8000}}.`,
    { file },
  );
}

const reason = (cause: unknown): string => {
  const { code, message = String(cause) } = cause as NodeJS.ErrnoException;
  return code ?? message;
};

/**
 * Offset of the first character that no JSON text could have there; the text's length when only its end is missing.
 *
 * Not every runtime's error says where: so the longest prefix is searched that could still be continued.
 */
function faultOffset(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (continues(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function continues(prefix: string): boolean {
  try {
    JSON.parse(prefix);
    return true;
  } catch (error) {
    const message = String((error as Error).message);
    const position = /at position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return Number(position) >= prefix.length;
    return message.startsWith("Unexpected end");
  }
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
