import type { AgentTool } from "@earendil-works/pi-agent-core";

/** Whether the compaction that the model asks for will be made, once its batch of calls is complete. */
export type CompactAnswer = { readonly accepted: true } | { readonly accepted: false; readonly because: string };

/** The `compact({ focus })` tool: answers at once, runs nothing; `request` notes what was asked for [R8]. */
export function createCompactTool(request: (toolCallId: string, focus?: string) => CompactAnswer): AgentTool {
  return {
    name: "compact",
    label: "compact",
    description:
      "Replaces the conversation so far by a summary, to make room for a new phase of the work. Call it when a " +
      "subtask is finished and its details are no longer needed. `focus` says what the summary has to keep.",
    parameters: {
      type: "object",
      properties: {
        focus: { type: "string", description: "What the summary has to keep, e.g. the API design decisions." },
      },
      additionalProperties: false,
    },
    async execute(toolCallId, args) {
      const { focus } = args as { focus?: string };
      const answer = request(toolCallId, focus);
      const text = answer.accepted
        ? "Accepted: the conversation is compacted when this batch is complete."
        : `Not compacted: ${answer.because}.`;
      return { content: [{ type: "text", text }], details: {} };
    },
  };
}
