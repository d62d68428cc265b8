/** Texts of bytes, in the encodings that files say they have. */
const BOMS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The encoding that `head`, the first bytes of a file, tells by its byte order mark; null when it is no text. */
export function encodingOf(head: Uint8Array): string | null {
  for (const [encoding, bytes] of BOMS) if (bytes.every((byte, at) => head[at] === byte)) return encoding;
  return head.includes(0) ? null : "utf-8";
}

/** `bytes` as UTF-8 with its byte order mark kept; undefined when they are not. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
