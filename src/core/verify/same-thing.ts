/** Words that say yes or no to what a sentence is about, by language; all lower case. Others carry its subject. */
const NO = words(`never no not don't dont doesn't mustn't cannot can't shouldn't avoid stop longer forbidden
  nunca jamás jamais não nie niemals nicht kein keine keinen jamais ne n' pas mai non никогда не нельзя`);
const YES = words(`always do must should shall may can please now ok okay actually again you also and so but then just
  siempre por favor ahora sempre agora immer bitte jetzt darfst toujours désormais maintenant adesso
  всегда можно пожалуйста теперь`);
/** The same in scripts without spaces between words. */
const GLUED_NO = /不要|请勿|切勿|禁止|严禁|不得|不能|不可以|不可|不准|绝不|别/g;
const GLUED_YES = /必须|务必|一定要|总是|始终|永远|现在|可以|请/g;
const GLUED = /[\u3040-\u30ff\u3400-\u9fff]/;

const WORD = /[\p{L}\p{M}\p{N}_./'@#%+-]+/gu;
const NUMBER = /^\d[\d.,]*$/;
/** May follow a number that names a thing (`line 10 in …`) and so are no units. */
const NO_UNITS = words("with from when that this into before after then only inside until over under");

/**
 * What a directive is about, for telling that a later one speaks of the same thing [V1].
 *
 * Two directives with one `subject` differ at most in saying yes or no, or in one number before its unit (`2 spaces`,
 * `4 spaces`); of these the newest holds. Sentences that say anything else differently never share a subject.
 */
export function subjectOf(directive: string): string {
  const lower = directive.toLowerCase().replaceAll("’", "'").normalize("NFC");
  if (GLUED.test(lower)) {
    const bare = lower
      .replace(GLUED_NO, "")
      .replace(GLUED_YES, "")
      .replace(/[\s。！，、.!,]+/g, "");
    return bare.length < 4 ? lower : bare;
  }
  const all = (lower.match(WORD) ?? []).map((word) => word.replace(/^[.'/-]+(?=\p{L})|[.']+$/gu, ""));
  const rest = all.filter((word) => word !== "" && !NO.has(word) && !YES.has(word));
  if (rest.length < 2) return lower.trim();
  const forbids = all.some((word) => NO.has(word));
  const number = forbids ? -1 : onlyMeasure(rest);
  return rest.map((word, at) => (at === number ? "0" : word)).join(" ");
}

/** Where the one number of a sentence stands, if a unit follows it; else -1. */
function onlyMeasure(list: readonly string[]): number {
  const at = list.findIndex((word) => NUMBER.test(word));
  const unit = list[at + 1] ?? "";
  const isMeasure = at >= 0 && unit.length >= 4 && !NO_UNITS.has(unit) && !/\d/.test(unit);
  return isMeasure && !list.slice(at + 1).some((word) => /\d/.test(word)) ? at : -1;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
