import type { Command } from "../answer.ts";
import { entryIdOf } from "../entry-id.ts";
import { openToWrite } from "../open.ts";
import { titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";

/** Names an entry, or takes its label away [S11]. */
export const label: Command = async (call) => {
  const [file = "", entry = "", name] = call.args;
  const { session } = await openToWrite(call, file);
  const targetId = await entryIdOf(session, entry, "label");
  const before = (await session.tree()).label(targetId);
  const given = name?.trim() ? name : null;
  const isSame = (before ?? null) === given;
  const stored = isSame ? null : await session.label(targetId, given);
  return {
    document: { status: isSame ? "unchanged" : "labelled", entryId: stored?.id, targetId, label: given, before },
    warnings: session.warnings,
    *lines(screen) {
      yield titleLine(screen, file);
      const now = given === null ? "has no label" : `is labelled ${firstLine(given)}`;
      yield `  #${firstLine(targetId)} ${now}${isSame ? " already. Nothing was written" : ""}.`;
    },
  };
};
