/**
 * Whether `pattern` covers all of `items`; a part that is a gap stands for any number of them.
 *
 * At most items × pattern steps, so that no pattern hangs.
 */
function covers<T>(
  pattern: readonly T[],
  items: readonly T[],
  isGap: (part: T) => boolean,
  fits: (part: T, item: T) => boolean,
): boolean {
  let at = 0;
  let gap = -1;
  let resume = 0;
  for (let i = 0; i < items.length; ) {
    const part = pattern[at];
    if (part !== undefined && isGap(part)) {
      gap = at++;
      resume = i;
    } else if (part !== undefined && fits(part, items[i] as T)) {
      at++;
      i++;
    } else if (gap >= 0) {
      at = gap + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (at < pattern.length && isGap(pattern[at] as T)) at++;
  return at === pattern.length;
}

/** Whether `text` is `pattern`, where `*` stands for any characters. */
export function matchesText(pattern: string, text: string): boolean {
  return covers(
    pattern.split(""),
    text.split(""),
    (part) => part === "*",
    (part, item) => part === item,
  );
}

/** Whether `path` is `pattern`, where `*` stands for characters of one name and `**` for any folders. */
export function matchesPath(pattern: string, path: string): boolean {
  return covers(pattern.split("/"), path.split("/"), (part) => part === "**", matchesText);
}
