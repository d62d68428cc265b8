import { COMPACT_TOOL } from "../../core/context/compact-tool.ts";
import type { ToolCallBlock } from "../../core/session/message.ts";
import { type AutoCompactOptions, type AutoCompactOutcome, compressArray } from "./auto-compact.ts";
import { summaryIn } from "./compressed.ts";
import { withTexts } from "./micro-compact.ts";
import { type Reading, type Round, readArray } from "./reading.ts";
import type { ArrayFormat, ArrayView } from "./view.ts";
import { viewOf } from "./views.ts";

type Parameters = typeof COMPACT_TOOL.parameters;

/** The tool in the form of each provider. The AI SDK takes `tool({ description, inputSchema: jsonSchema(…) })` by name. */
export interface CompactTools {
  anthropic: { name: string; description: string; input_schema: Parameters };
  "openai-chat": { type: "function"; function: { name: string; description: string; parameters: Parameters } };
  "openai-responses": {
    type: "function";
    name: string;
    description: string;
    parameters: Parameters;
    strict: false;
  };
  "ai-sdk": { name: string; description: string; inputSchema: Parameters };
}

/** The `compact({ focus })` tool as the provider takes it, to be offered beside the others [R8]. */
export function compactTool<F extends ArrayFormat>(format: F): CompactTools[F] {
  viewOf(format);
  const { name, description, parameters } = COMPACT_TOOL;
  const named = { name, description };
  const tools: CompactTools = {
    anthropic: { ...named, input_schema: parameters },
    "openai-chat": { type: "function", function: { ...named, parameters } },
    "openai-responses": { type: "function", ...named, parameters, strict: false },
    "ai-sdk": { ...named, inputSchema: parameters },
  };
  return tools[format];
}

/** `none`: the newest batch asks for nothing. `waiting`: other results of the batch are still to come. */
export type CompactToolOutcome<M> =
  | AutoCompactOutcome<M>
  | { readonly status: "none" | "waiting"; readonly messages: M[] }
  | { readonly status: "refused"; readonly because: "just-compacted"; readonly messages: M[] };

const DONE = /^(?:Compacted|Not compacted): /;

/**
 * The array after the `compact` calls of its newest batch were served and answered [R8].
 *
 * Call it once the other results of the batch are in the array; a `compact` call needs none, a given one is replaced.
 * What stood before the batch becomes one `[compressed]` message, the batch stays, and the results say the tokens before
 * and after. Several calls of a batch are one. Right after a compaction, and when it comes to nothing, they say why not.
 */
export async function handleCompactTool<M extends object>(
  messages: readonly M[],
  options: AutoCompactOptions,
): Promise<CompactToolOutcome<M>> {
  const view = viewOf(options.format);
  const reading = readArray(messages, view);
  const round = reading.rounds.at(-1);
  const texts = new Map(
    reading.results.filter(({ at }) => round && at >= round.start).map(({ callId, text }) => [callId, text]),
  );
  const calls = (round?.calls ?? []).filter(
    (call) => call.name === COMPACT_TOOL.name && !DONE.test(texts.get(call.id) ?? ""),
  );
  if (!round || calls.length === 0) return { status: "none", messages: [...messages] };
  if (round.calls.some((call) => call.name !== COMPACT_TOOL.name && !texts.has(call.id))) {
    return { status: "waiting", messages: [...messages] };
  }

  const said = (text: string, array: readonly M[]) => answered(array, view, calls, text);
  if (isJustCompacted(reading, round)) {
    const text = "Not compacted: the conversation was compacted just now, and nothing has been added since.";
    return { status: "refused", because: "just-compacted", messages: said(text, messages) };
  }
  const accepted = said(COMPACT_TOOL.accepted, messages);
  const focus = [options.focus, ...calls.map(focusOf)].filter((each) => each !== undefined && each !== "");
  const all = { ...options, focus: [...new Set(focus)].join("\n") };
  const outcome = await compressArray(accepted, readArray(accepted, view), all, round.start);
  return { ...outcome, messages: said(resultOf(outcome), outcome.messages) };
}

/** The array with `text` as the result of each of `calls`, which are of its newest batch. */
function answered<M extends object>(
  messages: readonly M[],
  view: ArrayView,
  calls: readonly ToolCallBlock[],
  text: string,
): M[] {
  const { rounds, results } = readArray(messages, view);
  const { start = 0, end = 0 } = rounds.at(-1) ?? {};
  const given = results.filter(({ at, callId }) => at >= start && calls.some((call) => call.id === callId));
  const replaced = withTexts(
    messages,
    view,
    given.map((result) => ({ result, text })),
  );
  const open = calls.filter((call) => !given.some(({ callId }) => callId === call.id));
  if (open.length === 0) return replaced;
  const answers = open.map((call) => ({ callId: call.id, name: call.name, text }));
  return view.answer(replaced, end, answers) as M[];
}

/** True when between the newest compaction and `round` nobody asked anything and no other tool was used. */
function isJustCompacted({ messages, rounds }: Reading, round: Round): boolean {
  const from = messages.findIndex(({ message }) => message.role !== "system");
  const first = messages[from];
  if (!first || summaryIn(first.message) === null) return false;
  const asked = messages.some(({ at, message }, index) => index > from && at < round.start && message.role === "user");
  const worked = rounds.some((each) => each !== round && each.calls.some(({ name }) => name !== COMPACT_TOOL.name));
  return !asked && !worked;
}

function focusOf(call: ToolCallBlock): string {
  const { focus } = call.arguments;
  return typeof focus === "string" ? focus.trim() : "";
}

function resultOf(outcome: AutoCompactOutcome<object>): string {
  switch (outcome.status) {
    case "compacted":
      return `Compacted: ${outcome.tokensBefore} tokens before, ${outcome.tokensAfter} after.`;
    case "skipped":
      return "Not compacted: there is too little to replace.";
    case "cancelled":
      return "Not compacted: it was cancelled.";
    case "failed":
      return `Not compacted: ${outcome.error.message}`;
  }
}
