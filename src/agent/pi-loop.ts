import type { runAgentLoop, runAgentLoopContinue } from "@earendil-works/pi-agent-core";
import { EspalierError } from "../errors.ts";

export interface PiLoop {
  readonly runAgentLoop: typeof runAgentLoop;
  readonly runAgentLoopContinue: typeof runAgentLoopContinue;
}

/** pi's loop: request, reply, tools, and again. Rejects `PACKAGE_MISSING`. */
export async function loadLoop(): Promise<PiLoop> {
  try {
    return await import("@earendil-works/pi-agent-core");
  } catch (cause) {
    const name = "@earendil-works/pi-agent-core";
    const message = `An agent session needs the package ${name}, which is not here: run "npm install ${name}" (Node 22.19 or newer).`;
    throw new EspalierError("PACKAGE_MISSING", message, { package: name }, cause);
  }
}
