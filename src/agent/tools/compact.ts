import type { AgentTool } from "@earendil-works/pi-agent-core";
import { COMPACT_TOOL } from "../../core/context/compact-tool.ts";
import { answer } from "./answer.ts";
import { argumentsOf, optionalText } from "./arguments.ts";
import { checkAborted } from "./interrupt.ts";

/** What is answered to a call; `because` is told to the model. */
export type CompactReply = { readonly accepted: true } | { readonly accepted: false; readonly because: string };

/**
 * The tool `compact`: hands the wish on and answers *accepted*, or why not [R8].
 *
 * It compacts nothing itself: that is for who runs the loop, once the batch of the call is complete.
 */
export function createCompactTool(request: (toolCallId: string, focus?: string) => CompactReply): AgentTool {
  return {
    name: COMPACT_TOOL.name,
    label: COMPACT_TOOL.name,
    description: COMPACT_TOOL.description,
    parameters: COMPACT_TOOL.parameters,
    async execute(toolCallId, params, signal) {
      const focus = optionalText(argumentsOf(params ?? {}), "focus")?.trim();
      checkAborted(signal);
      const reply = request(toolCallId, focus);
      if (reply.accepted) return answer(COMPACT_TOOL.accepted, { accepted: true });
      return answer(`Not compacted: ${reply.because.replace(/\.$/, "")}.`, { accepted: false });
    },
  };
}
