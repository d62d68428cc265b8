/** What an anchor is: a thing with a name, by which later work finds its way. */
export type AnchorKind = "path" | "url" | "command" | "identifier" | "error" | "hash" | "version" | "number" | "name";

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|json[lc5]?|py|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|md|mdx|txt|ya?ml|toml|lock|ini|cfg|conf|env|html?|css|scss|sql|db|sqlite|csv|tsv|xml|svg|png|jpe?g|gif|pdf|log|proto|vue|svelte|lua|zig|ex|exs|hs|ml|scala|gradle|tf|ipynb|zip|gz)$/i;
const VERSION = /^v?\d{1,5}(?:\.\d{1,6}){1,3}(?:[-+][\w.-]{1,30})?$/;
const MEASURE = /^\d[\d.]{0,14}(?:ns|us|ms|s|m|h|d|kb|mb|gb|tb|kib|mib|gib|b|k|px|em|rem|hz|khz|mhz|ghz|x|%)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{7,64}$/i;
const NAME = /^[\p{L}_$@][\p{L}\p{N}_$-]*$/u;
const ERROR =
  /^(?:E[A-Z]{4,}|[A-Z]{1,8}-?\d{2,6}|[A-Z]\w{0,60}(?:Error|Exception)|ERR_\w+|[A-Z]+_ERR(?:OR)?(?:_\w+)?)$/;

/** What kind of anchor a token is, without the punctuation around it; null for words, dates and noise. Linear. */
export function anchorKind(token: string): AnchorKind | null {
  if (token.length < 3) return null;
  if (token.includes("://")) return /^[a-z][a-z0-9+.-]{1,12}:\/\/[^/]/i.test(token) ? "url" : null;
  if (token.startsWith("--")) return token.length >= 5 && /^--[a-z]/i.test(token) ? "identifier" : null;
  if (token.startsWith("-")) return null;
  if (token.includes("/") || token.includes("\\")) return isPath(token) ? "path" : null;
  if (UUID.test(token) || isHash(token)) return "hash";
  if (/^v?\d/.test(token)) return measured(token);
  if (ERROR.test(token)) return "error";
  if (EXTENSION.test(token) && token.length >= 4) return "path";
  return isIdentifier(token) ? "identifier" : null;
}

function measured(token: string): AnchorKind | null {
  if (VERSION.test(token)) return token.startsWith("v") || token.split(".").length > 2 ? "version" : null;
  if (MEASURE.test(token)) return "number";
  return EXTENSION.test(token) ? "path" : null;
}

function isPath(token: string): boolean {
  const letters = token.replace(/[^\p{L}]/gu, "").length;
  if (letters < 2 || /[+=]/.test(token) || token.startsWith("//")) return false;
  if (/^(?:~|\.{1,2})?[\\/]/.test(token) || /^[A-Za-z]:/.test(token)) return token.length >= 4;
  const parts = token.split(/[\\/]/);
  return parts.length > 2 || EXTENSION.test(token) || /[\d_@-]/.test(token) || /\p{Ll}\p{Lu}/u.test(token);
}

function isHash(token: string): boolean {
  return HEX.test(token) && /\d/.test(token) && /[a-f]/i.test(token) && !/^\d{4,}[a-f]$/i.test(token);
}

function isIdentifier(token: string): boolean {
  const parts = token.split(/\.|::/).filter((part) => part !== "");
  if (parts.length === 0 || !parts.every((part) => NAME.test(part))) return false;
  if (token.includes("::")) return parts.length > 1;
  if (parts.length > 1) return isDotted(parts);
  const name = token.replace(/^[_$@]+|_+$/g, "");
  if (name.includes("_") || /\p{Ll}\p{Lu}/u.test(name)) return name.length >= 4;
  const words = name.split("-");
  return words.length > 1 && (words.length > 2 || /\d/.test(name)) && name.length >= 4;
}

/** `session.compact` is a name; `end.Next` is two sentences, `e.g` an abbreviation. */
function isDotted(parts: readonly string[]): boolean {
  if (parts.some((part) => part.length < 2)) return false;
  const last = parts.at(-1) as string;
  return !(/^\p{Lu}\p{Ll}+$/u.test(last) && /^\p{Ll}+$/u.test(parts[0] as string));
}
