import type { SystemMessage } from "../session/message.ts";
import { textOf } from "./blocks.ts";

/**
 * The system message in force after all of `messages`, oldest first; undefined when there are none [X3].
 *
 * As pi replays them: contents are joined by a blank line, sections are patched by name (`null` removes), tools are
 * added and removed by name. A single message is returned as it is.
 */
export function replaySystem(messages: readonly SystemMessage[]): SystemMessage | undefined {
  if (messages.length < 2) return messages[0];
  const texts: string[] = [];
  const sections = new Map<string, string>();
  const tools = new Map<string, NonNullable<SystemMessage["toolsAdded"]>[number]>();
  for (const message of messages) {
    const text = textOf(message.content);
    if (text !== "") texts.push(text);
    for (const [name, value] of Object.entries(message.sections ?? {})) {
      if (typeof value === "string") sections.set(name, value);
      else sections.delete(name);
    }
    for (const tool of named(message.toolsRemoved)) tools.delete(tool.name);
    for (const tool of named(message.toolsAdded)) tools.set(tool.name, tool);
  }
  const timestamp = messages[0]?.timestamp;
  return {
    role: "system",
    content: texts.join("\n\n"),
    ...(sections.size > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.size > 0 && { toolsAdded: [...tools.values()] }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

/** The prompt that a system message stands for: its content, then its sections, blank lines between. */
export function systemText(message: SystemMessage): string {
  const sections = Object.values(message.sections ?? {}).filter((text) => typeof text === "string");
  return [textOf(message.content), ...sections].filter((text) => text !== "").join("\n\n");
}

/** The tools of a list that have a name; none where there is no list. */
export function named<T extends { readonly name: string }>(tools: readonly T[] | undefined): readonly T[] {
  const list: readonly (T | null)[] = Array.isArray(tools) ? tools : [];
  return list.filter((tool) => typeof tool?.name === "string") as T[];
}
