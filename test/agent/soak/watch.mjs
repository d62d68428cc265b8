const PAIRS = new Set([
  "agent",
  "turn",
  "compaction",
  "auto_compaction",
  "branch_summary",
  "retry",
  "message",
  "tool_execution",
]);

/** Hears the events of an agent session: counts them, and finds starts without an end and ends without a start [I6]. */
export function createWatch() {
  const counts = {};
  let open = [];
  let faults = [];
  return {
    counts,
    hear(event) {
      const [, kind, edge] = /^(.*)_(start|end)$/.exec(event.type) ?? [];
      count(counts, nameOf(event));
      if (!PAIRS.has(kind)) return;
      const name = kind === "tool_execution" ? `${kind} ${event.toolCallId}` : kind;
      if (edge === "start") {
        if (open.includes(name)) faults.push(`${name} started twice`);
        open.push(name);
      } else if (open.includes(name)) open = open.filter((other) => other !== name);
      else faults.push(`${name} ended without a start`);
    },
    /** What was wrong since the last call; everything that is still open is. */
    faults() {
      const found = [...faults, ...open.map((name) => `${name} has no end`)];
      faults = [];
      open = [];
      return found;
    },
  };
}

function nameOf(event) {
  if (event.type === "compaction_end") {
    return event.result
      ? `compacted (${event.reason})`
      : event.aborted
        ? "compaction aborted"
        : "compaction came to nothing";
  }
  if (event.type === "branch_summary_end") return event.result ? "branch summaries" : "no branch summary";
  return event.type;
}

const count = (counts, name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};
