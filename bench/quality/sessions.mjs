import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { estimateMessage, scriptCounter } from "../../dist/core/index.js";
import { openSession } from "../../dist/index.js";

/** The session files in a folder, in subfolders too, or the one file; sorted. */
export function filesIn(place) {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true })
    .map((name) => join(place, name))
    .filter((file) => /\.(?:jsonl|json)$/.test(file) && statSync(file).isFile())
    .sort();
}

/** The messages from the root to the leaf as entries, whatever was compacted on the way; null for what is no session. */
export async function messagesOf(file) {
  let session;
  try {
    session = await openSession(file, { readOnly: true });
  } catch {
    return null;
  }
  const entries = new Map();
  for await (const { entry } of session.store.entries()) entries.set(entry.id, entry);
  const path = [];
  for (let at = entries.get(session.leafId); at && path.length <= entries.size; at = entries.get(at.parentId)) {
    if (at.type === "message" && at.message) path.push({ ...at, message: unmeasured(at.message) });
  }
  await session.close();
  return path.reverse();
}

/** Without what a provider counted: it counted another context. */
function unmeasured({ usage, ...message }) {
  return message;
}

export const tokensOf = (message) => estimateMessage(message, scriptCounter);

/** The places at the given shares of the session's tokens where it may be cut: never before a tool result. */
export function cutsOf(entries, shares) {
  const sums = [0];
  for (const { message } of entries) sums.push(sums.at(-1) + tokensOf(message));
  const total = sums.at(-1);
  const cuts = shares.map((share) => {
    let at = sums.findIndex((sum) => sum >= total * share);
    while (entries[at]?.message.role === "toolResult") at++;
    return { at, past: sums[at], future: total - sums[at] };
  });
  return cuts.filter(({ at }, i) => at < entries.length && cuts.findIndex((cut) => cut.at === at) === i);
}
