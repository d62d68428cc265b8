import { escaped } from "./render/plain.ts";

/** `text` as one word of a command line, quoted only where it must be; a terminal obeys nothing in it. */
export function word(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (escaped(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${escaped(text.replace(/[\\']/g, "\\$&"))}'`;
}
