import type { Command } from "../answer.ts";
import { openToWrite } from "../open.ts";
import { moveLines } from "../render/move.ts";

/** Takes the last navigation of a session back [B6]. */
export const back: Command = async (call) => {
  const [file = ""] = call.args;
  const { session } = await openToWrite(call, file);
  const outcome = await session.back({ signal: call.signal });
  return {
    document: outcome,
    warnings: session.warnings,
    exit: outcome.by === "signal" ? 130 : 0,
    lines: (screen) => moveLines(screen, file, outcome, "There is no navigation to take back"),
  };
};
