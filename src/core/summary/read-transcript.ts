import type { ContextMessage } from "../context/projection.ts";
import type { AssistantMessage, Message, ToolCallBlock } from "../session/message.ts";

/** `[User #a1b2c3d4]: ` where a paragraph begins; in content such a line has a backslash before it. */
const HEADER =
  /^\[(User|Note|Developer|Extension [^\]\n#]{0,200}?|Assistant|Assistant thinking|Assistant tool calls|Tool result|Tool error|User command|User Python|User file|Summary of another branch|Earlier summary)(?: #([^\s\]]{1,200}))?\]: /gm;
/** Of an assistant's message, in the order of the transcript. */
const PARTS = ["Assistant thinking", "Assistant", "Assistant tool calls"];
/** Calls that may still get their result. */
const MOST_OPEN = 256;
const EXIT = /\n\((?:exit code (\d{1,4})|(cancelled))\)$/;

/**
 * The messages that a transcript was made of, as far as it shows them: the way back from `serializeConversation` [M2].
 *
 * Serialised again they give the same text. Ids are those of the headers, else empty. What stands before the first
 * header, or a text without any, is one user message. Total and linear.
 */
export function readTranscript(text: string): ContextMessage[] {
  const heads = [...text.matchAll(HEADER)].filter(
    ({ index }) => index === 0 || (text[index - 1] === "\n" && text[index - 2] === "\n"),
  );
  const first = text.slice(0, heads[0]?.index ?? text.length).trim();
  const messages: ContextMessage[] = first === "" ? [] : [{ entryId: "", message: user(first) }];
  const open: ToolCallBlock[] = [];
  let stage = -1;
  heads.forEach((head, at) => {
    const [whole, title = "", entryId = ""] = head;
    const body = withoutEndBreaks(text.slice(head.index + whole.length, heads[at + 1]?.index ?? text.length));
    const part = PARTS.indexOf(title);
    const last = messages.at(-1);
    if (part >= 0) {
      const blocks = assistantBlocks(title, body, messages.length);
      open.push(...blocks.filter((block) => block.type === "toolCall").slice(0, MOST_OPEN));
      open.splice(0, Math.max(0, open.length - MOST_OPEN));
      if (part > stage && stage >= 0 && last?.entryId === entryId && last.message.role === "assistant") {
        for (const block of blocks) last.message.content.push(block);
      } else messages.push({ entryId, message: { role: "assistant", content: blocks } });
      stage = part;
      return;
    }
    stage = -1;
    const synthetic = title === "Note" && { synthetic: true as const };
    messages.push({ entryId, message: messageOf(title, body, open), ...synthetic });
  });
  return messages;
}

const user = (content: string): Message => ({ role: "user", content });

/** A pattern for it would look at each run of breaks once for each of them. */
function withoutEndBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

function messageOf(title: string, body: string, open: ToolCallBlock[]): Message {
  switch (title) {
    case "Developer":
      return { role: "developer", content: body };
    case "Tool result":
    case "Tool error":
      return toolResult(body, title === "Tool error", open);
    case "User command": {
      const { ran, ...rest } = execution(body.replace(/^\$ /, ""));
      return { role: "bashExecution", command: ran, ...rest };
    }
    case "User Python": {
      const { ran, ...rest } = execution(body);
      return { role: "pythonExecution", code: ran, ...rest };
    }
    case "User file": {
      const [path, content] = parted(body);
      return { role: "fileMention", files: [{ path, content }] };
    }
    case "Summary of another branch":
      return { role: "branchSummary", summary: body, fromId: "" };
    case "Earlier summary":
      return { role: "compactionSummary", summary: body, tokensBefore: 0 };
    default:
      if (!title.startsWith("Extension ")) return user(body);
      return { role: "custom", customType: title.slice("Extension ".length), content: body };
  }
}

function toolResult(body: string, isError: boolean, open: ToolCallBlock[]): Message {
  const [, toolName = "", text = ""] = /^([^\n]{0,200}?) → ?([\s\S]*)$/.exec(body) ?? ["", "", body];
  const at = open.findIndex((call) => call.name === toolName);
  const [call] = at < 0 ? [] : open.splice(at, 1);
  return { role: "toolResult", toolCallId: call?.id ?? "", toolName, content: [{ type: "text", text }], isError };
}

/** The first line is what ran; of a longer one the rest counts as output, which loses nothing. */
function execution(body: string) {
  const [, code, cancelled] = EXIT.exec(body) ?? [];
  const [ran, output] = parted(body.replace(EXIT, ""));
  return { ran, output, ...(code !== undefined && { exitCode: Number(code) }), ...(cancelled && { cancelled: true }) };
}

function parted(body: string): [first: string, rest: string] {
  const end = body.indexOf("\n");
  return end < 0 ? [body, ""] : [body.slice(0, end), body.slice(end + 1)];
}

function assistantBlocks(title: string, body: string, message: number): AssistantMessage["content"] {
  if (title === "Assistant thinking") return [{ type: "thinking", thinking: body }];
  const calls = title === "Assistant" ? undefined : callsIn(body, message);
  return calls ?? [{ type: "text", text: body }];
}

/** `name(key=JSON, …); …`, or undefined when it is not all of that form, as after a cut. */
function callsIn(body: string, message: number): ToolCallBlock[] | undefined {
  const calls: ToolCallBlock[] = [];
  for (let at = 0; at < body.length; ) {
    const opening = body.indexOf("(", at);
    if (opening < 0) return undefined;
    const args: [name: string, value: unknown][] = [];
    let next = opening + 1;
    while (body[next] !== ")") {
      const equals = body.indexOf("=", next);
      if (equals < 0) return undefined;
      const end = endOfValue(body, equals + 1);
      const value = parsed(body.slice(equals + 1, end));
      if (value === undefined) return undefined;
      args.push([body.slice(next, equals), value.json]);
      next = body.startsWith(", ", end) ? end + 2 : end;
      if (next === end && body[next] !== ")") return undefined;
    }
    const id = `${message}-${calls.length}`;
    calls.push({ type: "toolCall", id, name: body.slice(at, opening), arguments: Object.fromEntries(args) });
    at = next + 1;
    if (at < body.length && !body.startsWith("; ", at)) return undefined;
    at += 2;
  }
  return calls;
}

/** Offset after the JSON value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (char === "{" || char === "[") depth++;
    else if (depth > 0 && (char === "}" || char === "]")) depth--;
    else if (depth === 0 && (char === "," || char === ")")) return at;
  }
  return text.length;
}

function parsed(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
