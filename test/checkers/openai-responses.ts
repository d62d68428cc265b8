/** What is wrong with Responses API input items, by the provider's rules; empty when they would be accepted. Knows nothing of our code. */
export function openAiResponsesFaults(request: unknown): string[] {
  const faults: string[] = [];
  const { messages } = request as { messages: Item[] };
  const ids = new Set<string>();
  const due = new Set<string>();
  let spoken = false;
  for (const [at, item] of messages.entries()) {
    const where = `input.${at}`;
    const next = messages[at + 1];
    if ("id" in item) faults.push(`${where}: the id of a stored item`);
    if (item.type === "function_call_output") {
      if (!due.delete(String(item.call_id))) faults.push(`${where}: an output without its call`);
      if (typeof item.output !== "string" || item.output === "") {
        if (!Array.isArray(item.output)) faults.push(`${where}: output`);
        else faults.push(...partFaults(item.output).map((fault) => `${where}: ${fault}`));
      }
      continue;
    }
    const continues = item.type === "function_call" || item.type === "reasoning" || item.role === "assistant";
    if (due.size > 0 && !continues) faults.push(`${where}: calls ${[...due].join()} are not answered yet`);
    if (item.type === "function_call") {
      const id = String(item.call_id);
      if (ids.has(id) || id.length < 1 || id.length > 64) faults.push(`${where}: call_id ${id}`);
      ids.add(id);
      due.add(id);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(item.name))) faults.push(`${where}: name`);
      const parsed: unknown = JSON.parse(String(item.arguments));
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) faults.push(`${where}: arguments`);
      if (!spoken) faults.push(`${where}: the first message is not a user's`);
    } else if (item.type === "reasoning") {
      const follows = next?.type === "function_call" || next?.role === "assistant" || next?.type === "reasoning";
      if (!follows) faults.push(`${where}: reasoning without the item it belongs to`);
      if (typeof item.encrypted_content !== "string") faults.push(`${where}: encrypted_content`);
      if (!Array.isArray(item.summary)) faults.push(`${where}: summary`);
    } else if (item.role === "user") {
      spoken = true;
      faults.push(...partFaults(item.content).map((fault) => `${where}: ${fault}`));
    } else if (item.role === "assistant") {
      if (!spoken) faults.push(`${where}: the first message is not a user's`);
      if (typeof item.content !== "string" || item.content === "") faults.push(`${where}: content`);
    } else if (item.role === "system") {
      if (at !== 0 || typeof item.content !== "string" || item.content === "") faults.push(`${where}: system`);
    } else faults.push(`${where}: unknown item`);
  }
  if (due.size > 0) faults.push(`calls ${[...due].join()} are not answered at the end`);
  return faults;
}

type Item = Record<string, unknown>;

function partFaults(content: unknown): string[] {
  if (!Array.isArray(content) || content.length === 0) return ["no content"];
  return (content as Item[]).flatMap((part) => {
    if (part.type === "input_text")
      return typeof part.text === "string" && part.text.trim() !== "" ? [] : ["text part"];
    const sound = /^data:image\/(jpeg|png|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(String(part.image_url));
    return part.type === "input_image" && sound ? [] : ["image part"];
  });
}
