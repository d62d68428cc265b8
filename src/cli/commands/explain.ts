import type { Command } from "../answer.ts";
import { openFile } from "../open.ts";
import { count, percent, thousands } from "../render/number.ts";
import { titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import type { Tint } from "../render/style.ts";
import { table } from "../render/table.ts";

const FATE_TINTS: Readonly<Record<string, Tint>> = {
  verbatim: "green",
  edited: "cyan",
  summarised: "magenta",
  metadata: "gray",
  dropped: "red",
};

/** Shows where each entry of the path went; the counts add up to the path's length [X8]. */
export const explain: Command = async (call) => {
  const { file, session } = await openFile(call, call.args[0] ?? "");
  call.progress.step("Following the path");
  const explanation = await session.explain();
  const { entries, counts } = explanation;
  return {
    document: { ...explanation },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file, `${count(entries.length, "entry", "entries")} on the path`);
      yield "";
      const columns = [
        { title: "entry", tint: "dim" },
        { title: "type" },
        { title: "fate" },
        { title: "by or why", fills: true },
      ] as const;
      const rows = (function* () {
        for (const { id, type, fate, by, why } of entries) {
          yield [
            firstLine(id),
            firstLine(type),
            fate,
            [by && `#${by}`, why]
              .filter(Boolean)
              .map((text) => firstLine(String(text)))
              .join(" · "),
          ];
        }
      })();
      yield* table(screen, columns, rows, (cells, column) => (column === 2 ? FATE_TINTS[cells[2] ?? ""] : undefined));
      yield "";
      for (const [fate, n] of Object.entries(counts)) {
        const tint = FATE_TINTS[fate];
        const name = tint ? screen.tint(tint, fate.padEnd(12)) : fate.padEnd(12);
        yield `  ${name}${thousands(n).padStart(9)}  ${percent(n, entries.length).padStart(4)}`;
      }
      yield `  ${"path".padEnd(12)}${thousands(entries.length).padStart(9)}`;
    },
  };
};
