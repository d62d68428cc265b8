/** What one physical line holds. `problem` says why the rest of it could not be read. */
export interface Decoded {
  readonly records: Record<string, unknown>[];
  readonly problem?: string;
}

/** The objects on one line; several stand there when two processes wrote at once (`}{`) [S6]. Never throws. */
export function decodeLine(text: string): Decoded {
  const whole = parse(text);
  if (whole.record) return { records: [whole.record] };
  const records: Record<string, unknown>[] = [];
  let start = 0;
  for (const end of objectEnds(text)) {
    const one = parse(text.slice(start, end));
    if (!one.record) return { records, problem: one.problem };
    records.push(one.record);
    start = end;
  }
  if (text.slice(start).trim() === "") return { records };
  return { records, problem: records.length > 0 ? "an object cut off after a whole one" : whole.problem };
}

function parse(text: string): { record?: Record<string, unknown>; problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "not a JSON object" };
    return { record: value as Record<string, unknown>, problem: "" };
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "not valid JSON" : "too deeply nested" };
  }
}

/** Offsets just behind each top-level object. */
function* objectEnds(text: string): Generator<number> {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 0x5c) at++;
      else if (char === 0x22) quoted = false;
    } else if (char === 0x22) quoted = true;
    else if (char === 0x7b) depth++;
    else if (char === 0x7d && --depth === 0) yield at + 1;
  }
}
