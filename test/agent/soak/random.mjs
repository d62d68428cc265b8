/** Numbers from 0 to 1 that follow from `seed`, always the same. */
export function randomOf(...seed) {
  let state = 2_166_136_261;
  for (const character of seed.join("/")) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const oneOf = (random, list) => list[Math.floor(random() * list.length)];
export const upTo = (random, most) => 1 + Math.floor(random() * most);

/** The value of one row `[weight, value]`, by weight. */
export function weighted(random, rows) {
  const all = rows.reduce((sum, [weight]) => sum + weight, 0);
  let at = random() * all;
  for (const [weight, value] of rows) {
    at -= weight;
    if (at < 0) return value;
  }
  return rows.at(-1)[1];
}

const WORDS = (
  "the parser fails on empty input when src/parse.ts reads a header of 4096 bytes so check version 2.3.1 first and run " +
  "npm test again because the cache in /var/cache/app was stale and error E1042 came back with code 137 " +
  "не удаляй файл и проверь ещё раз 日本語 のテスト を 実行 してください 설정 파일 확인 🚀 👩‍💻 naïve façade"
).split(" ");

/** About so many characters of words. */
export function words(random, length) {
  const said = [];
  for (let size = 0; size < length; ) {
    const word = oneOf(random, WORDS);
    said.push(word);
    size += word.length + 1;
  }
  return said.join(" ");
}
