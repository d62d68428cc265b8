import { namesOf } from "./compose.ts";
import { clip } from "./cut.ts";
import { CAPS, type WorkState } from "./state.ts";
import type { Candidate, Work } from "./work.ts";

const LONGEST_REQUEST = 2000;
const MOST_FACT_TEXT = 40_000;

/** The work as data to be stored: the newest items of each list, the facts in their order, the weightiest words. */
export function stateOf(
  work: Work,
  facts: readonly Candidate[],
  quoted: ReadonlyMap<string, string>,
  printed: readonly number[],
): WorkState {
  const { lexicon } = work;
  const requests = [...work.requests.values()];
  const directives = [...work.directives.values()];
  const strong = new Set(directives.filter((quote) => quote.strong).slice(-CAPS.directives));
  const weak = new Set(
    directives.filter((quote) => !quote.strong).slice(strong.size - CAPS.directives || CAPS.directives),
  );
  const files = [...work.files.values()];
  const changed = files.filter((file) => file.changes > 0).slice(-CAPS.files);
  const kept = new Set([
    ...files.filter((file) => file.changes === 0).slice(changed.length - CAPS.files || CAPS.files),
    ...changed,
  ]);
  return {
    version: 1,
    messages: work.messages,
    requests: [...requests.slice(0, 1), ...requests.slice(1).slice(1 - CAPS.requests)].map((quote, i, all) => ({
      id: quote.id,
      text: i === all.length - 1 ? quote.text : clip(quote.text, LONGEST_REQUEST),
    })),
    directives: directives.filter((quote) => strong.has(quote) || weak.has(quote)),
    files: files
      .filter((file) => kept.has(file))
      .map((file) => ({
        path: file.path,
        changes: file.changes,
        id: file.id,
        names: namesOf(file, work, 14).map((word) => lexicon.words[word] as string),
        why: file.why,
        text: quoted.get(file.path) ?? "",
      })),
    runs: [...work.runs.values()].slice(-CAPS.runs),
    todos: work.todos,
    todosId: work.todosId,
    question: work.question,
    facts: withinSize(facts.slice(0, CAPS.facts))
      .sort((a, b) => a.at - b.at)
      .map(({ id, text, decision, path }) => ({ id, text, decision, path })),
    carried: work.carried.slice(-CAPS.carried),
    printed,
    terms: heaviest(work),
  };
}

/** The first facts, printed ones before the rest, whose texts together stay within `MOST_FACT_TEXT`. */
function withinSize(facts: readonly Candidate[]): Candidate[] {
  let size = 0;
  return facts.filter((fact) => {
    size += fact.text.length + fact.path.length;
    return size <= MOST_FACT_TEXT;
  });
}

/** Weights of plain words are stored negative, so that names stay names. */
function heaviest(work: Work): [string, number][] {
  const { weight, words, name } = work.lexicon;
  const ids = words.map((_, id) => id).filter((id) => (weight[id] as number) > 0.2);
  ids.sort((a, b) => (weight[b] as number) - (weight[a] as number) || a - b);
  return ids.slice(0, CAPS.terms).map((id) => {
    const rounded = Math.round((weight[id] as number) * 100) / 100;
    return [words[id] as string, name[id] ? rounded : -rounded];
  });
}
