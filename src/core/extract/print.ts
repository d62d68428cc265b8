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
export function fileLine(file: OpenFile, root: string, names: readonly string[], why: string): string {
  const verb = file.changes === 0 ? "Read" : file.changes === 1 ? "Modified" : `Modified ×${file.changes}`;
  const said = why ? ` — "${why}"` : "";
  return tagged(
    `- ${verb} ${under(root, file.path)}${said}${names.length > 0 ? `: ${names.join(", ")}` : ""}`,
    file.id,
  );
}

/** The mark that cites an entry, or "" for none. */
export function tag(id: string): string {
  return id ? ` [#${id}]` : "";
}

/** A command or name set off from the words around it, unless that would make it look like another name. */
export function code(text: string): string {
  return /\s/.test(text) && !text.includes("`") ? `\`${text}\`` : text;
}

/** The path without the shared root, as long as a directory of it remains: a bare name would be ambiguous. */
export function under(root: string, path: string): string {
  if (!root || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  return rest.includes("/") ? rest : path;
}

/** A command's line: its last outcome, and the failure that it cured. */
export function runLine(run: Run): string {
  const command = code(clip(run.command, 200));
  const result = run.line ? `: ${run.line}` : "";
  if (!run.ok) return tagged(`- ${command} failed${result}`, run.id);
  return tagged(`- ${command} ${run.was ? `failed (${clip(run.was, 120)}), then passed` : "passed"}${result}`, run.id);
}

/** The directory that at least two thirds of the absolute paths share, ending in `/`; "" when naming it gains nothing. */
export function sharedRoot(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith("/"));
  if (absolute.length < 3 || absolute.length * 3 < paths.length * 2) return "";
  const counts = new Map<string, number>();
  for (const path of absolute) {
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      const root = path.slice(0, at + 1);
      counts.set(root, (counts.get(root) ?? 0) + 1);
    }
  }
  let best = "";
  for (const [root, count] of counts) if (count * 3 >= absolute.length * 2 && root.length > best.length) best = root;
  return best.length >= 8 ? best : "";
}
