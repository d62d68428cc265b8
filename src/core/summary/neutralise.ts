/** Tags that divide a request or a stored summary; in content they are only text. */
const TAGS = [
  "conversation",
  "previous-summary",
  "additional-context",
  "summary",
  "last-user-request",
  "open-tool-calls",
  "read-files",
  "modified-files",
  "pinned",
];
/** Each run of white space can be read in one way only, so that no text makes it slow. */
const TAG = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${TAGS.join("|")})\\b)`, "gi");
/** `<|endoftext|>` and its like, which some servers take for their own. */
const SPECIAL_TOKEN = /<\|(?=[\w▁.-]{1,64}\|>)/g;
/** What the transcript's own headers look like, at the beginning of a line. */
const HEADER =
  /^\[(?=(?:User|Assistant|Tool|Developer|Note|Extension|Earlier summary|Summary of)\b[^\]\n]{0,200}\]:)/gm;

/**
 * `text` in which nothing can be taken for a divider of the request that it is put into [M3].
 *
 * A backslash is set into the request's own tags, into the transcript's headers and into special tokens of models; the
 * words stay readable, and a text without them comes back as it is. Doing it twice changes nothing more.
 */
export function neutralise(text: string): string {
  return text.replace(TAG, "<\\").replace(SPECIAL_TOKEN, "<\\|").replace(HEADER, "\\[");
}
