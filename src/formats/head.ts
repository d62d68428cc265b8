import { type JsonRecord, parseLine } from "../core/session/records.ts";

/** How many bytes of a file are enough to tell its format. */
export const HEAD_BYTES = 65_536;

/** The first kilobytes of a file, as far as they can be understood. */
export interface Head {
  /** Decoded, without a BOM; the last line may be cut. */
  readonly text: string;
  /** The JSON objects among the first lines; what does not parse is passed over. */
  readonly records: readonly JsonRecord[];
}

const LINES = 50;

/** What the first bytes of a file hold; never throws. */
export function readHead(head: string | Uint8Array): Head {
  const decoded = typeof head === "string" ? head : new TextDecoder().decode(head);
  const text = decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  const records = text.split("\n", LINES).flatMap((line) => parseLine(line).records.map((one) => one.value));
  return { text, records };
}
