import { plain } from "./plain.ts";
import type { Screen } from "./style.ts";
import { wrap } from "./width.ts";

/** A summary's Markdown as lines behind a rule: headings bold, citations dim, at most `limit` lines, then a count. */
export function* quoted(screen: Screen, markdown: string, limit = Number.POSITIVE_INFINITY): Generator<string> {
  const edge = screen.tint("dim", "│");
  let printed = 0;
  let more = 0;
  for (const line of plain(markdown).trimEnd().split("\n")) {
    for (const piece of wrap(line, screen.width - 6)) {
      if (printed >= limit) more++;
      else {
        printed++;
        yield `  ${edge} ${decorate(screen, piece, line)}`.trimEnd();
      }
    }
  }
  if (more > 0) yield `  ${edge} ${screen.tint("dim", `… ${more} more lines`)}`;
}

function decorate(screen: Screen, piece: string, line: string): string {
  if (/^#{1,6} /.test(line)) return screen.tint("bold", piece);
  if (/^<\/?[\w-]+>$/.test(line.trim())) return screen.tint("dim", piece);
  return piece.replace(/\[#[0-9a-zA-Z-]+\]/g, (citation) => screen.tint("dim", citation));
}
