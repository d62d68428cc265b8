import type { TokenCounter } from "../context/tokens.ts";
import type { SummaryDetails } from "../session/entry.ts";

/** How many paths a list shows; `details` keeps all [F3]. */
const LONGEST_LIST = 100;

/**
 * `<read-files>` and `<modified-files>` as a summary ends with them [F3]; an empty list has no tag.
 *
 * At most 100 paths each and `maxTokens` in all, then the number of the others. Modified files go first for room.
 */
export function fileTags(details: SummaryDetails, maxTokens: number, counter: TokenCounter): string {
  let left = maxTokens;
  const list = (name: string, paths: readonly string[] = []) => {
    const shown: string[] = [];
    for (const path of paths.slice(0, LONGEST_LIST)) {
      left -= counter.count(`${path}\n`);
      if (left < 0) break;
      shown.push(path);
    }
    if (paths.length > shown.length) shown.push(`(${paths.length - shown.length} more)`);
    return shown.length === 0 ? [] : [`<${name}>\n${shown.join("\n")}\n</${name}>`];
  };
  const modified = list("modified-files", details.modifiedFiles);
  return [...list("read-files", details.readFiles), ...modified].join("\n\n");
}

/**
 * `text` without the blocks between `<name>` and `</name>`, the tags standing on lines of their own.
 *
 * A block ends at the nearest closing tag, or with `greedy` at the last one. An open tag without an end stays.
 */
export function withoutBlocks(text: string, name: string, greedy = false): string {
  const lines = text.split("\n");
  const open = new RegExp(`^<${name}(?: [^>\\n]*)?>$`);
  const close = `</${name}>`;
  const last = lines.lastIndexOf(close);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (at >= last || !open.test(line)) {
      kept.push(line);
      continue;
    }
    at = greedy ? last : lines.indexOf(close, at);
    while (kept.at(-1)?.trim() === "" && (lines[at + 1] ?? "").trim() === "") kept.pop();
  }
  return kept.join("\n");
}
