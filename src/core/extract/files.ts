import { type Cap, newCap, type Page, take } from "./budget.ts";
import { oneLine } from "./cut.ts";
import { type Told, tell } from "./facts.ts";
import { intern } from "./lexicon.ts";
import { fileLine, under } from "./print.ts";
import { sentences } from "./sentences.ts";
import { wordsOf } from "./words.ts";
import type { OpenFile, Work } from "./work.ts";

/** How many files tell in the assistant's words what was done to them. */
const MOST_WHYS = 12;
const LONGEST_WHY = 120;

/** The files that were changed, those touched last first, with the assistant's words for the newest; then those only read. */
export function addFiles(page: Page, work: Work, told: Told, cap: Cap): void {
  const { cwd } = work;
  const all = [...work.files.values()];
  const isToldBefore = work.behind.size > 0;
  if (!isToldBefore && all.some(({ path }) => under(cwd, path) !== path))
    take(page, "Done", whereFrom(work), -1e5, cap);
  const files = all.filter((file) => file.changes > 0);
  const put = (file: OpenFile, order: number, most: number, why: string): boolean => {
    const names = namesOf(file, work, most);
    if (!take(page, "Done", lineOf(file, names, work, why), order, cap)) return false;
    tell(told, names);
    tell(told, wordsOf(work.lexicon, file.path, 0, file.path.length, false));
    return true;
  };
  for (let i = files.length - 1; i >= 0; i--) {
    const age = files.length - 1 - i;
    const file = files[i] as OpenFile;
    const why = age < MOST_WHYS ? whyOf(file) : "";
    for (const most of age < 12 ? [8, 4, 0] : age < 40 ? [4, 0] : [0]) if (put(file, i, most, most ? why : "")) break;
  }
  const read = all.filter((file) => file.changes === 0);
  const rest = newCap(cap.left / 2);
  for (let i = read.length - 1; i >= Math.max(0, read.length - 30); i--) {
    const file = read[i] as OpenFile;
    const names = namesOf(file, work, 6);
    take(page, "Critical Context", lineOf(file, names, work, ""), -1e4 + i, rest);
    tell(told, names);
  }
}

function lineOf(file: OpenFile, names: readonly number[], { cwd, lexicon }: Work, why: string): string {
  return fileLine(
    file,
    cwd,
    names.map((word) => lexicon.words[word] as string),
    why,
  );
}

/** What relative paths are relative to, named where the conversation names it. */
function whereFrom({ cwd, lexicon }: Work): string {
  const folder = cwd.slice(0, -1);
  const isNamed = (lexicon.weight[intern(lexicon, folder, true)] as number) > 0;
  return `- Paths are relative to the working folder${isNamed ? ` ${folder}` : "."}`;
}

/** One sentence without what would end the quote early. */
function whyOf(file: OpenFile): string {
  const said = (sentences(oneLine(file.why))[0] ?? "").replace(/[:：]$/, "");
  return said.length <= LONGEST_WHY && !said.includes('"') ? said : "";
}

/** The names of a file by weight in the whole session, those it is alone with first. */
export function namesOf(file: OpenFile, work: Work, most: number): number[] {
  const worth = (word: number) =>
    (work.lexicon.weight[word] as number) * Math.log2(1 + (file.names.get(word) as number));
  return [...file.names.keys()]
    .filter(
      (word) =>
        !file.path.endsWith(work.lexicon.words[word] as string) && !isAddress(work.lexicon.words[word] as string),
    )
    .sort((a, b) => worth(b) - worth(a) || a - b)
    .slice(0, most);
}

/** The end of an address whose scheme a word does not hold. */
function isAddress(word: string): boolean {
  return word.startsWith("//");
}
