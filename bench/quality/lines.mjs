import { scanAnchors } from "../../dist/core/verify/anchors.js";

const LONGEST = 600;
const PATH_KEYS = /^(?:path|file|file_?path|filename|notebook_path)$/i;

/**
 * What a message says, line by line. A line of a tool call stands with the file that the call names, a nested line of
 * prose with the line that it is nested under: what stands together is tied. Without `tied` lines are bare.
 */
export function linesOf(message, tied = true) {
  const lines = [];
  const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  for (const block of Array.isArray(blocks) ? blocks : []) {
    if (block?.type === "text") addText(lines, String(block.text), tied);
    else if (block?.type === "toolCall") addCall(lines, block.arguments, tied);
  }
  for (const text of [message.summary, message.command, message.output]) if (text) addText(lines, String(text), tied);
  return lines;
}

function addText(lines, text, tied) {
  let head = "";
  for (const line of text.split("\n")) {
    const nested = /^\s+\S/.test(line);
    if (!nested) head = /:\s*$|\[#\S+\]:?$/.test(line) ? line.slice(0, 200) : "";
    lines.push(tied && nested && head ? `${head} ${line.slice(0, LONGEST)}` : line.slice(0, LONGEST));
  }
}

function addCall(lines, args, tied) {
  const fields = Object.entries(args ?? {});
  const file = fields.find(([key, value]) => PATH_KEYS.test(key) && typeof value === "string")?.[1] ?? "";
  const queue = fields.map(([, value]) => value);
  for (let i = 0; i < queue.length && i < 2000; i++) {
    const value = queue[i];
    if (typeof value === "object" && value) queue.push(...Object.values(value).slice(0, 500));
    if (typeof value !== "string") continue;
    for (const line of value.split("\n")) lines.push(`${tied && value !== file ? file : ""} ${line.slice(0, LONGEST)}`);
  }
}

/** The anchors of a line by key, each once, with their kinds. A path goes by its last two names, however it is rooted. */
export function anchorsOf(line) {
  const found = new Map();
  scanAnchors(line, (text, kind) => found.set(kind === "path" ? text.split(/[\\/]/).slice(-2).join("/") : text, kind));
  return found;
}
