import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What the two ends of a session file tell. */
export interface SessionSketch {
  readonly path: string;
  readonly agent: string;
  /** Bytes. */
  readonly size: number;
  /** Of its last change, in milliseconds. */
  readonly modified: number;
  readonly cwd?: string;
  /** The session's name, else the first request. */
  readonly title?: string;
}

const END_BYTES = 4096;
/** All sessions are read through the same two buffers: a listing is hundreds of files. */
const head = Buffer.allocUnsafe(END_BYTES);
const tail = Buffer.allocUnsafe(END_BYTES);

/** A sketch of the session from its first and last 4 KB. Throws the system's error where it can't be read. */
export function sketch(path: string, agent: string): SessionSketch {
  // A named pipe would be waited for without end.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error("is no file");
    const { size } = stats;
    const first = head.toString("utf8", 0, readSync(fd, head, 0, END_BYTES, 0));
    const more = size > END_BYTES;
    const last = more ? tail.toString("utf8", 0, readSync(fd, tail, 0, END_BYTES, size - END_BYTES)) : first;
    const facts = agent === "opencode" ? ofInfo(first) : ofLines(first, last);
    return { path, agent, size, modified: stats.mtimeMs, ...facts };
  } finally {
    closeSync(fd);
  }
}

type Facts = Pick<SessionSketch, "cwd" | "title">;

/** opencode keeps a session's metadata in one small file. */
function ofInfo(text: string): Facts {
  return facts(textOf(text, "directory"), textOf(text, "title"));
}

function ofLines(first: string, last: string): Facts {
  // The newest name is the last one written; a name that stands in the middle of a large file is not found.
  const name = lastName(last) ?? lastName(first);
  return facts(textOf(first, "cwd"), name ?? firstRequest(first));
}

const facts = (cwd: string | undefined, title: string | undefined): Facts => ({
  ...(cwd !== undefined && { cwd }),
  ...(title !== undefined && title.trim() !== "" && { title }),
});

const NAME =
  /"type":"(?:session_info|custom-title|summary|title)"[^\n]*?"(?:name|customTitle|summary|title)":"((?:[^"\\\n]|\\.)*)"/g;

function lastName(text: string): string | undefined {
  let found: string | undefined;
  for (const hit of text.matchAll(NAME)) found = hit[1];
  return found === undefined ? undefined : unescaped(found);
}

/** Every writer's form of a user's message, cut off where the head ends. */
const REQUEST = /"role":"user"[^\n]*?"(?:content|text)":"((?:[^"\\\n]|\\.)*)/g;
/** What harnesses put in front of the user's own words. */
const PUT_IN = /^\s*(?:<|# AGENTS\.md|Caveat:)/;

function firstRequest(text: string): string | undefined {
  for (const [, said = ""] of text.matchAll(REQUEST)) {
    const request = unescaped(said);
    if (request.trim() !== "" && !PUT_IN.test(request)) return request;
  }
  return undefined;
}

function textOf(text: string, key: string): string | undefined {
  const found = new RegExp(`"${key}":\\s*"((?:[^"\\\\\\n]|\\\\.)*)"`).exec(text)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\[^"\\/bfnrtu]?$|\\u[0-9a-fA-F]{0,3}$/, "")}"`) as string;
  } catch {
    return text;
  }
}
