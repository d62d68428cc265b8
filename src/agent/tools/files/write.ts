import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { wellFormed } from "../../../core/session/well-formed.ts";
import { answer, count } from "../answer.ts";
import { argumentsOf, requiredText } from "../arguments.ts";
import { checkAborted } from "../interrupt.ts";
import type { Permission } from "../permission/permission.ts";
import type { Turns } from "../turns.ts";
import { unifiedDiff } from "./diff.ts";
import { replaceFile } from "./replace-file.ts";
import { utf8Of } from "./text-file.ts";
import type { Place, Workspace } from "./workspace.ts";

/** What a tool that changes files works with; `inTurn` keeps changes of one file apart. */
export interface FileWork {
  readonly workspace: Workspace;
  readonly permit: Permission;
  readonly inTurn: Turns;
}

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "File, from the working directory; its folders are made." },
    content: { type: "string", description: "The whole text of the file." },
  },
  required: ["path", "content"],
};

/** Larger old files are not compared. */
const MOST_COMPARED = 1_000_000;

/** The tool `write`: makes a file or replaces it whole, within the workspace, once it is permitted. */
export function createWriteTool(work: FileWork): AgentTool {
  return {
    name: "write",
    label: "write",
    description: "Writes a file: makes it, or replaces all of it. To change a part of a file use edit.",
    parameters: PARAMETERS,
    executionMode: "sequential",
    execute: (_id, params, signal) => write(work, params, signal),
  };
}

async function write({ workspace, permit, inTurn }: FileWork, params: unknown, signal?: AbortSignal) {
  const args = argumentsOf(params);
  checkAborted(signal);
  const place = await workspace.resolve(requiredText(args, "path"));
  const content = wellFormed(requiredText(args, "content"));
  const old = await oldText(workspace, place);
  const diff = old === null ? "" : unifiedDiff(old ?? "", content);
  await permit({ tool: "write", path: place.shown, ...(diff && { preview: diff }) }, signal);
  await inTurn(place.path, () => replaceFile(workspace, place, content, signal));
  return told(place, content, old === undefined, diff);
}

function told({ shown }: Place, content: string, isNew: boolean, diff: string): AgentToolResult<unknown> {
  const bytes = Buffer.byteLength(content);
  const lines = content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  const text = `${isNew ? "Made" : "Replaced"} ${shown}: ${count(bytes, "byte")}, ${count(lines, "line")}.`;
  return answer(text, { bytes, lines, diff });
}

/** The text that is there; undefined where there is no file, null where it is not worth comparing. */
async function oldText(workspace: Workspace, place: Place): Promise<string | null | undefined> {
  let file: Awaited<ReturnType<Workspace["open"]>>;
  try {
    file = await workspace.open(place);
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MOST_COMPARED) return null;
    return utf8Of(await file.readFile()) ?? null;
  } finally {
    await file.close();
  }
}

const isMissing = (error: unknown) => ((error as Error).cause as { code?: unknown } | undefined)?.code === "ENOENT";
