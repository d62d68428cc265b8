import { clip } from "./cut.ts";
import type { Run } from "./state.ts";
import type { OpenFile } from "./work.ts";

/** The line with its entry's id at the end; what looks like such an id in the text itself is defused. */
export function tagged(line: string, id: string): string {
  const text = line.replaceAll("[#", "[\\#");
  return id ? `${text} [#${id}]` : text;
}

/** The newest request with its own line breaks, as a quote. */
export function quoteLines(text: string, id: string): string {
  const lines = text.split(/\r?\n/).map((line) => (line.trim() ? `> ${line.trimEnd()}` : ">"));
  return tagged(lines.join("\n"), id);
}

/** A file's line in the ledger: what was done to it, in whose words, and the names it is about. */
export function fileLine(file: OpenFile, cwd: string, names: readonly string[], why: string): string {
  const verb = file.changes === 0 ? "Read" : file.changes === 1 ? "Modified" : `Modified ×${file.changes}`;
  const said = why ? ` — "${why}"` : "";
  return tagged(`- ${verb} ${under(cwd, file.path)}${said}${names.length > 0 ? `: ${names.join(", ")}` : ""}`, file.id);
}

/** The mark that cites an entry, or "" for none. */
export function tag(id: string): string {
  return id ? ` [#${id}]` : "";
}

/** A command or name set off from the words around it, unless that would make it look like another name. */
export function code(text: string): string {
  return /\s/.test(text) && !text.includes("`") ? `\`${text}\`` : text;
}

/** The path from the working folder, as long as a directory of it remains: a bare name would be ambiguous. */
export function under(cwd: string, path: string): string {
  if (!cwd || !path.startsWith(cwd)) return path;
  const rest = path.slice(cwd.length);
  return /[/\\]/.test(rest) ? rest : path;
}

/** A command's line: its last outcome, and the failure that it cured. */
export function runLine(run: Run): string {
  const command = code(clip(run.command, 200));
  const result = run.line ? `: ${run.line}` : "";
  if (!run.ok) return tagged(`- ${command} failed${result}`, run.id);
  return tagged(`- ${command} ${run.was ? `failed (${clip(run.was, 120)}), then passed` : "passed"}${result}`, run.id);
}
