import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolResultMessage } from "../core/session/message.ts";
import type { Session } from "../engine/session.ts";
import { storeResult } from "./tool-result.ts";

/** Tools that do not end when they are told to; their results are stored where they were called [A7]. */
export interface LateResults {
  /** True for a call that was left running; the loop's own result for it says nothing. */
  isRunning(toolCallId: string): boolean;
  /** The turn of the calls that were left running has ended here; later results belong behind it. */
  placeAt(leafId: string | null): void;
  /** The tool, but one that gives up waiting a moment after an abort. */
  guard(tool: AgentTool): AgentTool;
}

/** Milliseconds that a tool has for ending by itself. */
const GRACE = 1_000;

type Result = Awaited<ReturnType<AgentTool["execute"]>>;

/** `session` is where results go that come after their turn has ended; what cannot be stored any more is told to `report`. */
export function createLateResults(session: Session, now: () => number, report: (error: unknown) => void): LateResults {
  /** Calls, and where their turn ended; undefined while it has not. */
  const running = new Map<string, string | null | undefined>();

  const store = async (toolCallId: string, toolName: string, { content, details, isError }: Result) => {
    const place = running.get(toolCallId);
    const result: ToolResultMessage = {
      role: "toolResult",
      toolCallId,
      toolName,
      content,
      ...(details !== undefined && { details }),
      isError: isError === true,
      timestamp: now(),
    };
    running.delete(toolCallId);
    const tree = await session.tree();
    const leafId = session.leafId;
    // On the path it may stand anywhere: the projection puts it behind its call.
    const isHere = !place || leafId === place || tree.path(leafId).includes(place);
    await storeResult(session, result, isHere ? undefined : place);
  };

  return {
    isRunning: (toolCallId) => running.has(toolCallId),
    placeAt(leafId) {
      for (const [call, place] of running) if (place === undefined) running.set(call, leafId);
    },
    guard: (tool) => ({
      ...tool,
      async execute(toolCallId, params, signal, onUpdate) {
        // Somebody's own tool may answer at once, as the loop allows.
        const work = Promise.resolve(tool.execute(toolCallId, params, signal, onUpdate));
        if (!signal || (await endsInTime(work, signal))) return work;
        running.set(toolCallId, undefined);
        work
          .catch((error: unknown): Result => ({ content: [textBlock(error)], details: undefined, isError: true }))
          .then((result) => store(toolCallId, tool.name, result))
          .catch(report);
        throw new Error("Operation aborted; the tool is still running.");
      },
    }),
  };
}

const textBlock = (error: unknown) => ({
  type: "text" as const,
  text: error instanceof Error ? error.message : String(error),
});

/** True when `work` settles before, or a moment after, the signal aborts. */
function endsInTime(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      resolve(true);
    };
    const aborted = () => {
      timer = setTimeout(() => resolve(false), GRACE);
    };
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
    work.then(settled, settled);
  });
}
