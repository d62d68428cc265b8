import type { Pin } from "../../core/verify/pins.ts";
import type { UnpinTarget } from "../../engine/pin.ts";
import type { Call, Command } from "../answer.ts";
import { openFile, openToWrite } from "../open.ts";
import { titleLine } from "../render/page.ts";
import { pinLines } from "../render/pins.ts";
import { firstLine } from "../render/plain.ts";

/** Removes a pin by number, entry id or words; lists them when none is named [V1]. */
export const unpin: Command = async (call) => {
  const [file = ""] = call.args;
  const isListing = call.args[1] === undefined && call.flags.entry === undefined && call.flags.text === undefined;
  const { session } = isListing ? await openFile(call, file) : await openToWrite(call, file);
  const targets = targetsOf(call, await session.pins());
  const gone: Pin[] = [];
  for (const target of targets) {
    const outcome = await session.unpin(target);
    if (outcome.status !== "unpinned") continue;
    gone.push(...outcome.pins);
    break;
  }
  const pins = await session.pins();
  const status = isListing ? "listed" : gone.length > 0 ? "unpinned" : "nothing";
  return {
    document: { status, ...(status === "nothing" && { because: "no-such-pin" }), unpinned: gone, pins },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file);
      if (status === "nothing") yield "  There is no such pin. Nothing was written.";
      if (status === "unpinned") yield `  Unpinned: ${gone.map(({ text }) => firstLine(text)).join(" · ")}`;
      yield* pinLines(screen, pins);
    },
  };
};

/** What the words typed may mean, the likeliest first. */
function targetsOf({ args: [, named], flags }: Call, pins: readonly Pin[]): UnpinTarget[] {
  if (flags.entry !== undefined) return [idOf(flags.entry, pins)];
  if (flags.text !== undefined) return [{ text: flags.text }];
  if (named === undefined) return [];
  const number = /^\d{1,4}$/.test(named) ? [Number(named)] : [];
  return [...number, idOf(named, pins), { text: named }];
}

/** The id of the pins' entries that begins like `text` where it is one only; a `#` before it does no harm. */
function idOf(text: string, pins: readonly Pin[]): string {
  const wanted = text.replace(/^#/, "");
  const ids = new Set(pins.map(({ entryId }) => entryId));
  const starting = wanted === "" || ids.has(wanted) ? [] : [...ids].filter((id) => id.startsWith(wanted));
  return starting.length === 1 ? (starting[0] ?? wanted) : wanted;
}
