import { type Entry, LEAF_MARKER } from "../../core/session/entry.ts";
import { contentClock } from "../../engine/clock.ts";
import type { Command } from "../answer.ts";
import { checkOut, writeCopy } from "../copy.ts";
import { type Opened, openFile } from "../open.ts";
import { count } from "../render/number.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import { word } from "../shell.ts";

/** Writes a session as a pi version 3 file, whatever agent it comes from; the original stays as it is. */
export const convert: Command = async (call) => {
  const [file = ""] = call.args;
  const { out = "", to } = call.flags;
  await checkOut(out);
  const opened = await openFile(call, file);
  call.progress.step(`Writing ${out}`);
  const marker = leafMarker(opened);
  await writeCopy(opened, marker, out, call.signal);
  const entries = (await opened.session.tree()).size + marker.length;
  const { leafId, warnings } = opened.session;
  return {
    document: { status: "converted", from: opened.format, to, out, entries, leafId },
    warnings,
    *lines(screen) {
      yield titleLine(screen, out, `${count(entries, "entry", "entries")} · ${opened.format} → ${to}`);
      yield `  The original, ${firstLine(file)}, is as it was.`;
      yield* nextCommands(screen, [
        [`espalier context ${word(out)}`, "what the model sees"],
        [`espalier compact ${word(out)} --dry-run`, "what a compaction would do"],
      ]);
    },
  };
};

/** Where `--leaf` moved the leaf: the entry that says so, so that the copy opens there [S8]. */
function leafMarker({ session }: Opened): Entry[] {
  const { leafId, store } = session;
  if (leafId === null || leafId === store.position().leafId) return [];
  const clock = contentClock(leafId, session.header.timestamp);
  const timestamp = new Date(clock.now()).toISOString();
  return [{ type: "custom", id: clock.newId(), parentId: leafId, timestamp, customType: LEAF_MARKER }];
}
