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
  const targets = targetsOf(call);
  const { session } = targets.length === 0 ? await openFile(call, file) : await openToWrite(call, file);
  const gone: Pin[] = [];
  for (const target of targets) {
    const outcome = await session.unpin(target);
    if (outcome.status !== "unpinned") continue;
    gone.push(...outcome.pins);
    break;
  }
  const pins = await session.pins();
  const status = targets.length === 0 ? "listed" : gone.length > 0 ? "unpinned" : "nothing";
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
function targetsOf({ args: [, named], flags }: Call): UnpinTarget[] {
  if (flags.entry !== undefined) return [flags.entry.replace(/^#/, "")];
  if (flags.text !== undefined) return [{ text: flags.text }];
  if (named === undefined) return [];
  const number = /^\d{1,4}$/.test(named) ? [Number(named)] : [];
  return [...number, named.replace(/^#/, ""), { text: named }];
}
