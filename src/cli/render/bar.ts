import { thousands } from "./number.ts";
import type { Screen, Tint } from "./style.ts";
import { pad } from "./width.ts";

/** One kind of content in a context, in the order and look that bars and legends share. */
export interface Part {
  readonly kind: string;
  readonly tokens: number;
}

const LOOK: Readonly<Record<string, readonly [tint: Tint, shade: string]>> = {
  system: ["gray", "░"],
  summary: ["magenta", "█"],
  user: ["green", "▓"],
  assistant: ["cyan", "▒"],
  "tool results": ["yellow", "░"],
  other: ["blue", "▚"],
};
const PLAIN: readonly [Tint, string] = ["blue", "▚"];
const look = (kind: string) => LOOK[kind] ?? PLAIN;

/**
 * A bar of at most `columns` for `total` out of `scale` tokens, made of its parts.
 *
 * With colour the parts differ in colour, without in shade. A part that is there shows at least one column.
 */
export function bar(screen: Screen, parts: readonly Part[], scale: number, columns: number): string {
  let out = "";
  let tokens = 0;
  let used = 0;
  for (const part of parts) {
    if (part.tokens <= 0) continue;
    tokens += part.tokens;
    // Rounding the running sum keeps the whole bar true to the total.
    const end = Math.min(columns, Math.max(used + 1, Math.round((columns * tokens) / Math.max(1, scale))));
    const [tint, shade] = look(part.kind);
    out += screen.tint(tint, (screen.colour ? "█" : shade).repeat(Math.max(0, end - used)));
    used = Math.max(used, end);
  }
  return out + " ".repeat(Math.max(0, columns - used));
}

/** The legend under a bar line: each kind with its mark, on as many lines as the screen needs. */
export function* legend(screen: Screen, kinds: Iterable<string>): Generator<string> {
  let line = "";
  let used = LABEL;
  for (const kind of kinds) {
    const [tint, shade] = look(kind);
    if (line && used + kind.length + 5 > screen.width) {
      yield line;
      line = "";
      used = LABEL;
    }
    line += `${line ? "   " : " ".repeat(LABEL)}${screen.tint(tint, screen.colour ? "█" : shade)} ${kind}`;
    used += kind.length + 5;
  }
  if (line) yield line;
}

/** Columns before a bar starts. */
const LABEL = 10;

/** A labelled bar line: `before  ████  84,210 tokens`. */
export function barLine(screen: Screen, label: string, parts: readonly Part[], scale: number, note = ""): string {
  const total = parts.reduce((sum, part) => sum + part.tokens, 0);
  const columns = Math.max(10, Math.min(60, screen.width - 40));
  const figure = screen.tint("bold", pad(thousands(total), thousands(scale).length, "left"));
  return `  ${pad(label, LABEL - 3)} ${bar(screen, parts, scale, columns)}  ${figure} tokens${note && `  ${note}`}`;
}
