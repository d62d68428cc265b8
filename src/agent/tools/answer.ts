import type { AgentToolResult } from "@earendil-works/pi-agent-core";
import { wellFormed } from "../../core/session/well-formed.ts";

/** A result of one text, well-formed and without NUL, which some providers refuse [X6]. */
export function answer<D>(text: string, details: D): AgentToolResult<D> {
  return { content: [{ type: "text", text: presentable(text) }], details };
}

/** `text` as it can be sent: lone surrogates and NUL become U+FFFD. */
export function presentable(text: string): string {
  return wellFormed(text).replaceAll("\0", "\uFFFD");
}

/** "1 line", "1,234 lines". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}
