/** How many bytes of a file are enough to tell its format. */
export const HEAD_BYTES = 65_536;

/** The first kilobytes of a file, as far as they can be understood. */
export interface Head {
  /** Decoded, without a BOM; the last line may be cut. */
  readonly text: string;
  /** The JSON objects among the first lines; lines that do not parse are passed over. */
  readonly records: readonly Record<string, unknown>[];
}

const RECORDS = 50;

/** What the first bytes of a file hold; never throws. */
export function readHead(head: string | Uint8Array): Head {
  const decoded = typeof head === "string" ? head : new TextDecoder().decode(head);
  const text = decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  const records: Record<string, unknown>[] = [];
  for (const line of text.split("\n", RECORDS)) {
    const value = parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      records.push(value as Record<string, unknown>);
    }
  }
  return { text, records };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
