import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { stat } from "node:fs/promises";
import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { answer, count } from "../answer.ts";
import { argumentsOf, optionalCount, requiredText } from "../arguments.ts";
import { fileFault } from "../fault.ts";
import { checkAborted, untilAborted } from "../interrupt.ts";
import { imageType } from "./image.ts";
import { createLineWindow } from "./line-window.ts";
import { listFolder } from "./listing.ts";
import { encodingOf } from "./text-file.ts";
import type { Place, Workspace } from "./workspace.ts";

const MAX_LINES = 2_000;
const MAX_BYTES = 50_000;
const MAX_LINE = 2_000;
const MAX_IMAGE = 3_750_000;
const CHUNK = 65_536;
/** Files up to this size are read to the end, to say how many lines there are. */
const COUNTED = 33_554_432;

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "File or folder, from the working directory." },
    offset: { type: "integer", minimum: 1, description: "First line, from 1." },
    limit: { type: "integer", minimum: 1, description: `How many lines, at most ${MAX_LINES}.` },
  },
  required: ["path"],
};

/**
 * The tool `read`: lines of a text file, an image, or the names in a folder, within the workspace; asks nobody.
 *
 * At most 2,000 lines, 50 kB and 2,000 characters of a line; a file is never held whole. UTF-8, and UTF-16 with a byte
 * order mark; bytes that are neither are shown as U+FFFD. Other binary files are named and not shown.
 */
export function createReadTool(workspace: Workspace): AgentTool {
  return {
    name: "read",
    label: "read",
    description:
      `Reads a text file (at most ${MAX_LINES} lines or ${MAX_BYTES / 1000} kB at once; go on with offset), ` +
      "an image (png, jpeg, gif, webp), or lists a folder.",
    parameters: PARAMETERS,
    replay: "safe",
    execute: (_id, params, signal) => untilAborted(signal, read(workspace, params, signal)),
  };
}

interface Request {
  readonly place: Place;
  readonly from: number;
  readonly limit: number;
}

async function read(workspace: Workspace, params: unknown, signal?: AbortSignal): Promise<AgentToolResult<unknown>> {
  const args = argumentsOf(params);
  checkAborted(signal);
  const place = await workspace.resolve(requiredText(args, "path"));
  const from = optionalCount(args, "offset") ?? 1;
  const limit = Math.min(optionalCount(args, "limit") ?? MAX_LINES, MAX_LINES);
  const found = await stat(place.path).catch((error) => Promise.reject(fileFault(error, place.shown, MISSING)));
  if (found.isDirectory()) {
    await workspace.confirm(place.path);
    return answer(await listFolder(place.path, signal), {});
  }
  if (!found.isFile()) throw new Error(`${place.shown} is not a regular file, so it is not read.`);
  const file = await workspace.open(place);
  try {
    return await readFile(file, await file.stat(), { place, from, limit }, signal);
  } finally {
    await file.close();
  }
}

const MISSING = "List its folder with read, or look for it with bash.";

async function readFile(file: FileHandle, { size }: Stats, request: Request, signal?: AbortSignal) {
  const { shown } = request.place;
  const chunk = Buffer.allocUnsafe(CHUNK);
  const { bytesRead } = await file.read(chunk, 0, CHUNK, 0);
  const head = chunk.subarray(0, bytesRead);
  const mimeType = imageType(head);
  if (mimeType !== undefined) return readImage(file, size, shown, mimeType);
  const encoding = encodingOf(head.subarray(0, 8_192));
  if (encoding === null) {
    return answer(
      `${shown} is a binary file of ${count(size, "byte")}; it is not shown. Use bash to look into it.`,
      {},
    );
  }
  return readLines(file, size, encoding, request, signal);
}

async function readLines(file: FileHandle, size: number, encoding: string, request: Request, signal?: AbortSignal) {
  const { place, from, limit } = request;
  const decoder = new TextDecoder(encoding);
  const window = createLineWindow({ from, maxLines: limit, maxBytes: MAX_BYTES, maxLine: MAX_LINE });
  const chunk = Buffer.allocUnsafe(CHUNK);
  let at = 0;
  for (;;) {
    checkAborted(signal);
    const { bytesRead } = await file.read(chunk, 0, CHUNK, at);
    at += bytesRead;
    window.push(decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 }));
    if (bytesRead === 0 || (window.isFull && size > COUNTED)) break;
  }
  const { lines, seen } = window.end();
  if (lines.length === 0) {
    if (seen === 0) return answer(`(${place.shown} is empty)`, {});
    throw new Error(`${place.shown} has ${count(seen, "line")}; offset ${from} is behind its end.`);
  }
  const last = from + lines.length - 1;
  const isCounted = !window.isFull || size <= COUNTED;
  const of = isCounted ? ` of ${seen.toLocaleString("en-US")}` : "; more follow";
  const more = isCounted && last >= seen ? "" : `\n[Lines ${from}-${last}${of}. Read on with offset ${last + 1}.]`;
  return answer(lines.join("\n") + more, {});
}

async function readImage(file: FileHandle, size: number, shown: string, mimeType: string) {
  const what = `${shown} is an image (${mimeType}, ${count(size, "byte")})`;
  if (size > MAX_IMAGE) {
    return answer(
      `${what}; it is over ${count(MAX_IMAGE, "byte")}, so it is not shown. Make it smaller with bash.`,
      {},
    );
  }
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, 0);
  const data = bytes.subarray(0, bytesRead).toString("base64");
  const { content } = answer(`${what}.`, {});
  return { content: [...content, { type: "image" as const, data, mimeType }], details: {} };
}
