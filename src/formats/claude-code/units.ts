import { isBoundary } from "./chain.ts";
import type { ChainLine, Raw } from "./lines.ts";
import { blocksOf, messageIdOf, objectsOf, textOf } from "./lines.ts";

/** A tool's result with the line it stood on. */
export interface Result {
  readonly line: ChainLine;
  readonly block: Raw;
}

/**
 * Lines that belong together: all lines of one API message with the results of its calls, a compaction boundary with
 * its summary, or one line. Units form the tree; what hangs from any line of a unit hangs from the unit.
 */
export interface Unit {
  readonly at: number;
  readonly kind: "assistant" | "user" | "result" | "boundary" | "microcompact" | "other";
  readonly lines: ChainLine[];
  /** Of an `assistant`: one result a call, in file order. Of a `result`: the one that stands alone. */
  readonly results: Result[];
  /** Lines put in behind the results: what else stood beside a result, and texts that a tool brought in. */
  readonly extras: ChainLine[];
  /** Names of the calls, by call id. */
  readonly calls: Map<string, string>;
  /** Of a second result for one call: the result that it competes with. */
  readonly insteadOf?: { readonly unit: Unit; readonly result: Result };
  parent: Unit | null;
}

export interface Units {
  readonly units: Unit[];
  /** The unit of each chained line. */
  readonly ofLine: readonly Unit[];
}

/** The units of a chain, with parents set and cycles left as they are. Linear in the lines. */
export function groupUnits(lines: readonly ChainLine[], parents: readonly (number | null)[]): Units {
  const units: Unit[] = [];
  const ofLine: Unit[] = [];
  const owners = new Map<string, Unit>();
  const answers = new Map<string, Result>();

  const open = (line: ChainLine, kind: Unit["kind"], insteadOf?: Unit["insteadOf"]): Unit => {
    const base = { at: units.length, kind, lines: [line], results: [], extras: [], calls: new Map(), parent: null };
    const unit: Unit = insteadOf ? { ...base, insteadOf } : base;
    units.push(unit);
    return unit;
  };

  for (const line of lines) {
    const parentAt = parents[line.at] ?? null;
    const above = parentAt === null ? undefined : ofLine[parentAt];
    ofLine.push(place(line, above));
  }
  for (const unit of units) {
    const parentAt = parents[unit.lines[0]!.at] ?? null;
    const parent = unit.insteadOf?.unit ?? (parentAt === null ? null : (ofLine[parentAt] ?? null));
    unit.parent = parent === unit ? null : parent;
  }
  return { units, ofLine };

  function place(line: ChainLine, above: Unit | undefined): Unit {
    if (line.type === "assistant") return placeAssistant(line, above);
    if (line.type === "user") return placeUser(line, above);
    if (isBoundary(line)) return open(line, "boundary");
    return open(
      line,
      line.type === "system" && line.raw.subtype === "microcompact_boundary" ? "microcompact" : "other",
    );
  }

  function placeAssistant(line: ChainLine, above: Unit | undefined): Unit {
    const id = messageIdOf(line.raw);
    const joins = id !== undefined && above?.kind === "assistant" && messageIdOf(above.lines[0]!.raw) === id;
    const unit = joins ? above : open(line, "assistant");
    if (joins) unit.lines.push(line);
    for (const block of blocksOf(line.raw)) {
      if (block.type !== "tool_use" || typeof block.id !== "string") continue;
      unit.calls.set(block.id, textOf(block.name) || "unknown");
      owners.set(block.id, unit);
    }
    return unit;
  }

  function placeUser(line: ChainLine, above: Unit | undefined): Unit {
    if (line.raw.isCompactSummary === true) {
      if (above?.kind !== "boundary") return open(line, "boundary");
      above.lines.push(line);
      return above;
    }
    const results = objectsOf(blocksOf(line.raw)).filter((block) => block.type === "tool_result");
    if (results.length === 0) return placeText(line, above);
    let unit: Unit | undefined;
    for (const block of results) unit = placeResult({ line, block }, above, unit);
    if (unit && results.length < blocksOf(line.raw).length) unit.extras.push(line);
    return unit!;
  }

  /** A text that a tool brought in follows that tool's result. */
  function placeText(line: ChainLine, above: Unit | undefined): Unit {
    const { sourceToolUseID } = line.raw;
    if (above === undefined || typeof sourceToolUseID !== "string" || !above.calls.has(sourceToolUseID)) {
      return open(line, "user");
    }
    above.extras.push(line);
    return above;
  }

  function placeResult(result: Result, above: Unit | undefined, sameLine: Unit | undefined): Unit {
    const callId = textOf(result.block.tool_use_id);
    const owner = above?.calls.has(callId) ? above : owners.get(callId);
    if (!owner) {
      const unit = sameLine?.kind === "result" ? sameLine : open(result.line, "result");
      unit.results.push(result);
      return unit;
    }
    const place = `${owner.at}/${callId}`;
    const rival = answers.get(place);
    if (!rival) {
      owner.results.push(result);
      answers.set(place, result);
    } else if (JSON.stringify(rival.block) !== JSON.stringify(result.block)) {
      const unit = open(result.line, "result", { unit: owner, result: rival });
      unit.results.push(result);
      unit.calls.set(callId, owner.calls.get(callId)!);
      return unit;
    }
    // A late result stands with its call, but the conversation goes on where the line itself was attached.
    return above && above.at > owner.at ? above : owner;
  }
}
