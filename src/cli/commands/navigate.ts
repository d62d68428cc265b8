import type { NavigateOptions } from "../../engine/navigate.ts";
import type { Call, Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openToWrite } from "../open.ts";
import { moveLines } from "../render/move.ts";

/** Moves the leaf of a session to an entry, or to `root`, with a summary of what is left if asked [B1, B4, S8]. */
export const navigate: Command = async (call) => {
  const [file = "", entry = ""] = call.args;
  const { session } = await openToWrite(call, file);
  const target = entry === "root" ? null : await entryIdOf(session, entry, "navigate");
  const outcome = await session.navigate(target, { signal: call.signal, ...summaryFlags(call) });
  return {
    document: outcome,
    warnings: session.warnings,
    exit: outcome.by === "signal" ? 130 : 0,
    lines: (screen) => moveLines(screen, file, outcome, "The session stands there already"),
  };
};

function summaryFlags({ flags: { summarize, focus, name } }: Call): NavigateOptions {
  const asked = summarize ?? (focus === undefined ? undefined : true);
  return {
    ...(asked !== undefined && { summarize: asked }),
    ...(focus !== undefined && { customInstructions: focus, replaceInstructions: false }),
    ...(name !== undefined && { label: name }),
  };
}
