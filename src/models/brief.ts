const LONGEST = 300;
/** Whole characters only. */
const BEGINNING = new RegExp(`^.{0,${LONGEST}}`, "su");

/** What a server said as a part of one of our sentences: one line, at most 300 characters, no full stop. */
export function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const [shown = ""] = BEGINNING.exec(line) ?? [];
  return (shown.length < line.length ? `${shown}…` : line).replace(/[.\s]+$/, "");
}
