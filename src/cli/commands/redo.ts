import type { Command } from "../answer.ts";
import { openToWrite } from "../open.ts";
import { thousands } from "../render/number.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import { word } from "../shell.ts";

/** Honours again the compaction that was undone last [V3]. */
export const redo: Command = async (call) => {
  const [file = ""] = call.args;
  const { session } = await openToWrite(call, file);
  const outcome = await session.redo();
  return {
    document: { ...outcome, leafId: session.leafId },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file);
      if (outcome.status === "nothing") {
        yield "  There is no undo to take back. Nothing was written.";
        return;
      }
      const { compactionId, tokensBefore, tokensAfter } = outcome;
      yield `  Compaction #${firstLine(compactionId)} counts again: ${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens.`;
      yield* nextCommands(screen, [
        [`espalier context ${word(file)}`, "what the model sees now"],
        [`espalier undo ${word(file)}`, "undo it again"],
      ]);
    },
  };
};
