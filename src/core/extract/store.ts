import { clip } from "./cut.ts";
import { namesOf } from "./files.ts";
import { CAPS, type WorkState } from "./state.ts";
import type { Candidate, OpenFile, Work } from "./work.ts";

/** Names stored of a file. */
const MOST_NAMES = 10;

/**
 * The work as data to be stored, as `readState` reads it: the newest items of each list, the facts in their order, the
 * weightiest words. `part` is the share of the usual room that it may take.
 */
export function stateOf(
  work: Work,
  facts: readonly Candidate[],
  quoted: ReadonlyMap<string, string>,
  printed: readonly number[],
  part: number,
): Readonly<Record<keyof WorkState, unknown>> {
  const [first, ...requests] = [...work.requests.values()].map(({ id, text }, i, all) => ({
    id,
    text: clip(text, i === all.length - 1 ? CAPS.requests : CAPS.request),
  }));
  const directives = [...work.directives.values()];
  const binding = newest(
    [...directives.filter((quote) => !quote.strong), ...directives.filter((quote) => quote.strong)],
    CAPS.directives,
  );
  const files = [...work.files.values()];
  const known = newest(
    [...files.filter((file) => file.changes === 0), ...files.filter((file) => file.changes > 0)].map((file) => ({
      file,
      item: fileItem(file, work, quoted),
    })),
    CAPS.files * part,
    ({ item }) => item,
  );
  const order = new Map(files.map((file, i) => [file, i]));
  return {
    version: 1,
    messages: work.messages,
    requests: first ? [first, ...newest(requests, CAPS.requests * part)] : [],
    directives: directives.filter((quote) => binding.includes(quote)),
    files: known.sort((a, b) => (order.get(a.file) as number) - (order.get(b.file) as number)).map(({ item }) => item),
    runs: newest([...work.runs.values()].map(slim), CAPS.runs * part),
    todos: work.todos,
    todosId: work.todosId,
    question: work.question,
    facts: newest([...facts].reverse(), CAPS.facts * part, factItem)
      .sort((a, b) => a.at - b.at)
      .map(factItem),
    carried: newest(work.carried, CAPS.carried * part),
    printed,
    terms: heaviest(work, CAPS.terms * part),
  };
}

function fileItem(file: OpenFile, work: Work, quoted: ReadonlyMap<string, string>): object {
  const { path, changes, id, why } = file;
  const names = namesOf(file, work, MOST_NAMES).map((word) => work.lexicon.words[word]);
  const text = quoted.get(path) ?? "";
  const end = text.length > CAPS.quoted ? text.lastIndexOf("\n", CAPS.quoted) : text.length;
  return slim({ path, changes, id, names, why, text: text.slice(0, Math.max(0, end)) });
}

function factItem({ id, text, decision, path }: Candidate): object {
  return slim({ id, text, decision, path });
}

/** The last items whose JSON together is at most `chars` long, the newest whatever its length. */
function newest<T>(items: readonly T[], chars: number, stored: (item: T) => unknown = (item) => item): T[] {
  let left = chars;
  let from = items.length;
  while (from > 0) {
    left -= JSON.stringify(stored(items[from - 1] as T)).length + 1;
    if (left < 0 && from < items.length) break;
    from--;
  }
  return items.slice(from);
}

/** The item without what `readState` takes for granted: false, 0 and nothing. */
function slim(item: object): object {
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value && (!Array.isArray(value) || value.length > 0)),
  );
}

/** Weights of plain words are stored negative, so that names stay names. */
function heaviest(work: Work, most: number): [string, number][] {
  const { weight, words, name } = work.lexicon;
  const ids = words.map((_, id) => id).filter((id) => (weight[id] as number) > 0.2);
  ids.sort((a, b) => (weight[b] as number) - (weight[a] as number) || a - b);
  return ids.slice(0, most).map((id) => {
    const rounded = Math.round((weight[id] as number) * 100) / 100;
    return [words[id] as string, name[id] ? rounded : -rounded];
  });
}
