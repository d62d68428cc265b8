import type { Message, SystemMessage, Usage, UserContent } from "./message.ts";

/** The session version this program reads and writes [S1]. */
export const SESSION_VERSION = 3;

/** First line of a session file; not part of the tree. `version` is absent in version 1. */
export interface SessionHeader {
  type: "session";
  version?: number;
  id: string;
  timestamp: string;
  cwd: string;
  parentSession?: string;
}

/** `timestamp` is ISO 8601; `parentId` is `null` for a root. */
export interface EntryBase {
  id: string;
  parentId: string | null;
  timestamp: string;
}

export interface MessageEntry extends EntryBase {
  type: "message";
  message: Message;
}

/** A message put in by an extension; reaches the model as role `custom`. */
export interface CustomMessageEntry extends EntryBase {
  type: "custom_message";
  customType: string;
  content: UserContent;
  display?: boolean;
  details?: unknown;
}

/** State of an extension, or one of the `espalier.*` markers; never reaches the model. */
export interface CustomEntry extends EntryBase {
  type: "custom";
  customType: string;
  data?: unknown;
}

/** Cumulative and sorted; `readFiles` excludes modified ones [F3]. Other fields belong to whoever wrote the entry. */
export interface SummaryDetails {
  readFiles?: string[];
  modifiedFiles?: string[];
  [key: string]: unknown;
}

/** How a summary was made: by a model, by the embedded summariser, by a remote endpoint, or by an extension. */
export type SummaryMethod = "llm" | "extractive" | "remote" | "hook";

/** History before `firstKeptEntryId` is replaced by `summary`; equal to the entry's own id it keeps nothing [S3, X2]. */
export interface CompactionEntry extends EntryBase {
  type: "compaction";
  summary: string;
  shortSummary?: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  tokensAfter?: number;
  details?: SummaryDetails;
  preserveData?: Record<string, unknown>;
  fromExtension?: boolean;
  fromHook?: boolean;
  systemMessage?: SystemMessage;
  method?: SummaryMethod;
  model?: string;
  usage?: Usage;
}

/** What another branch holds. `fromId` is its leaf, or `root` when that is not in this file [S3]. */
export interface BranchSummaryEntry extends EntryBase {
  type: "branch_summary";
  fromId: string;
  summary: string;
  details?: SummaryDetails;
  fromExtension?: boolean;
  fromHook?: boolean;
  usage?: Usage;
}

/** `null` omits the target from the model's context; otherwise its content is replaced. The newest edit wins [S3]. */
export interface ContextEditEntry extends EntryBase {
  type: "context_edit";
  targetId: string;
  replacement: { content: UserContent | Record<string, unknown>[] } | null;
  reason?: string;
}

/** oh-my-pi writes `model: "provider/id"`, pi writes `provider` and `modelId`; both are read. */
export interface ModelChangeEntry extends EntryBase {
  type: "model_change";
  provider?: string;
  modelId?: string;
  model?: string;
  role?: string;
}

export interface ThinkingLevelChangeEntry extends EntryBase {
  type: "thinking_level_change";
  thinkingLevel: string;
}

/** An absent or empty `label` clears the one set before. */
export interface LabelEntry extends EntryBase {
  type: "label";
  targetId: string;
  label?: string;
}

export interface SessionInfoEntry extends EntryBase {
  type: "session_info";
  name?: string;
}

/** Tokens spent outside assistant messages; `kind` names the operation. */
export interface UsageEntry extends EntryBase {
  type: "usage";
  kind: string;
  provider: string;
  model: string;
  usage: Usage;
}

/**
 * One stored record [S2]. A record of unknown type is held under this type too, with all its fields, and never reaches
 * the model: every `switch` over `type` needs a default.
 */
export type Entry =
  | MessageEntry
  | CustomMessageEntry
  | CustomEntry
  | CompactionEntry
  | BranchSummaryEntry
  | ContextEditEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | LabelEntry
  | SessionInfoEntry
  | UsageEntry;

export type EntryType = Entry["type"];

/** Custom types of the engine's own markers. */
export const LEAF_MARKER = "espalier.leaf";
export const UNDO_MARKER = "espalier.undo";
export const REDO_MARKER = "espalier.redo";
export const PRUNE_MARKER = "espalier.prune";

/** What the tree knows of an entry without its body. `role` is set for `message` entries whose role was seen. */
export interface EntryMeta {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly role?: string;
}
