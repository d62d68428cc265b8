import { count } from "./number.ts";
import { plain } from "./plain.ts";
import type { Screen } from "./style.ts";
import { wrap } from "./width.ts";

const HEADING = /^#{1,6} /;

/**
 * A summary's Markdown as lines behind a rule: headings bold, citations dim.
 *
 * Of each section at most `perSection` lines are shown, then how many follow.
 */
export function* quoted(screen: Screen, markdown: string, perSection = Number.POSITIVE_INFINITY): Generator<string> {
  const edge = screen.tint("dim", "│");
  let shown = 0;
  let hidden = 0;
  const rest = () => (hidden > 0 ? [`  ${edge} ${screen.tint("dim", `  … ${count(hidden, "more line")}`)}`] : []);
  for (const line of plain(markdown).trimEnd().split("\n")) {
    if (HEADING.test(line)) {
      yield* rest();
      if (hidden > 0) yield `  ${edge}`;
      shown = 0;
      hidden = 0;
    }
    for (const piece of wrap(line, screen.width - 6)) {
      if (shown++ >= perSection) hidden++;
      else yield `  ${edge} ${decorate(screen, piece, line)}`.trimEnd();
    }
  }
  yield* rest();
}

function decorate(screen: Screen, piece: string, line: string): string {
  if (HEADING.test(line)) return screen.tint("bold", piece);
  if (/^<\/?[\w-]+>$/.test(line.trim())) return screen.tint("dim", piece);
  return piece.replace(/\[#[0-9a-zA-Z-]+\]/g, (citation) => screen.tint("dim", citation));
}
