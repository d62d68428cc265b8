import type { BranchSide } from "../../core/plan/branch-side.ts";
import type { Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openFile } from "../open.ts";
import { fileLines } from "../render/compaction.ts";
import { messageLine } from "../render/message.ts";
import { count, thousands } from "../render/number.ts";
import { heading, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { clip } from "../render/width.ts";

const SHOWN_MESSAGES = 8;

/** Shows what two branches of a session have since they parted [B5]. */
export const diff: Command = async (call) => {
  const [file = "", first = "", second = ""] = call.args;
  const { session } = await openFile(call, file);
  const a = await entryIdOf(session, first, "diff");
  const b = await entryIdOf(session, second, "diff");
  call.progress.step("Comparing");
  const found = await session.diffBranches(a, b);
  const { commonAncestorId, bothModified } = found;
  return {
    document: { commonAncestorId, a: sideDocument(found.a), b: sideDocument(found.b), bothModified },
    warnings: session.warnings,
    *lines(screen) {
      const parted = commonAncestorId === null ? "nothing in common" : `parted at #${firstLine(commonAncestorId)}`;
      yield titleLine(screen, file, parted);
      yield* sideLines(screen, found.a);
      yield* sideLines(screen, found.b);
      if (bothModified.length === 0) return;
      yield heading(screen, "Changed by both", thousands(bothModified.length));
      for (const path of bothModified)
        yield `  ${screen.tint("yellow", "M")} ${clip(firstLine(path), screen.width - 6)}`;
    },
  };
};

function sideDocument({ leafId, entryIds, messages, tokens, readFiles, modifiedFiles }: BranchSide): object {
  return {
    leafId,
    entries: entryIds.length,
    messages: messages.map(({ entryId, message }) => ({ entryId, role: message.role, text: messageLine(message) })),
    tokens,
    readFiles,
    modifiedFiles,
  };
}

function* sideLines(screen: Screen, side: BranchSide): Generator<string> {
  const { leafId, messages, tokens } = side;
  yield heading(screen, `#${firstLine(leafId)}`, `${count(messages.length, "message")} · ${thousands(tokens)} tokens`);
  for (const { entryId, message } of messages.slice(-SHOWN_MESSAGES)) {
    const lead = `  ${firstLine(entryId)}  ${message.role}  `;
    yield screen.tint("dim", lead) + clip(messageLine(message), screen.width - lead.length);
  }
  const more = messages.length - SHOWN_MESSAGES;
  if (more > 0) yield screen.tint("dim", `  … after ${count(more, "earlier message")}`);
  yield* fileLines(screen, { details: { ...side } });
}
