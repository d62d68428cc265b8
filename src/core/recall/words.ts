const LONGEST = 200;
const SEGMENT = 1_000;

/** A run that can be one identifier, path or version: letters and digits joined by the signs that such names use. */
const NAME = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$./\\:@#-]*/gu;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

let segmenter: Intl.Segmenter | undefined;

/** `text` with case and composition out of the way, as words are compared [R9]. */
export const fold = (text: string): string => text.normalize("NFC").toLowerCase();

/**
 * The words of a query to search by, folded, in order, repeats included [R9].
 *
 * A name is given whole, by its last part after a slash, and by its parts: `src/parseArgs.ts` is itself, `parseArgs.ts`,
 * `src`, `parseargs`, `parse`, `args` and `ts`. Scripts without spaces are left to `unspacedWords`.
 */
export function* searchWords(text: string): Generator<string> {
  for (const [run] of text.normalize("NFC").matchAll(NAME)) {
    const name = run.replace(/[./\\:@#-]+$/, "");
    if (name.length > LONGEST * 10) continue;
    const whole = fold(name);
    let inner = 0;
    for (const [part] of name.matchAll(PART)) {
      const folded = fold(part);
      if (folded !== whole) inner++;
      for (const spaced of folded.split(UNSPACED)) if (spaced !== "" && spaced.length <= LONGEST) yield spaced;
      const humps = part.split(CAMEL);
      if (humps.length > 1) for (const hump of humps) if (hump.length <= LONGEST) yield fold(hump);
    }
    if (inner === 0 || whole.length > LONGEST) continue;
    yield whole;
    const last = whole.split(/[/\\]/).at(-1) ?? "";
    if (last !== whole && last !== "") yield last;
  }
}

/**
 * The words of `text` in scripts that put no spaces between them, by the segments of the language's dictionary [R9].
 *
 * They are looked for as they stand anywhere in a text, since a dictionary may part the same words differently there.
 */
export function* unspacedWords(text: string): Generator<string> {
  for (const [run] of fold(text).matchAll(UNSPACED)) {
    segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
    for (let at = 0; at < run.length; at += SEGMENT) {
      for (const { segment, isWordLike } of segmenter.segment(run.slice(at, at + SEGMENT)))
        if (isWordLike) yield segment;
    }
  }
}
