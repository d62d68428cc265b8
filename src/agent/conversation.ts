import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { Session } from "../engine/session.ts";
import type { CompactCalls } from "./compact-calls.ts";
import type { AgentEvents } from "./events.ts";
import type { InputQueue } from "./input-queue.ts";
import type { LateResults } from "./late-results.ts";
import type { ModelUse } from "./model-use.ts";
import type { PiLoop } from "./pi-loop.ts";
import type { Patience } from "./retry.ts";

/** What the parts of an agent session share. The session's path is the only record of what was said [X1]. */
export interface Conversation {
  readonly session: Session;
  readonly loop: PiLoop;
  readonly events: AgentEvents;
  readonly queue: InputQueue;
  readonly compactCalls: CompactCalls;
  readonly lateResults: LateResults;
  readonly patience: Patience;
  readonly tools: readonly AgentTool[];
  readonly now: () => number;
  /** One for each maintenance that runs, so that none can take another's away [A5]. */
  readonly maintaining: Set<AbortController>;
  readonly use: ModelUse;
}
