import { firstLine } from "./plain.ts";
import type { Screen } from "./style.ts";

/** A heading with an empty line above it. */
export const heading = (screen: Screen, text: string, note = ""): string =>
  `\n${screen.tint("bold", text)}${note && `  ${screen.tint("dim", note)}`}`;

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
  for (const [command, shows] of commands) {
    const gap = most + 4 + shows.length > screen.width ? "\n      " : " ".repeat(most - command.length + 2);
    yield `  ${screen.tint("cyan", command)}${gap}${screen.tint("dim", shows)}`;
  }
}
