import { LANGUAGES, type Language } from "./language.ts";
import { proseLines, sentences, withoutBullet } from "./sentences.ts";

/** A sentence of the user that binds later work. `strong`: a prohibition or an obligation, not a wish. */
export interface Directive {
  readonly text: string;
  readonly strong: boolean;
}

const LONGEST = 400;
/** So much of a text shows its language. */
const SAMPLE = 1500;
/** Of a very long message (a pasted document) only this much at each end is the user talking. */
const ENDS = 6000;

/** Errors and warnings that the user pasted say "no", "must" and "cannot" as well. */
const MACHINE = /^["'`]?(?:uncaught )?(?:[\w.]*(?:error|exception|warning|fatal|panic)(?: \w+)?:|traceback \(|npm )/i;

/**
 * The directives in a user's own words, verbatim, in order [M9].
 *
 * Questions, code, quotes, pasted errors and sentences of more than 400 characters are none. Markers come from the table of languages;
 * those of English hold in every language.
 */
export function directivesIn(text: string): Directive[] {
  const own = text.length > 2 * ENDS ? `${text.slice(0, ENDS)}\n${text.slice(-ENDS)}` : text;
  const spoken = languagesOf(own);
  const found: Directive[] = [];
  for (const line of proseLines(own)) {
    for (const sentence of sentences(withoutBullet(line))) {
      if (MACHINE.test(sentence)) continue;
      if (sentence.length > LONGEST || sentence.length < 5 || /[?？]["')\]]*$/.test(sentence)) continue;
      const force = forceOf(sentence.toLowerCase().replaceAll("’", "'"), spoken);
      if (force) found.push({ text: sentence, strong: force === 2 });
    }
  }
  return found;
}

/** The languages a text is written in: those whose common words it uses most, and always English. */
export function languagesOf(text: string): Language[] {
  const sample = text.slice(0, SAMPLE).toLowerCase();
  const words = sample.match(/[\p{L}\p{M}']+/gu) ?? [];
  let best = LANGUAGES.en as Language;
  let most = 0;
  const glued: Language[] = [];
  for (const language of Object.values(LANGUAGES)) {
    if (language.glued) {
      if (language.common.some((mark) => sample.includes(mark))) glued.push(language);
      continue;
    }
    const common = commonWords(language);
    let hits = 0;
    for (const word of words) if (common.has(word)) hits++;
    if (hits > most) {
      most = hits;
      best = language;
    }
  }
  return [...new Set([LANGUAGES.en as Language, best, ...glued])];
}

/** Does a sentence of prose, in lower case, say one of `markers` of any of the languages? */
export function says(lower: string, of: (language: Language) => readonly string[], spoken: Language[]): boolean {
  const text = pad(lower);
  return spoken.some((language) => {
    const markers = of(language);
    return language.glued ? markers.some((marker) => lower.includes(marker)) : anyOf(markers).test(text);
  });
}

/** Matches any of the markers between spaces: one pass over the text instead of one a marker. */
function anyOf(markers: readonly string[]): RegExp {
  let pattern = patterns.get(markers);
  if (!pattern) {
    const plain = markers.map((marker) => marker.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    pattern = new RegExp(` (?:${plain.join("|")}) `);
    patterns.set(markers, pattern);
  }
  return pattern;
}
const patterns = new WeakMap<readonly string[], RegExp>();

function forceOf(lower: string, spoken: Language[]): 0 | 1 | 2 {
  if (says(lower, (language) => language.strong, spoken) || opensWithProhibition(lower, spoken)) return 2;
  return says(lower, (language) => language.weak, spoken) ? 1 : 0;
}

function opensWithProhibition(lower: string, spoken: Language[]): boolean {
  for (const clause of lower.split(/[,;:(—–]| - /)) {
    const words = pad(clause).trim().split(" ");
    for (const language of spoken) {
      let at = 0;
      while (at < words.length - 2 && language.polite?.includes(words[at] as string)) {
        if (language.opening?.includes(words[at] as string) && !language.polite.includes(words[at + 1] as string))
          break;
        at++;
      }
      const one = words[at];
      const two = `${one} ${words[at + 1]}`;
      const width = language.opening?.includes(two) ? 2 : language.opening?.includes(one as string) ? 1 : 0;
      const next = words[at + width];
      if (width && next && !language.unless?.includes(next)) return true;
    }
  }
  // Two words deep inside a sentence, after a conjunction: "fix it and don't touch the tests".
  return /(?:^|[\s,.;:(])(?:and|but|please|so|just|also) (?:do not|don't|dont) [a-z]/.test(lower);
}

function pad(lower: string): string {
  return ` ${lower.replace(/[^\p{L}\p{M}\p{N}'_-]+/gu, " ").trim()} `;
}

const cache = new WeakMap<Language, Set<string>>();
function commonWords(language: Language): Set<string> {
  let set = cache.get(language);
  if (!set) {
    set = new Set(language.common);
    cache.set(language, set);
  }
  return set;
}
