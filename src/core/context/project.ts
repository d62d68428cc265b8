import type { Warning } from "../../errors.ts";
import type { CompactionEntry, ContextEditEntry, Entry } from "../session/entry.ts";
import type { Message, SystemMessage } from "../session/message.ts";
import { isBlank, isBlankAssistant, toolCallsOf } from "./blocks.ts";
import { editedMessage, editsInForce } from "./edits.ts";
import { type LiveSpan, liveSpanOf } from "./live.ts";
import type { ContextMessage, Dropped, ModelRef, Projection } from "./projection.ts";
import { type Candidate, repair } from "./repair.ts";
import { settingsOf } from "./settings-of.ts";
import { replaySystem } from "./system.ts";

/**
 * What the model sees of a path [X1]: its messages in order, each with the entry it comes from.
 *
 * `path` is the whole path, oldest first, or a suffix that a live scan found enough; both give the same messages.
 * The newest compaction that is not undone rules [X2]; all system messages in force become one that leads [X3]; edits
 * apply, the newest wins [S3]; the result is acceptable to a provider [X5]. Appending to the path only appends
 * messages, except at maintenance points and when a system message is added [X7]. Deterministic, linear, never throws
 * on odd content.
 */
export function projectContext(path: readonly Entry[]): Projection {
  const span = liveSpanOf(path);
  const { compaction } = span;
  const entries = path.slice(path.length - span.length);
  const live = entries.filter((entry) => entry !== compaction);
  const edits = editsInForce(live, compaction === null);
  const system = systemOf(entries, compaction);

  const candidates: Candidate[] = [];
  const dropped: Dropped[] = [...system.dropped];
  if (compaction) candidates.push({ entryId: compaction.id, message: summaryMessage(compaction) });
  for (const entry of live) {
    const candidate = candidateOf(entry, edits.byTarget.get(entry.id));
    if (candidate) candidates.push(candidate);
    else if (entry.type === "compaction") dropped.push({ entryId: entry.id, why: whyNot(entry, span) });
    else if (entry.type === "branch_summary") dropped.push({ entryId: entry.id, why: "empty" });
    else if (entry.type === "message" && entry.message?.role !== "system") {
      dropped.push({ entryId: entry.id, why: "unknown-role" });
    }
  }
  const repaired = repair(candidates);
  for (const drop of repaired.dropped) dropped.push(drop);
  return {
    messages: system.leading ? [system.leading, ...repaired.messages] : repaired.messages,
    live,
    compaction,
    dropped,
    edits: new Map(Array.from(edits.byTarget, ([target, edit]) => [target, edit.id])),
    ...(system.message && { systemMessage: system.message }),
    ...settingsOf(path),
    warnings: [...danglingWarning(span), ...edits.warnings, ...repaired.warnings],
  };
}

/**
 * The plain messages of a path with model and thinking level, as pi's function of this name gives them.
 *
 * `thinkingLevel` is `off` where the path does not tell.
 */
export function buildSessionContext(path: readonly Entry[]): {
  messages: Message[];
  model: ModelRef | null;
  thinkingLevel: string;
} {
  const { messages, model, thinkingLevel } = projectContext(path);
  return { messages: messages.map(({ message }) => message), model, thinkingLevel: thinkingLevel ?? "off" };
}

/** The message that an entry gives by itself, under `edit`; null when it gives none by its type or role. */
export function candidateOf(entry: Entry, edit?: ContextEditEntry): Candidate | null {
  const { id: entryId } = entry;
  const message = messageOf(entry);
  if (message === null) return null;
  if (edit?.replacement === null) return { entryId, message, leaves: "omitted-by-edit" };
  const current = edit ? editedMessage(message, edit) : message;
  const kept = edit ? new Set(toolCallsOf(current).map((call) => call.id)) : null;
  const retracted = kept ? toolCallsOf(message).filter((call) => !kept.has(call.id)) : [];
  const leaves = whyLeftOut(current);
  return {
    entryId,
    message: current,
    ...(edit && { edited: true }),
    ...(leaves && { leaves }),
    ...(retracted.length > 0 && { retracted }),
  };
}

function messageOf(entry: Entry): Message | null {
  switch (entry.type) {
    case "message":
      return isKnownRole(entry.message?.role) ? entry.message : null;
    case "custom_message":
      return {
        role: "custom",
        customType: entry.customType,
        content: entry.content,
        ...(entry.display !== undefined && { display: entry.display }),
        ...(entry.details !== undefined && { details: entry.details }),
        ...timeOf(entry),
      };
    case "branch_summary":
      if (typeof entry.summary !== "string" || entry.summary.trim() === "") return null;
      return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, ...timeOf(entry) };
    default:
      return null;
  }
}

function summaryMessage(entry: CompactionEntry): Message {
  const summary = typeof entry.summary === "string" ? entry.summary : "";
  return { role: "compactionSummary", summary, tokensBefore: entry.tokensBefore, ...timeOf(entry) };
}

function timeOf(entry: Entry): { timestamp?: number } {
  const timestamp = Date.parse(entry.timestamp);
  return Number.isFinite(timestamp) ? { timestamp } : {};
}

const ROLES = new Set<unknown>([
  "user",
  "developer",
  "assistant",
  "toolResult",
  "bashExecution",
  "pythonExecution",
  "fileMention",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

const isKnownRole = (role: unknown) => ROLES.has(role);

function whyLeftOut(message: Message): Dropped["why"] | undefined {
  switch (message.role) {
    case "assistant":
      if (message.stopReason === "error") return "failed-attempt";
      if (message.stopReason === "aborted") return "aborted-attempt";
      return isBlankAssistant(message) ? "empty" : undefined;
    case "user":
    case "developer":
    case "custom":
      return isBlank(message.content) ? "empty" : undefined;
    case "bashExecution":
    case "pythonExecution":
      return message.excludeFromContext === true ? "excluded" : undefined;
    case "fileMention":
      return Array.isArray(message.files) && message.files.length > 0 ? undefined : "empty";
    case "branchSummary":
      return typeof message.summary === "string" && message.summary.trim() !== "" ? undefined : "empty";
    default:
      return undefined;
  }
}

function whyNot(entry: CompactionEntry, span: LiveSpan): Dropped["why"] {
  return span.undone.has(entry.id) ? "undone-compaction" : "superseded-compaction";
}

/** The one system message that leads, and the entries that it replaces [X3]. */
function systemOf(entries: readonly Entry[], compaction: CompactionEntry | null) {
  const carried = compaction?.systemMessage;
  const messages: SystemMessage[] = carried ? [carried] : [];
  const dropped: Dropped[] = [];
  let entryId = carried && compaction ? compaction.id : null;
  let superseded = carried !== undefined;
  for (const entry of entries) {
    if (entry === compaction) superseded = false;
    if (entry.type !== "message" || entry.message?.role !== "system") continue;
    if (superseded) dropped.push({ entryId: entry.id, why: "superseded-system" });
    else {
      messages.push(entry.message);
      entryId ??= entry.id;
    }
  }
  const message = replaySystem(messages);
  const leading: ContextMessage | null = message && entryId !== null ? { entryId, message } : null;
  return { message, leading, dropped };
}

function danglingWarning({ dangling, compaction, length }: LiveSpan): Warning[] {
  if (!dangling || !compaction) return [];
  const message =
    `Entry ${compaction.id}: firstKeptEntryId ${compaction.firstKeptEntryId} is not on the path; ` +
    `the ${length - 1} entries since the compaction before it are shown.`;
  return [{ code: "first-kept-missing", message, entryId: compaction.id }];
}
