import type { AgentTool } from "@earendil-works/pi-agent-core";
import { wellFormed } from "../../../core/session/well-formed.ts";
import { answer, count } from "../answer.ts";
import { argumentsOf, requiredText } from "../arguments.ts";
import { checkAborted } from "../interrupt.ts";
import { unifiedDiff } from "./diff.ts";
import { replaceFile } from "./replace-file.ts";
import { type Replacement, replaceAll } from "./replacements.ts";
import { utf8Of } from "./text-file.ts";
import type { Place, Workspace } from "./workspace.ts";
import type { FileWork } from "./write.ts";

const OLD = { type: "string", description: "Text that stands exactly once in the file." };
const NEW = { type: "string", description: "What stands there instead." };

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "File, from the working directory." },
    edits: {
      type: "array",
      description: "Several replacements; each is looked for in the file as it is now.",
      items: { type: "object", properties: { oldText: OLD, newText: NEW }, required: ["oldText", "newText"] },
    },
    oldText: { ...OLD, description: "For a single replacement, in place of edits." },
    newText: NEW,
  },
  required: ["path"],
};

const LARGEST = 16_777_216;
const BOM = "\uFEFF";

/**
 * The tool `edit`: exact replacements in a UTF-8 file of the workspace, once they are permitted.
 *
 * All of them or none; byte order mark and line ends stay. The unified diff is in `details.diff`.
 */
export function createEditTool(work: FileWork): AgentTool {
  return {
    name: "edit",
    label: "edit",
    description:
      "Replaces text in a file. Each oldText must stand there exactly once, white space included; edits must not overlap.",
    parameters: PARAMETERS,
    executionMode: "sequential",
    prepareArguments: withParsedEdits,
    execute: (_id, params, signal) => edit(work, params, signal),
  };
}

async function edit({ workspace, permit, inTurn }: FileWork, params: unknown, signal?: AbortSignal) {
  const args = argumentsOf(withParsedEdits(params));
  checkAborted(signal);
  const place = await workspace.resolve(requiredText(args, "path"));
  const edits = editsOf(args);
  const draft = await edited(workspace, place, edits);
  const diff = unifiedDiff(draft.before, draft.after);
  await permit({ tool: "edit", path: place.shown, preview: diff }, signal);
  // The file may have changed while the user was asked.
  await inTurn(place.path, async () => {
    const { after } = await edited(workspace, place, edits);
    await replaceFile(workspace, place, after, signal);
  });
  const line = /^@@ -(\d+)/m.exec(diff)?.[1];
  return answer(`Edited ${place.shown}: ${count(edits.length, "replacement")}, the first near line ${line}.`, { diff });
}

async function edited(workspace: Workspace, place: Place, edits: readonly Replacement[]) {
  const before = await textOf(workspace, place);
  const bom = before.startsWith(BOM) ? BOM : "";
  try {
    return { before, after: bom + replaceAll(before.slice(bom.length), edits) };
  } catch (error) {
    throw new Error(`${place.shown} was not changed. ${(error as Error).message}`, { cause: error });
  }
}

async function textOf(workspace: Workspace, place: Place): Promise<string> {
  const file = await workspace.open(place);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${place.shown} is no regular file; give the path of a file.`);
    if (found.size > LARGEST) throw new Error(`${place.shown} is over ${LARGEST / 1_048_576} MB; change it with bash.`);
    const text = utf8Of(await file.readFile());
    if (text === undefined) throw new Error(`${place.shown} is not UTF-8 text; change it with bash.`);
    return text;
  } finally {
    await file.close();
  }
}

function editsOf(args: Readonly<Record<string, unknown>>): Replacement[] {
  const listed = Array.isArray(args.edits) ? args.edits : [];
  const single = args.oldText === undefined && args.newText === undefined ? [] : [args];
  const edits = [...listed, ...single].map((each): Replacement => {
    const { oldText, newText } = argumentsOf(each);
    if (typeof oldText === "string" && typeof newText === "string") return { oldText, newText: wellFormed(newText) };
    throw new Error("Each edit needs oldText and newText, both as text.");
  });
  if (edits.length === 0) throw new Error("There is nothing to replace; give edits, or oldText and newText.");
  return edits;
}

/** Some models send the list as JSON in a text, or a single edit without its list. */
function withParsedEdits(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("edits" in given)) return given;
  let { edits } = given as { edits: unknown };
  if (typeof edits === "string") {
    try {
      edits = JSON.parse(edits);
    } catch {
      throw new Error("The edits are no list; give them as [{oldText, newText}].");
    }
  }
  const isSingle = typeof edits === "object" && edits !== null && !Array.isArray(edits);
  return { ...given, edits: isSingle ? [edits] : edits };
}
