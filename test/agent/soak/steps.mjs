import { oneOf, randomOf, upTo, weighted, words } from "./random.mjs";

const MODELS = ["small", "small", "small", "tiny", "large", "boastful"];
/** Where something is done while a step runs: at the `nth` of these events. */
const EVENTS = [
  "message_update",
  "message_end",
  "message_stored",
  "tool_execution_start",
  "tool_execution_end",
  "turn_start",
  "turn_end",
  "compaction_start",
  "compaction_end",
  "prune",
  "retry_start",
  "branch_summary_start",
];

/**
 * What happens in step `number`, by the seed: the step itself, and what is done while it runs.
 *
 * `prompt` gives the text of a new prompt; `kills` is the share of the steps in which the process is killed.
 */
export function stepOf(seed, number, prompt, kills) {
  const random = randomOf(seed, "step", number);
  const step = weighted(random, [
    [80, () => ({ op: "prompt", text: prompt(random) })],
    [5, () => ({ op: "navigate", pick: random(), recent: random() < 0.8, summarize: random() < 0.5 })],
    [3, () => ({ op: "compact", ...(random() < 0.5 && { instructions: words(random, 40) }) })],
    [5, () => ({ op: "setModel", model: oneOf(random, MODELS) })],
    [1, () => ({ op: "undo" })],
    [1, () => ({ op: "redo" })],
    [1, () => ({ op: "back" })],
    [1, () => ({ op: "idle" })],
    [2, () => ({ op: "reopen" })],
  ])();
  if (step.op === "reopen") return step;
  const meanwhile = [];
  const at = () => ({ event: oneOf(random, EVENTS), nth: upTo(random, 3) });
  if (random() < kills) meanwhile.push({ ...at(), do: "kill" });
  for (let more = random(); more < 0.35; more = random()) {
    meanwhile.push({
      ...at(),
      ...weighted(random, [
        [20, () => ({ do: "abort" })],
        [25, () => ({ do: "steer", text: prompt(random) })],
        [20, () => ({ do: "followUp", text: prompt(random) })],
        [10, () => ({ do: "compact" })],
        [8, () => ({ do: "abortCompaction" })],
        [4, () => ({ do: "abortBranchSummary" })],
        [6, () => ({ do: "setModel", model: oneOf(random, MODELS) })],
        [7, () => ({ do: "navigate", pick: random(), recent: true, summarize: random() < 0.5 })],
      ])(),
    });
  }
  return { ...step, meanwhile };
}
