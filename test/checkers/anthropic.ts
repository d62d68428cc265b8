/** What is wrong with a Messages API request, by the provider's rules; empty when it would be accepted. Knows nothing of our code. */
export function anthropicFaults(request: unknown): string[] {
  const faults: string[] = [];
  const { system, messages } = request as { system?: unknown; messages: { role: string; content: Block[] }[] };
  if (system !== undefined && (typeof system !== "string" || system.trim() === "")) faults.push("system is not a text");
  const ids = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    const where = `messages.${at}`;
    const before = messages[at - 1];
    if (role !== "user" && role !== "assistant") faults.push(`${where}: role ${role}`);
    if (at === 0 && role !== "user") faults.push(`${where}: the first message is not a user's`);
    if (before?.role === role) faults.push(`${where}: two messages of role ${role} in a row`);
    if (!Array.isArray(content) || content.length === 0) faults.push(`${where}: no content`);
    let pastResults = false;
    for (const [index, block] of content.entries()) {
      const fault = role === "user" ? userBlockFault(block) : assistantBlockFault(block);
      if (fault) faults.push(`${where}.content.${index}: ${fault}`);
      if (block.type !== "tool_result") pastResults = true;
      else if (pastResults) faults.push(`${where}.content.${index}: a result after other content`);
      if (block.type === "tool_use") {
        if (ids.has(String(block.id))) faults.push(`${where}.content.${index}: tool_use ids must be unique`);
        ids.add(String(block.id));
      }
    }
    const last = content.at(-1);
    if (last?.type === "thinking" || last?.type === "redacted_thinking") faults.push(`${where}: ends in thinking`);
    if (role === "assistant" && at === messages.length - 1 && last?.type === "text" && /\s$/.test(String(last.text))) {
      faults.push(`${where}: trailing white space in the final assistant text`);
    }
    const asked = before?.role === "assistant" ? idsOf(before.content, "tool_use", "id") : [];
    const answered = idsOf(content, "tool_result", "tool_use_id");
    if (role === "user" && [...asked].sort().join() !== [...answered].sort().join()) {
      faults.push(`${where}: calls ${asked.join()} answered by ${answered.join()}`);
    }
    const isLast = at === messages.length - 1;
    if (role === "assistant" && isLast && idsOf(content, "tool_use", "id").length > 0) {
      faults.push(`${where}: calls without results at the end`);
    }
  }
  return faults;
}

type Block = { type: string } & Record<string, unknown>;

const MEDIA = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function idsOf(content: Block[], type: string, field: string): string[] {
  return content.filter((block) => block.type === type).map((block) => String(block[field]));
}

function userBlockFault(block: Block): string | null {
  if (block.type === "text" || block.type === "image") return plainFault(block);
  if (block.type !== "tool_result") return `block ${block.type} in a user message`;
  if (!isId(block.tool_use_id)) return "a result without an id";
  if (!Array.isArray(block.content) || block.content.length === 0) return "a result without content";
  for (const part of block.content as Block[]) {
    if (part.type === "image" && block.is_error === true) return "an image in an error result";
    const fault = plainFault(part);
    if (fault) return fault;
  }
  return null;
}

function assistantBlockFault(block: Block): string | null {
  switch (block.type) {
    case "text":
      return plainFault(block);
    case "thinking":
      return typeof block.signature === "string" && block.signature !== "" ? null : "thinking without a signature";
    case "redacted_thinking":
      return typeof block.data === "string" && block.data !== "" ? null : "redacted thinking without data";
    case "tool_use":
      if (!isId(block.id)) return "tool_use id";
      if (typeof block.name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(block.name)) return "tool_use name";
      return isPlainObject(block.input) ? null : "tool_use input is not an object";
    default:
      return `block ${block.type} in an assistant message`;
  }
}

function plainFault(block: Block): string | null {
  if (block.type === "text") {
    return typeof block.text === "string" && block.text.trim() !== "" ? null : "an empty text block";
  }
  if (block.type !== "image") return `block ${block.type}`;
  const source = block.source as { type?: string; media_type?: string; data?: string };
  const sound = source.type === "base64" && MEDIA.includes(source.media_type ?? "");
  return sound && /^[A-Za-z0-9+/]+={0,2}$/.test(source.data ?? "") ? null : "an image that is none";
}

const isId = (value: unknown) => typeof value === "string" && /^[a-zA-Z0-9_-]{1,64}$/.test(value);
const isPlainObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
