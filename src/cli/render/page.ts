import { firstLine } from "./plain.ts";
import type { Screen } from "./style.ts";
import { clip, width, wrap } from "./width.ts";

/** A heading with an empty line above it; the note is clipped where it does not fit. */
export function heading(screen: Screen, text: string, note = ""): string {
  const told = clip(note, screen.width - width(text) - 2);
  return `\n${screen.tint("bold", text)}${told && `  ${screen.tint("dim", told)}`}`;
}

/** A sentence of its own, wrapped. */
export const sentence = (screen: Screen, text: string): string[] =>
  wrap(text, screen.width - 2).map((line) => `  ${line}`);

/** The first line of an answer: which session this is about. */
export const titleLine = (screen: Screen, file: string, note = ""): string =>
  `${screen.tint("bold", firstLine(file))}${note && `  ${screen.tint("dim", note)}`}`;

/** Commands worth trying now: what to type, and what it shows. */
export function* nextCommands(
  screen: Screen,
  commands: readonly (readonly [command: string, shows: string])[],
): Generator<string> {
  yield heading(screen, "Next");
  const most = Math.max(...commands.map(([command]) => command.length));
  const fits = commands.every(([, shows]) => most + 4 + shows.length <= screen.width);
  for (const [command, shows] of commands) {
    const gap = fits ? " ".repeat(most - command.length + 2) : "\n      ";
    yield `  ${screen.tint("cyan", command)}${gap}${screen.tint("dim", shows)}`;
  }
}
