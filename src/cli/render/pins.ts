import type { Pin } from "../../core/verify/pins.ts";
import { count } from "./number.ts";
import { heading } from "./page.ts";
import { firstLine } from "./plain.ts";
import type { Screen } from "./style.ts";
import { table } from "./table.ts";

const ORIGIN: Readonly<Record<Pin["by"], string>> = { label: "entry", text: "given", user: "user's words" };

/** All pins with their numbers, oldest first. */
export function* pinLines(screen: Screen, pins: readonly Pin[]): Generator<string> {
  if (pins.length === 0) {
    yield "  Nothing is pinned.";
    return;
  }
  yield heading(screen, "Pinned", `${count(pins.length, "text")} carried through every compaction`);
  const columns = [
    { title: "no.", align: "right" },
    { title: "entry", tint: "dim" },
    { title: "from" },
    { title: "words", fills: true },
  ] as const;
  const rows = pins.map(({ text, entryId, by }, at) => [`${at + 1}`, firstLine(entryId), ORIGIN[by], firstLine(text)]);
  yield* table(screen, columns, rows);
}
