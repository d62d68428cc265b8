/**
 * Messages as they are stored: pi's version 3 shapes [S2].
 *
 * Roles, blocks and fields that are not listed here survive a load and save unchanged; they are held under these types
 * all the same, so every `switch` over `role` or `type` needs a default.
 */

export interface TextBlock {
  type: "text";
  text: string;
  textSignature?: string;
}

/** `data` is base64. */
export interface ImageBlock {
  type: "image";
  data: string;
  mimeType: string;
}

export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  thinkingSignature?: string;
  redacted?: boolean;
}

export interface ToolCallBlock {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  thoughtSignature?: string;
}

export type UserContent = string | (TextBlock | ImageBlock)[];

/** Tokens as the provider reported them; `cost` in US dollars. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens?: number;
  cost?: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

export interface UserMessage {
  role: "user";
  content: UserContent;
  timestamp?: number;
}

export interface AssistantMessage {
  role: "assistant";
  content: (TextBlock | ThinkingBlock | ToolCallBlock)[];
  api?: string;
  provider?: string;
  model?: string;
  usage?: Usage;
  stopReason?: StopReason;
  errorMessage?: string;
  timestamp?: number;
}

export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextBlock | ImageBlock)[];
  details?: unknown;
  isError: boolean;
  timestamp?: number;
}

/** pi 1.x: `sections`, `toolsAdded` and `toolsRemoved` patch the prompt in force; replaying all of them gives it. */
export interface SystemMessage {
  role: "system";
  content: string | TextBlock[];
  sections?: Record<string, string | null>;
  toolsAdded?: { name: string; description?: string; parameters?: unknown }[];
  toolsRemoved?: { name: string }[];
  timestamp?: number;
}

export interface DeveloperMessage {
  role: "developer";
  content: UserContent;
  timestamp?: number;
}

export interface BashExecutionMessage {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number | null;
  cancelled?: boolean;
  truncated?: boolean;
  fullOutputPath?: string;
  excludeFromContext?: boolean;
  timestamp?: number;
}

export interface PythonExecutionMessage {
  role: "pythonExecution";
  code: string;
  output: string;
  exitCode?: number | null;
  cancelled?: boolean;
  truncated?: boolean;
  excludeFromContext?: boolean;
  timestamp?: number;
}

export interface FileMentionMessage {
  role: "fileMention";
  files: { path: string; content?: string; image?: ImageBlock }[];
  timestamp?: number;
}

/** An extension's message; the legacy role `hookMessage` is migrated to it. */
export interface CustomRoleMessage {
  role: "custom";
  customType: string;
  content: UserContent;
  display?: boolean;
  details?: unknown;
  timestamp?: number;
}

export interface BranchSummaryMessage {
  role: "branchSummary";
  summary: string;
  fromId: string;
  timestamp?: number;
}

export interface CompactionSummaryMessage {
  role: "compactionSummary";
  summary: string;
  tokensBefore: number;
  timestamp?: number;
}

export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | SystemMessage
  | DeveloperMessage
  | BashExecutionMessage
  | PythonExecutionMessage
  | FileMentionMessage
  | CustomRoleMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

/** What a provider is sent: the special roles are gone, see `convertToLlm` [X4]. */
export type LlmMessage = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

export type Role = Message["role"];
