import type { AgentTool } from "@earendil-works/pi-agent-core";
import { named } from "../core/context/system.ts";
import type { SystemMessage } from "../core/session/message.ts";
import type { Session } from "../engine/session.ts";

/** The section of the system message that is ours; another prompt replaces it by name, as pi's do. */
const SECTION = "espalier";

/**
 * Nothing; stores a system message where the one in force does not hold this prompt and these tools [X3].
 *
 * It stands in the session, so that what was sent can be read there, and survives every compaction. Without a leading
 * system message pi's loop declares no tools.
 */
export async function declareSystem(
  session: Session,
  prompt: string | undefined,
  tools: readonly AgentTool[],
  timestamp: number,
): Promise<void> {
  const { messages } = await session.context();
  const first = messages[0]?.message;
  const inForce = first?.role === "system" ? first : undefined;
  const text = prompt ?? inForce?.sections?.[SECTION] ?? "";
  const declared = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const known = new Map(named(inForce?.toolsAdded).map((tool) => [tool.name, JSON.stringify(tool)]));
  const added = declared.filter((tool) => known.get(tool.name) !== JSON.stringify(tool));
  const offered = new Set(declared.map(({ name }) => name));
  const removed = [...known.keys()].filter((name) => !offered.has(name)).map((name) => ({ name }));
  const isSame = inForce !== undefined && (inForce.sections?.[SECTION] ?? "") === text;
  if (isSame && added.length === 0 && removed.length === 0) return;
  const message: SystemMessage = {
    role: "system",
    content: "",
    sections: { [SECTION]: text },
    ...(added.length > 0 && { toolsAdded: added }),
    ...(removed.length > 0 && { toolsRemoved: removed }),
    timestamp,
  };
  await session.append(message);
}
