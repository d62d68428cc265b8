import type { Command } from "../answer.ts";
import { checkOut } from "../copy.ts";
import { entryIdOf } from "../entry-id.ts";
import { openFile } from "../open.ts";
import { count } from "../render/number.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import { word } from "../shell.ts";

/** Writes the path to an entry as a pi version 3 file, whatever agent it comes from; the original stays as it is [S11]. */
export const fork: Command = async (call) => {
  const [file = "", entry = ""] = call.args;
  const { out = "" } = call.flags;
  await checkOut(out);
  const { session, format } = await openFile(call, file);
  const { header, lines } = await session.fork(await entryIdOf(session, entry, "fork"));
  call.progress.step(`Writing ${out}`);
  const { openJsonlStore, writeSessionFile } = await import("../../stores/jsonl/index.ts");
  await writeSessionFile(out, header, unlessAborted(lines, call.signal));
  const store = await openJsonlStore(out, { readOnly: true });
  call.cleanups.push(() => store.close());
  const entries = (await store.tree()).size;
  const { leafId } = store.position();
  return {
    document: { status: "forked", out, entries, leafId },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, out, `${count(entries, "entry", "entries")} · a fork of ${firstLine(file)} (${format})`);
      yield "  The original is as it was.";
      yield* nextCommands(screen, [
        [`espalier context ${word(out)}`, "what the model sees"],
        [`espalier tree ${word(out)}`, "what is in it"],
      ]);
    },
  };
};

async function* unlessAborted(lines: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted();
    yield line;
  }
}
