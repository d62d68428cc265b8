/** What is wrong with ModelMessages of the AI SDK; empty when they would be accepted. Knows nothing of our code. */
export function aiSdkFaults(request: unknown): string[] {
  const faults: string[] = [];
  const { system, messages } = request as { system?: unknown; messages: { role: string; content: Part[] }[] };
  if (system !== undefined && (typeof system !== "string" || system === "")) faults.push("system is not a text");
  const ids = new Set<string>();
  let due = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    const where = `messages.${at}`;
    if (at === 0 && role !== "user") faults.push(`${where}: the first message is not a user's`);
    if (!Array.isArray(content) || content.length === 0) faults.push(`${where}: no content`);
    if (role !== "tool" && due.size > 0) faults.push(`${where}: calls ${[...due].join()} are not answered yet`);
    if (role !== "tool") due = new Set();
    for (const part of content) {
      const fault = (PARTS[role] ?? noParts)(part);
      if (fault) faults.push(`${where}: ${fault}`);
      const id = String(part.toolCallId);
      if (part.type === "tool-result" && !due.delete(id)) faults.push(`${where}: a result without its call`);
      if (part.type !== "tool-call") continue;
      if (ids.has(id)) faults.push(`${where}: call id ${id} twice`);
      ids.add(id);
      due.add(id);
    }
    if (content.at(-1)?.type === "reasoning") faults.push(`${where}: ends in reasoning`);
  }
  if (due.size > 0) faults.push(`calls ${[...due].join()} are not answered at the end`);
  return faults;
}

type Part = Record<string, unknown>;

const noParts = () => "unknown role";

const PARTS: Record<string, (part: Part) => string | null> = {
  user(part) {
    if (part.type === "text") return textFault(part.text);
    const sound = part.type === "image" && /^[A-Za-z0-9+/]+={0,2}$/.test(String(part.image));
    return sound && String(part.mediaType).startsWith("image/") ? null : `part ${part.type}`;
  },
  assistant(part) {
    if (part.type === "text" || part.type === "reasoning") return part.type === "text" ? textFault(part.text) : null;
    if (part.type !== "tool-call") return `part ${part.type}`;
    const isObject = typeof part.input === "object" && part.input !== null && !Array.isArray(part.input);
    return isObject && typeof part.toolName === "string" && part.toolName !== "" ? null : "tool-call";
  },
  tool(part) {
    const output = part.output as { type?: string; value?: unknown } | undefined;
    if (part.type !== "tool-result" || typeof part.toolName !== "string" || part.toolName === "") return "tool-result";
    return output?.type === "text" || output?.type === "error-text" ? textFault(output.value) : "output";
  },
};

const textFault = (text: unknown) => (typeof text === "string" && text.trim() !== "" ? null : "empty text");
