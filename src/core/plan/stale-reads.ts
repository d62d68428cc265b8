import type { ToolCallBlock } from "../session/message.ts";
import { LIST_KEYS, PATH_KEYS } from "./file-tools.ts";
import { touched } from "./files.ts";
import { safeJson } from "./json.ts";
import type { ToolOutput } from "./tool-outputs.ts";

const WHOLE_FILE_KEYS: ReadonlySet<string> = new Set([...PATH_KEYS, ...LIST_KEYS, "command"]);

/**
 * Entry ids of reads whose every file was read again or written since, by a call that succeeded [R4].
 *
 * A later read counts when it shows the whole file or asks for the same part of it; `isGone` says of which outputs the
 * text is no longer there, so that a file never loses its last reading to one that was pruned itself.
 */
export function staleReads(outputs: readonly ToolOutput[], isGone: (output: ToolOutput) => boolean): Set<string> {
  const stale = new Set<string>();
  const written = new Set<string>();
  const readWhole = new Set<string>();
  const readAlike = new Set<string>();
  for (let at = outputs.length - 1; at >= 0; at--) {
    const output = outputs[at] as ToolOutput;
    const { call, message, entryId } = output;
    if (!call || message.isError) continue;
    const effects = touched(call);
    const reads = effects.length > 0 && effects.every(([, effect]) => effect === "read");
    const same = reads ? partOf(call) : "";
    const old = ([path]: [string, string]) => written.has(path) || readWhole.has(path) || readAlike.has(same);
    if (reads && effects.every(old)) stale.add(entryId);
    for (const [path, effect] of effects) if (effect === "modified") written.add(path);
    if (!reads || isGone(output)) continue;
    readAlike.add(same);
    if (readsWhole(call)) for (const [path] of effects) readWhole.add(path);
  }
  return stale;
}

const partOf = (call: ToolCallBlock): string => safeJson(call.arguments);

function readsWhole(call: ToolCallBlock): boolean {
  return Object.keys(call.arguments).every((key) => WHOLE_FILE_KEYS.has(key));
}
