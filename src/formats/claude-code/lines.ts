/** A JSON object as Claude Code wrote it; any field may be missing or of another type. */
export type Raw = Record<string, unknown>;

/** One line of the conversation's chain. */
export interface ChainLine {
  /** Place among the chained lines. */
  readonly at: number;
  /** Place in the file, 1-based. */
  readonly line: number;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly type: string;
  /** Which conversation of the file it belongs to: empty for the main one, else the subagent's. */
  readonly lane: string;
  readonly timestamp: string;
  readonly raw: Raw;
}

/** What one record is good for. */
export type LineKind = "chain" | "pass" | "title" | "interface" | "unknown";

/** Lines that only the interface of Claude Code reads; the model never saw them. */
const INTERFACE_TYPES = new Set([
  "file-history-snapshot",
  "queue-operation",
  "pr-link",
  "mode",
  "last-prompt",
  "progress",
]);
const INTERFACE_SYSTEM = new Set(["stop_hook_summary", "turn_duration"]);
const TITLE_TYPES = new Set(["summary", "ai-title", "custom-title"]);

/** `pass`: an interface line that others hang from, so the chain runs through it. */
export function kindOf(raw: Raw): LineKind {
  const type = textOf(raw.type);
  const chained = typeof raw.uuid === "string" && raw.uuid !== "";
  if (TITLE_TYPES.has(type)) return "title";
  if (INTERFACE_TYPES.has(type) || (type === "system" && INTERFACE_SYSTEM.has(textOf(raw.subtype)))) {
    return chained ? "pass" : "interface";
  }
  return chained ? "chain" : "unknown";
}

/** True for a record that only Claude Code writes. */
export function isClaudeCode(raw: Raw): boolean {
  if (typeof raw.uuid === "string" && "parentUuid" in raw) return true;
  switch (raw.type) {
    case "summary":
      return typeof raw.leafUuid === "string";
    case "file-history-snapshot":
      return typeof raw.messageId === "string";
    default:
      return (
        typeof raw.sessionId === "string" &&
        (INTERFACE_TYPES.has(textOf(raw.type)) || TITLE_TYPES.has(textOf(raw.type)))
      );
  }
}

export function laneOf(raw: Raw): string {
  return raw.isSidechain === true ? textOf(raw.agentId) || "sidechain" : "";
}

/** The value when it is a string, else the empty string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value when it is an object, else an empty one. */
export function objectOf(value: unknown): Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Raw) : {};
}

/** The objects of an array; anything else gives none. */
export function objectsOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter((one): one is Raw => typeof one === "object" && one !== null) : [];
}

/** The blocks of a message, a plain string as one text block. */
export function blocksOf(raw: Raw): Raw[] {
  const content = objectOf(raw.message).content;
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

/** The API's id of an assistant line's message; undefined for text that no model wrote. */
export function messageIdOf(raw: Raw): string | undefined {
  const message = objectOf(raw.message);
  return typeof message.id === "string" && !isSynthetic(raw) ? message.id : undefined;
}

/** Text in the assistant's place that Claude Code wrote itself: an API error, `No response requested.` */
export function isSynthetic(raw: Raw): boolean {
  return raw.isApiErrorMessage === true || objectOf(raw.message).model === "<synthetic>";
}
