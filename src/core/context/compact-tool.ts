/** The `compact` tool as the model knows it, in a session as in an array of messages [R8]. */
export const COMPACT_TOOL = {
  name: "compact",
  description:
    "Replaces the conversation so far by a summary, to make room for a new phase of the work. Call it when a subtask is " +
    "finished and its details are no longer needed. `focus` says what the summary has to keep.",
  parameters: {
    type: "object" as const,
    properties: {
      focus: { type: "string", description: "What the summary has to keep, e.g. the API design decisions." },
    },
    additionalProperties: false,
  },
  accepted: "Accepted: the conversation is compacted when this batch is complete.",
};
