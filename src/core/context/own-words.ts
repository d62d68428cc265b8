import type { Message, UserContent } from "../session/message.ts";
import { textOf } from "./blocks.ts";

export { textOf };

/** Elements that programs put into user messages; what stands in them is not the user's [V6]. */
const INJECTED = new Set([
  "system-reminder",
  "command-name",
  "command-message",
  "command-args",
  "command-contents",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-input",
  "bash-stdout",
  "bash-stderr",
  "task-notification",
  "environment_context",
  "environment_details",
  "user_instructions",
  "permissions",
  "turn_aborted",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
  "user-prompt-submit-hook",
  "session-start-hook",
  "additional-context",
  "new-diagnostics",
  "file",
  "read-files",
  "modified-files",
]);

/** A message that begins so was written by a program. */
const SYNTHETIC = [
  "Caveat:",
  "[Request interrupted",
  "# AGENTS.md instructions",
  "This session is being continued from a previous conversation",
  "Continue if you have next steps",
  "Please continue the conversation from where we left it off",
  "Stop hook feedback",
  "Called the ",
  "The history before this point",
  "[Image: source:",
  "Base directory for this skill:",
];

/**
 * What the user typed in a user message: its text without injected elements, or "" when a program wrote it [V6].
 *
 * An injected element that is never closed reaches to the end.
 */
export function ownWords(content: UserContent): string {
  const text = textOf(content);
  const at = text.search(/\S/);
  if (at < 0 || SYNTHETIC.some((opening) => text.startsWith(opening, at))) return "";
  return text.includes("<") ? stripInjected(text).trim() : text.trim();
}

/**
 * What the user said in `message`: "" unless it is a user message that the user wrote, injected elements left out [V6].
 *
 * `synthetic` and `isMeta` mark messages that a program wrote in the user's name.
 */
export function saidByUser(message: Message): string {
  if (message?.role !== "user") return "";
  const marked = message as { synthetic?: unknown; isMeta?: unknown };
  return marked.synthetic === true || marked.isMeta === true ? "" : ownWords(message.content);
}

/** True for a user message whose words are all a program's [V6]; one without words, such as an image, is the user's. */
export function isInjected(message: Message): boolean {
  return message?.role === "user" && saidByUser(message) === "" && textOf(message.content).trim() !== "";
}

/** The text without the injected elements; what stood on either side is joined. */
export function stripInjected(text: string): string {
  let out = "";
  let from = 0;
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", open + 1)) {
    if (open < from) continue;
    const name = tagName(text, open + 1);
    if (!INJECTED.has(name)) continue;
    out += text.slice(from, open);
    const close = text.indexOf(`</${text.slice(open + 1, open + 1 + name.length)}>`, open);
    from = close < 0 ? text.length : close + name.length + 3;
    if (from >= text.length) break;
  }
  return out + text.slice(from);
}

function tagName(text: string, at: number): string {
  let end = at;
  while (end < text.length && end - at < 32 && /[\w-]/.test(text[end] as string)) end++;
  return text.slice(at, end).toLowerCase();
}
