/** What is wrong with Chat Completions messages, by the provider's rules; empty when they would be accepted. Knows nothing of our code. */
export function openAiChatFaults(request: unknown): string[] {
  const faults: string[] = [];
  const { messages } = request as { messages: Chat[] };
  const ids = new Set<string>();
  let due: string[] = [];
  let spoken = false;
  for (const [at, message] of messages.entries()) {
    const where = `messages.${at}`;
    if (message.role === "tool") {
      const due0 = due.indexOf(String(message.tool_call_id));
      if (due0 < 0) faults.push(`${where}: a tool message without its call`);
      else due.splice(due0, 1);
      if (typeof message.content !== "string" || message.content === "") faults.push(`${where}: tool content`);
      continue;
    }
    if (due.length > 0) faults.push(`${where}: calls ${due.join()} are not answered yet`);
    due = [];
    switch (message.role) {
      case "system":
        if (at !== 0) faults.push(`${where}: a system message that does not lead`);
        if (typeof message.content !== "string" || message.content === "") faults.push(`${where}: system content`);
        break;
      case "user":
        spoken = true;
        faults.push(...userFaults(message.content).map((fault) => `${where}: ${fault}`));
        break;
      case "assistant": {
        if (!spoken) faults.push(`${where}: the first message is not a user's`);
        const calls = message.tool_calls ?? [];
        if (message.tool_calls?.length === 0) faults.push(`${where}: empty tool_calls`);
        if (typeof message.content !== "string" && message.content !== null) faults.push(`${where}: assistant content`);
        if (message.content === null && calls.length === 0) faults.push(`${where}: says and calls nothing`);
        for (const call of calls) {
          if (ids.has(call.id)) faults.push(`${where}: id ${call.id} twice`);
          ids.add(call.id);
          due.push(call.id);
          faults.push(...callFaults(call).map((fault) => `${where}: ${fault}`));
        }
        break;
      }
      default:
        faults.push(`${where}: role ${message.role}`);
    }
  }
  if (due.length > 0) faults.push(`calls ${due.join()} are not answered at the end`);
  return faults;
}

interface Call {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

interface Chat {
  role: string;
  content: unknown;
  tool_call_id?: string;
  tool_calls?: Call[];
}

function callFaults(call: Call): string[] {
  const faults: string[] = [];
  if (typeof call.id !== "string" || call.id.length < 1 || call.id.length > 40) faults.push("call id");
  if (call.type !== "function") faults.push("call type");
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) faults.push("function name");
  const parsed: unknown = JSON.parse(call.function.arguments);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) faults.push("arguments are no object");
  return faults;
}

function userFaults(content: unknown): string[] {
  if (typeof content === "string") return content.trim() === "" ? ["empty user content"] : [];
  if (!Array.isArray(content) || content.length === 0) return ["no user content"];
  return (content as { type: string; text?: string; image_url?: { url?: string } }[]).flatMap((part) => {
    if (part.type === "text")
      return typeof part.text === "string" && part.text.trim() !== "" ? [] : ["empty text part"];
    const url = part.image_url?.url ?? "";
    const sound = /^data:image\/(jpeg|png|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(url);
    return part.type === "image_url" && sound ? [] : ["image part"];
  });
}
