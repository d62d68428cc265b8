import type { Command } from "../answer.ts";
import { openToWrite } from "../open.ts";
import { thousands } from "../render/number.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import { word } from "../shell.ts";

/** Takes the compaction in force back [V3]. */
export const undo: Command = async (call) => {
  const [file = ""] = call.args;
  const { session } = await openToWrite(call, file);
  const outcome = await session.undo();
  return {
    document: { ...outcome, leafId: session.leafId },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file);
      if (outcome.status === "nothing") {
        yield "  There is no compaction to undo. Nothing was written.";
        return;
      }
      const { compactionId, tokensBefore, tokensAfter } = outcome;
      yield `  Compaction #${firstLine(compactionId)} is undone: ${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens.`;
      yield* nextCommands(screen, [
        [`espalier context ${word(file)}`, "what the model sees now"],
        [`espalier redo ${word(file)}`, "honour it again"],
      ]);
    },
  };
};
