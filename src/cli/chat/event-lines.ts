import type { AgentSessionEvent } from "../../agent/index.ts";

/**
 * An event as `--json` prints it, or undefined for those that say nothing new.
 *
 * What grows is told by what was added: a reply in parts, and never the whole of it again with each part.
 */
export function eventLine(event: AgentSessionEvent): object | undefined {
  switch (event.type) {
    case "message_update": {
      const { assistantMessageEvent: part } = event;
      if (part.type === "text_delta" || part.type === "thinking_delta") {
        return { type: part.type, delta: part.delta };
      }
      return undefined;
    }
    case "message_start":
    case "tool_execution_update":
    case "agent_end":
    case "turn_end":
      return { type: event.type };
    default:
      return event;
  }
}
