import { COMPACT_TOOL } from "../core/context/compact-tool.ts";
import type { ToolResultMessage } from "../core/session/message.ts";
import type { MaintainOutcome } from "../engine/maintain.ts";
import type { Session } from "../engine/session.ts";
import type { CompactReply } from "./tools/compact.ts";

/** What the model asked of the `compact` tool and has not got yet [R8]. */
export interface CompactCalls {
  readonly isWaiting: boolean;
  /** Answers a call; nothing runs before its batch is complete. */
  request(toolCallId: string, focus?: string): CompactReply;
  /** The result of a call is stored as this entry. */
  answered(result: ToolResultMessage, entryId: string | undefined): void;
  /** The user said something, so that there is something new. */
  asked(): void;
  /** Something replaced the history just now. */
  compacted(): void;
  /** What all waiting calls want kept, once each; they wait no longer. */
  take(): CompactBatch;
}

export interface CompactBatch {
  readonly focus: string;
  readonly entryIds: readonly string[];
}

const JUST_COMPACTED = "the conversation was compacted just now, and nothing has been added since";

export function createCompactCalls(): CompactCalls {
  let waiting = new Map<string, { focus: string; entryId?: string }>();
  let isFresh = false;
  return {
    get isWaiting() {
      return waiting.size > 0;
    },
    request(toolCallId, focus = "") {
      if (isFresh) return { accepted: false, because: JUST_COMPACTED };
      waiting.set(toolCallId, { focus: focus.trim() });
      return { accepted: true };
    },
    answered({ toolCallId, toolName }, entryId) {
      if (toolName !== COMPACT_TOOL.name) isFresh = false;
      const call = waiting.get(toolCallId);
      if (call) waiting.set(toolCallId, { ...call, ...(entryId !== undefined && { entryId }) });
    },
    asked() {
      isFresh = false;
    },
    compacted() {
      isFresh = true;
    },
    take() {
      const calls = [...waiting.values()];
      waiting = new Map();
      const wishes = new Set(calls.map(({ focus }) => focus).filter((focus) => focus !== ""));
      const entryIds = calls.map(({ entryId }) => entryId).filter((id) => id !== undefined);
      return { focus: [...wishes].join("\n"), entryIds };
    },
  };
}

/** Nothing; says in the results of the calls what became of them, where they are still seen. */
export async function tellCalls(session: Session, { entryIds }: CompactBatch, text: string): Promise<void> {
  const { messages } = await session.context();
  const seen = new Set(messages.map(({ entryId }) => entryId));
  const edits = entryIds
    .filter((id) => seen.has(id))
    .map((targetId) => ({
      type: "context_edit" as const,
      targetId,
      replacement: { content: [{ type: "text", text }] },
      reason: COMPACT_TOOL.name,
    }));
  if (edits.length > 0) await session.append(...edits);
}

/** What the model reads about the compaction that it asked for. */
export function resultText({ compaction, message }: MaintainOutcome): string {
  switch (compaction?.status) {
    case "compacted":
      return `Compacted: ${compaction.result.tokensBefore} tokens before, ${compaction.result.tokensAfter} after.`;
    case "skipped":
      return "Not compacted: there is too little to replace.";
    case "cancelled":
      return "Not compacted: it was cancelled.";
    default:
      return `Not compacted: ${message ?? "there was nothing to do."}`;
  }
}
