import { EspalierError } from "../errors.ts";
import { claudeCode } from "./claude-code/index.ts";
import type { Format, FormatId } from "./format.ts";
import { readHead } from "./head.ts";
import { pi } from "./pi.ts";
import { RECOGNISED } from "./recognised.ts";

/** Every format this version opens. A new one is a folder and a row here. */
export const FORMATS: readonly Format[] = [pi, claudeCode];

/** Why a file cannot be opened, as an error ready to be thrown. */
export interface Undetected {
  readonly problem: EspalierError;
}

/**
 * The format of a session file by its content, or the problem with it.
 *
 * `head` is the beginning of the file (`HEAD_BYTES` are enough), `name` what the message calls it. Problems:
 * `NOT_A_SESSION` (empty, binary, or text and JSON that hold no session) and `FORMAT_UNKNOWN` (a known kind of session that this
 * version cannot read). Never throws.
 */
export function detectFormat(head: string | Uint8Array, name = "the input"): FormatId | Undetected {
  const seen = readHead(head);
  const format = FORMATS.find((one) => one.detect(seen));
  if (format) return format.id;
  const known = isHeadless(seen.text) ? undefined : RECOGNISED.find((one) => one.detect(seen));
  if (known) {
    return problem(
      "FORMAT_UNKNOWN",
      `${name} is a session of another kind (${known.title}), which this version cannot read; ${readable()}.`,
      {
        name,
        recognised: known.title,
      },
    );
  }
  const what = describe(seen.text);
  return problem("NOT_A_SESSION", `${name} ${what}; ${readable()}.`, { name });
}

function describe(text: string): string {
  if (text.trim() === "") return "is empty";
  if (text.includes("\0") || text.includes("\uFFFD")) return "is a binary file or not UTF-8, no session";
  const first = text.trimStart();
  if (isHeadless(first)) {
    return "has entries but no session header in front of them, so it is no session";
  }
  if (first.startsWith("{") || first.startsWith("[")) return "is JSON but holds no session";
  return "is text but no session";
}

/** Entries of ours whose header is gone [S6]; a message inside one looks like a provider's log. */
function isHeadless(text: string): boolean {
  const entry = /^\s*\{"type"\s*:\s*"(message|compaction|custom_message|model_change)"/;
  return entry.test(text) && /"(parentId|timestamp)"\s*:/.test(text);
}

function readable(): string {
  return `give a session file of ${FORMATS.map((one) => one.title).join(" or ")}`;
}

function problem(code: "NOT_A_SESSION" | "FORMAT_UNKNOWN", message: string, data: Record<string, unknown>): Undetected {
  return { problem: new EspalierError(code, message, data) };
}
