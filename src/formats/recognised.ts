import type { Head } from "./head.ts";

/** A format that is known by its content and cannot be read by this version. */
interface Recognised {
  readonly title: string;
  detect(head: Head): boolean;
}

const holds = (head: Head, ...keys: string[]) => keys.every((key) => head.text.includes(`"${key}"`));
const opens = (head: Head, bracket: string) => head.text.trimStart().startsWith(bracket);
const some = (head: Head, test: (record: Record<string, unknown>) => boolean) => head.records.some(test);

/** Formats that we can name, most particular first, so that the error can say what the file is. */
export const RECOGNISED: readonly Recognised[] = [
  {
    title: "Codex rollout",
    detect: (head) =>
      some(head, ({ type, payload }) => isCodexEnvelope(type) && typeof payload === "object") ||
      some(head, (record) => record.record_type === "state") ||
      /^\s*\{[^{}]{0,300}"type"\s*:\s*"session_meta"/.test(head.text),
  },
  { title: "opencode database", detect: (head) => head.text.startsWith("SQLite format 3") },
  { title: "opencode export", detect: (head) => opens(head, "{") && holds(head, "info", "projectID", "version") },
  {
    title: "mini-swe-agent trajectory",
    detect: (head) =>
      opens(head, "{") && (holds(head, "mini_version") || holds(head, "info", "exit_status", "submission")),
  },
  {
    title: "SWE-agent trajectory",
    detect: (head) =>
      opens(head, "{") &&
      (holds(head, "trajectory", "action", "observation") || holds(head, "environment", "trajectory")),
  },
  { title: "tau-bench result", detect: (head) => opens(head, "[") && holds(head, "task_id", "reward") },
  {
    title: "OpenHands log",
    detect: (head) =>
      (opens(head, "{") &&
        holds(head, "messages", "role") &&
        /"(kwargs|context_window|raw_messages)"/.test(head.text)) ||
      some(head, (record) => record.kind === "SystemPromptEvent"),
  },
  { title: "OpenAI Responses log", detect: (head) => opens(head, "{") && holds(head, "object", "output", "response") },
  {
    title: "Anthropic Messages log",
    detect: (head) => holds(head, "role", "content") && /"type"\s*:\s*"(tool_use|tool_result|message)"/.test(head.text),
  },
  {
    title: "array of chat messages",
    detect: (head) =>
      (opens(head, "[") && holds(head, "role", "content")) || holds(head, "messages", "role", "content"),
  },
];

function isCodexEnvelope(type: unknown): boolean {
  return type === "session_meta" || type === "response_item" || type === "event_msg" || type === "turn_context";
}
