import { EspalierError } from "../../errors.ts";
import type { Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openFile, openToWrite } from "../open.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { pinLines } from "../render/pins.ts";
import { word } from "../shell.ts";

/** Pins an entry's words or words given; without either it lists the pins [V1]. */
export const pin: Command = async (call) => {
  const [file = ""] = call.args;
  const { entry, text } = call.flags;
  if (entry !== undefined && text !== undefined) {
    throw new EspalierError("USAGE", "pin takes --entry or --text, not both; see `espalier pin --help`.");
  }
  if (text !== undefined && text.trim() === "") {
    throw new EspalierError("USAGE", "--text is empty; give the words to pin.");
  }
  if (entry === undefined && text === undefined) {
    const { session } = await openFile(call, file);
    const pins = await session.pins();
    return {
      document: { status: "listed", pins },
      warnings: session.warnings,
      *lines(screen) {
        yield titleLine(screen, file);
        yield* pinLines(screen, pins);
      },
    };
  }
  const { session } = await openToWrite(call, file);
  const target = text === undefined ? await entryIdOf(session, entry ?? "", "--entry") : { text };
  const outcome = await session.pin(target);
  const pins = await session.pins();
  return {
    document: { ...outcome, pins },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file);
      if (outcome.status === "unchanged") yield "  That was pinned already. Nothing was written.";
      yield* pinLines(screen, pins);
      yield* nextCommands(screen, [[`espalier unpin ${word(file)} ${pins.length}`, "remove the newest"]]);
    },
  };
};
