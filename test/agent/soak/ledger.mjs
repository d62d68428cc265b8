import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";

const PART = 1 << 20;

/**
 * What stands in a session's file, read on as it grows: nothing that was written may change, no id come twice, and no
 * prompt be stored more than once [I1, S5, A4].
 */
export function createLedger(file) {
  const ids = new Set();
  const prompts = new Map();
  let size = 0;
  const hash = createHash("sha256");
  let rest = "";

  /** Bytes from `from` to the end, in parts. */
  function* parts(from, to) {
    const handle = openSync(file, "r");
    const buffer = Buffer.alloc(PART);
    for (let at = from; at < to; ) {
      const length = readSync(handle, buffer, 0, Math.min(PART, to - at), at);
      if (length === 0) break;
      at += length;
      yield buffer.subarray(0, length);
    }
    closeSync(handle);
  }

  function take(line, faults) {
    let entry;
    try {
      entry = JSON.parse(line);
    } catch {
      return;
    }
    if (ids.has(entry.id)) faults.push(`entry ${entry.id} is in the file twice`);
    ids.add(entry.id);
    const { content } = entry.type === "message" && entry.message.role === "user" ? entry.message : {};
    const text = typeof content === "string" ? content : (content?.[0]?.text ?? "");
    const [tag] = /^\[P\d+\]/.exec(text) ?? [];
    if (!tag) return;
    prompts.set(tag, (prompts.get(tag) ?? 0) + 1);
    if (prompts.get(tag) > 1) faults.push(`prompt ${tag} was stored ${prompts.get(tag)} times`);
  }

  return {
    prompts,
    get entries() {
      return ids.size;
    },
    get size() {
      return size;
    },
    /** Reads what is new. A line that is not complete waits for its rest, or for the line that sets it aside. */
    read() {
      const faults = [];
      const now = statSync(file).size;
      if (now < size) faults.push(`the file shrank from ${size} to ${now} bytes`);
      const decoder = new TextDecoder();
      for (const part of parts(size, now)) {
        hash.update(part);
        rest += decoder.decode(part, { stream: true });
        const lines = rest.split("\n");
        rest = lines.pop();
        for (const line of lines) take(line, faults);
      }
      size = now;
      return faults;
    },
    /** Reads all of it again: what was there is there, byte for byte. */
    verify() {
      const again = createHash("sha256");
      for (const part of parts(0, size)) again.update(part);
      return again.digest("hex") === hash.copy().digest("hex") ? [] : ["what was written before has changed"];
    },
  };
}
