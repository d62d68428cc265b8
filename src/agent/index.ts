/** The engine inside a living agent [A]; on the package @earendil-works/pi-agent-core, which is loaded when one is made. */
export { type AgentSession, type AgentSessionOptions, createAgentSession } from "./agent-session.ts";
export type { AgentListener, AgentSessionEvent } from "./events.ts";
export type { Input, TurnOutcome } from "./outcome.ts";
export type { Patience } from "./retry.ts";
export { type PromptOptions, systemPrompt } from "./system-prompt.ts";
export {
  type Ask,
  createTools,
  type PermissionAnswer,
  type PermissionRequest,
  type ToolOptions,
} from "./tools/index.ts";
export type { ContextUsage, Spending } from "./usage.ts";
