import { oneOf, randomOf, upTo, weighted, words } from "./random.mjs";

/** What the models are said to take. */
export const WINDOWS = { small: 16_000, tiny: 8_000, large: 32_000, boastful: 32_000 };
/** What one of them really takes. */
export const REAL = { boastful: 12_000 };
/** Tool rounds after which every turn comes to its end. */
const ROUNDS = 4;
const FILES = ["a.txt", "b.txt", "c.txt", "long.txt", "missing.txt"];
const TAG = /\[P(\d+)\]/g;

/**
 * What the fake provider says, by the seed and what it is asked: tool calls, texts, and now and then a failure.
 *
 * `asked` gives the prompt that is to be answered: a request in which it does not stand any more, not even in a summary,
 * is told to `complain`, and so is one that holds a prompt twice.
 */
export function providerScript(seed, asked, complain) {
  return (request, number) => {
    const random = randomOf(seed, "reply", number);
    const trouble = troubleOf(random, request);
    if (request.tools.length === 0) return trouble && random() < 0.5 ? trouble : summaryOf(request, random);
    const tags = request.messages.map(({ role, text }) => (role === "user" && /^\[P\d+\]/.exec(text)?.[0]) || "");
    const prompts = tags.filter(Boolean);
    if (new Set(prompts).size < prompts.length) complain(`request ${number}: a prompt stands in it twice (${prompts})`);
    const tag = asked();
    if (tag && !request.prompt.includes(tag)) complain(`request ${number} does not hold ${tag}, which it is to answer`);
    if (trouble) return trouble;
    const rounds = request.messages.slice(tags.findLastIndex(Boolean) + 1).filter(({ role }) => role === "results");
    const thinking = random() < 0.1 ? { thinking: words(random, 200) } : {};
    if (rounds.length < ROUNDS && random() < 0.65) {
      const calls = Array.from({ length: random() < 0.3 ? upTo(random, 4) : 1 }, () => callOf(random));
      return { ...thinking, text: random() < 0.5 ? words(random, 80) : "", toolCalls: calls };
    }
    const newest = prompts.at(-1) ?? tag ?? "[P?]";
    return { ...thinking, text: `Done: ${newest} ${words(random, upTo(random, random() < 0.1 ? 6_000 : 400))}` };
  };
}

/** A request is never called too long that is far from it: that would teach a window which no model has. */
function troubleOf(random, { model, tokens }) {
  const trouble = weighted(random, TROUBLES);
  return trouble?.fault === "overflow" && tokens < WINDOWS[model] * 0.6 ? undefined : trouble;
}

const TROUBLES = [
  [900, undefined],
  [20, { status: 429, message: "Rate limit reached, slow down.", headers: { "retry-after-ms": "5" } }],
  [20, { status: 500, message: "Internal server error" }],
  [10, { status: 529, message: "Overloaded" }],
  [30, { fault: "overflow" }],
  [10, { fault: "reset" }],
  [5, { fault: "invalid-json" }],
  [4, { fault: "wrong-type" }],
  [3, { fault: "hang" }],
  [2, { status: 401, message: "invalid key" }],
  [6, { text: "Cut in the mid", stop: "length" }],
  [3, { text: "", stop: "length" }],
  [5, ""],
];

/** A summary such as a model writes, with the prompts that it was about. */
function summaryOf({ prompt }, random) {
  const prompts = [...prompt.matchAll(TAG)].map(([tag]) => tag).slice(-5);
  const lines = ["## Goal", `Answer ${prompts.join(", ") || "the user"}.`, "", "## Progress", "### Done"];
  return [...lines, `- ${words(random, 200)}`, "", "## Next Steps", `- ${words(random, 80)}`].join("\n");
}

function callOf(random) {
  const path = oneOf(random, FILES);
  return weighted(random, [
    [30, { name: "bash", arguments: { command: commandOf(random) } }],
    [
      15,
      {
        name: "read",
        arguments: { path, ...(random() < 0.5 && { offset: upTo(random, 50), limit: upTo(random, 400) }) },
      },
    ],
    [
      8,
      {
        name: "write",
        arguments: { path: `made/${upTo(random, 9)}.txt`, content: words(random, upTo(random, 5_000)) },
      },
    ],
    [6, { name: "edit", arguments: { path, oldText: "line 1\n", newText: `line 1\n${words(random, 40)}\n` } }],
    [5, { name: "recall", arguments: { query: words(random, 20) } }],
    [3, { name: "compact", arguments: { focus: words(random, 30) } }],
    [2, { name: "no_such_tool", arguments: {} }],
    [2, { name: "read", arguments: {} }],
  ]);
}

function commandOf(random) {
  const bytes = upTo(random, random() < 0.15 ? 200_000 : 6_000);
  return weighted(random, [
    [6, `seq 1 ${Math.ceil(bytes / 5)}`],
    [3, `yes '${words(random, 30).replaceAll("'", "")}' | head -c ${bytes}`],
    [3, `head -c ${bytes} long.txt`],
    [2, "ls -la; wc -c *.txt"],
    [2, `echo ${upTo(random, 1e6)} >> a.txt; tail -n 3 a.txt`],
    [1, "echo failed >&2; exit 3"],
    [1, "printf 'no end of line'"],
    [1, "sleep 0.05; echo slept"],
    [1, "kill -9 $$"],
  ]);
}
