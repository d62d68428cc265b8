import type { Entry } from "../../core/session/entry.ts";
import type { Message } from "../../core/session/message.ts";
import type { Warning } from "../../errors.ts";
import { CLEARED, clearedBy, summaryOf, tokensBefore } from "./compaction.ts";
import { idSource } from "./ids.ts";
import type { ChainLine, Raw } from "./lines.ts";
import { blocksOf, isSynthetic, objectOf, textOf } from "./lines.ts";
import { assistantMessage, milliseconds, toolResult, userBlocks } from "./messages.ts";
import { utterances } from "./speech.ts";
import type { Result, Unit } from "./units.ts";

/** An entry without its place in the tree. */
type Body = Entry extends infer E ? (E extends Entry ? Omit<E, "id" | "parentId" | "timestamp"> : never) : never;

export interface Written {
  readonly entries: Entry[];
  /** The last entry of a unit, or of the nearest unit above that has any. */
  tipOf(unit: Unit): string | null;
  readonly warnings: Warning[];
  /** Appends one more entry under `parentId`. */
  add(seed: string, parentId: string | null, timestamp: string, body: Body): string;
}

/** Fields of a line that the entry says itself, or that only place it. */
const PLACING = [
  "uuid",
  "parentUuid",
  "timestamp",
  "sessionId",
  "isSidechain",
  "userType",
  "version",
  "gitBranch",
  "cwd",
];

/** The entries of units that stand in order, parents first; `kept` says where a compaction's kept part begins. */
export function writeEntries(ordered: readonly Unit[], kept: ReadonlyMap<Unit, Unit>): Written {
  const take = idSource();
  const entries: Entry[] = [];
  const warnings: Warning[] = [];
  const tips = new Map<Unit, string | null>();
  const heads = new Map<Unit, string>();
  const results = new Map<string, string>();
  const texts = new Map<string, string>();
  const beforeResult = new Map<Result, string | null>();
  let model = "unknown";

  const add: Written["add"] = (seed, parentId, timestamp, body) => {
    const id = take(seed);
    const { type, ...rest } = body;
    entries.push({ type, id, parentId, timestamp, ...rest } as Entry);
    return id;
  };

  for (const unit of ordered) {
    let tip = unit.parent ? tips.get(unit.parent)! : null;
    if (unit.insteadOf) tip = beforeResult.get(unit.insteadOf.result) ?? tip;
    const first = entries.length;
    tips.set(unit, writeExtras(unit, write(unit, tip)));
    if (entries.length > first) heads.set(unit, entries[first]!.id);
  }
  return { entries, warnings, add, tipOf: (unit) => tips.get(unit) ?? null };

  function write(unit: Unit, tip: string | null): string | null {
    switch (unit.kind) {
      case "assistant":
        return writeReply(unit, tip);
      case "user":
        return writeSaid(unit.lines[0]!, tip);
      case "result":
        return writeResults(unit, tip);
      case "boundary":
        return writeCompaction(unit, tip);
      case "microcompact":
        return writeCleared(unit, tip);
      case "other":
        return writeOther(unit.lines[0]!, tip);
    }
  }

  function writeReply(unit: Unit, tip: string | null): string | null {
    const line = unit.lines[0]!;
    if (!isSynthetic(line.raw)) model = textOf(objectOf(line.raw.message).model) || model;
    const id = add(line.uuid, tip, line.timestamp, message(assistantMessage(unit, model)));
    return writeResults(unit, id);
  }

  function writeResults(unit: Unit, tip: string | null): string | null {
    for (const [nth, result] of unit.results.entries()) {
      const { line, block } = result;
      const callId = textOf(block.tool_use_id);
      if (!unit.calls.has(callId))
        warnings.push({
          code: "orphan-result",
          message: `line ${line.line} answers a call that is not in the file`,
          line: line.line,
        });
      beforeResult.set(result, tip);
      const seed = nth > 0 && unit.results[nth - 1]!.line === line ? `${line.uuid}/${nth}` : line.uuid;
      tip = add(seed, tip, line.timestamp, message(toolResult(result, unit.calls.get(callId) ?? "unknown")));
      results.set(callId, tip);
    }
    return tip;
  }

  function writeExtras(unit: Unit, tip: string | null): string | null {
    return unit.extras.reduce(
      (above, line) =>
        writeSaid(
          line,
          above,
          blocksOf(line.raw).filter((block) => block.type !== "tool_result"),
        ),
      tip,
    );
  }

  function writeSaid(line: ChainLine, tip: string | null, blocks: readonly Raw[] = blocksOf(line.raw)): string | null {
    const beside = blocks.length < blocksOf(line.raw).length;
    for (const [nth, { speaker, blocks: said }] of utterances(line.raw, blocks).entries()) {
      const content = userBlocks(said);
      if (content.length === 0) continue;
      const seed = nth > 0 || beside ? `${line.uuid}/said${nth}` : line.uuid;
      const text = content.length === 1 && content[0]!.type === "text" ? content[0]!.text : content;
      const body: Body =
        speaker === "human"
          ? message({ role: "user", content: text, timestamp: milliseconds(line.timestamp) })
          : { type: "custom_message", customType: speaker, content: text, display: false };
      tip = add(seed, tip, line.timestamp, body);
      if (speaker !== "human") texts.set(line.uuid, tip);
    }
    return tip;
  }

  function writeCompaction(unit: Unit, tip: string | null): string | null {
    const line = unit.lines[0]!;
    const summary = summaryOf(unit);
    if (summary === undefined) {
      const message = `line ${line.line} says that the conversation was compacted, but the summary is missing; nothing was cut`;
      warnings.push({ code: "summary-missing", message, line: line.line });
      return writeOther(line, tip);
    }
    const keptUnit = kept.get(unit);
    const firstKeptEntryId = keptUnit ? heads.get(keptUnit) : undefined;
    const id = add(line.uuid, tip, line.timestamp, {
      type: "compaction",
      summary,
      firstKeptEntryId: "",
      tokensBefore: tokensBefore(unit),
    });
    const entry = entries.at(-1)!;
    if (entry.type === "compaction") entry.firstKeptEntryId = firstKeptEntryId ?? id;
    return id;
  }

  function writeCleared(unit: Unit, tip: string | null): string | null {
    const line = unit.lines[0]!;
    const { calls, attachments } = clearedBy(unit);
    const edit = (targetId: string | undefined, replacement: { content: { type: "text"; text: string }[] } | null) => {
      if (targetId === undefined) return;
      const seed = `${line.uuid}/${targetId}`;
      tip = add(seed, tip, line.timestamp, {
        type: "context_edit",
        targetId,
        replacement,
        reason: "claude-code.microcompact",
      });
    };
    for (const id of calls) edit(results.get(id), { content: [{ type: "text", text: CLEARED }] });
    for (const uuid of attachments) edit(texts.get(uuid), null);
    return tip;
  }

  /** An attachment reached the model as a reminder; of anything else we only know that the chain runs through it. */
  function writeOther(line: ChainLine, tip: string | null): string {
    const { raw } = line;
    if (line.type === "attachment") {
      const attachment = objectOf(raw.attachment);
      const content = textOf(attachment.content) || JSON.stringify(attachment);
      const id = add(line.uuid, tip, line.timestamp, {
        type: "custom_message",
        customType: "claude-code.attachment",
        content,
        display: false,
      });
      texts.set(line.uuid, id);
      return id;
    }
    const customType = ["claude-code", line.type, textOf(raw.subtype)].filter((part) => part !== "").join(".");
    const data = Object.fromEntries(Object.entries(raw).filter(([key]) => !PLACING.includes(key)));
    return add(line.uuid, tip, line.timestamp, { type: "custom", customType, data });
  }
}

function message(body: Message): Body {
  return { type: "message", message: body };
}
