import type { SessionHeader } from "../../core/session/entry.ts";
import { LEAF_MARKER, SESSION_VERSION } from "../../core/session/entry.ts";
import type { ImportedSession, Source } from "../format.ts";
import { resolveParents } from "./chain.ts";
import { keptBy } from "./compaction.ts";
import { writeEntries } from "./entries.ts";
import type { ChainLine } from "./lines.ts";
import { textOf } from "./lines.ts";
import { cutCycles, newestLeaf, parentsFirst } from "./order.ts";
import type { Transcript } from "./transcript.ts";
import { readTranscript } from "./transcript.ts";
import type { Unit } from "./units.ts";
import { groupUnits } from "./units.ts";

/**
 * A Claude Code session as entries: the API's messages whole again, each call with its results, compactions and
 * micro-compactions as entries of their own, real forks as branches, subagents beside the main path.
 *
 * Damage becomes warnings. The same lines give the same entries, ids included [I7].
 */
export async function readClaudeCode(source: Source): Promise<ImportedSession> {
  const transcript = await readTranscript(source);
  const { lines, byUuid } = transcript;
  const { parents, warnings: dangling } = resolveParents(transcript);
  const { units, ofLine } = groupUnits(lines, parents);
  const cycles = cutCycles(units);
  const ofUuid = (uuid: string) => ofLine[byUuid.get(uuid) ?? -1];
  const kept = new Map<Unit, Unit>();
  for (const unit of units) {
    const first = unit.kind === "boundary" ? keptBy(unit, ofUuid) : null;
    if (first) kept.set(unit, first);
  }
  const written = writeEntries(parentsFirst(units), kept);
  const warnings = [...transcript.warnings, ...dangling, ...cycles, ...written.warnings];

  const last = lines.findLast((line) => line.lane === "") ?? lines.at(-1);
  if (!last) {
    warnings.push({ code: "no-messages", message: `${source.name} holds no message` });
    return { format: "claude-code", header: headerOf(transcript, undefined), entries: [], warnings };
  }
  const tip = written.tipOf(newestLeaf(units, ofLine[last.at]!));
  const name = titleOf(transcript);
  if (tip !== null && name) {
    written.add(`${tip}/name`, tip, last.timestamp, { type: "session_info", name });
  } else if (tip !== null && written.entries.at(-1)?.id !== tip) {
    written.add(`${tip}/leaf`, tip, last.timestamp, { type: "custom", customType: LEAF_MARKER });
  }
  return { format: "claude-code", header: headerOf(transcript, last), entries: written.entries, warnings };
}

/** The id is that of the session the file ends in; a resumed one begins with lines of others. */
function headerOf({ lines, titles }: Transcript, last: ChainLine | undefined): SessionHeader {
  const id = textOf(last?.raw.sessionId) || textOf(titles[0]?.leafUuid) || "claude-code";
  const timestamp = lines[0]?.timestamp ?? "1970-01-01T00:00:00.000Z";
  const cwd = textOf(lines.find((line) => textOf(line.raw.cwd) !== "")?.raw.cwd);
  return { type: "session", version: SESSION_VERSION, id, timestamp, cwd };
}

/** The newest title that names this session: summaries in a file often belong to another one. */
function titleOf({ titles, byUuid }: Transcript): string {
  const own = titles.filter((title) => title.type !== "summary" || byUuid.has(textOf(title.leafUuid)));
  const given =
    own.findLast((title) => title.type === "custom-title") ??
    own.findLast((title) => title.type === "ai-title") ??
    own.at(-1);
  return textOf(given?.customTitle) || textOf(given?.aiTitle) || textOf(given?.summary);
}
