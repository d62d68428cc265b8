/** The process that is killed: an agent session over a file, told by its parent what to do. */
import { createAgentSession } from "../../../dist/agent/index.js";
import { createTools } from "../../../dist/agent/tools/index.js";
import { openSession } from "../../../dist/index.js";
import { openChatModel, openModel } from "../../../dist/models/index.js";
import { embeddedSummarizer, fallbackSummarizer, llmSummarizer } from "../../../dist/summarizers/index.js";
import { WINDOWS } from "./provider.mjs";
import { createWatch } from "./watch.mjs";

const SETTINGS = { pruning: { protectTokens: 2_000, minSavings: 500 }, compaction: { timeout: 2_000 } };
const PATIENCE = { firstWaitMs: 5 };
let agent;
let given;
let watch;
let heard = () => {};

const ops = {
  async open(options) {
    given = options;
    const { file, cwd, model, isNew } = options;
    const summaries = await openModel({ ...at(model), timeoutMs: 1_500 });
    const summarizer = fallbackSummarizer([llmSummarizer(summaries, { patience: PATIENCE })], {
      last: embeddedSummarizer(),
    });
    const session = await openSession(file, {
      ...(isNew && { create: { cwd } }),
      settings: { ...SETTINGS, contextWindow: WINDOWS[model] },
      ...(options.asksModel && { summarizer }),
    });
    const tools = createTools({ cwd, session, allowAll: true });
    agent = await createAgentSession({
      session,
      model: await chatModel(model),
      tools,
      systemPrompt: "You work on the files of this folder.",
      patience: PATIENCE,
    });
    watch = createWatch();
    agent.subscribe((event) => {
      watch.hear(event);
      heard(event.type);
    });
    return { warnings: session.warnings.map(({ message }) => message) };
  },

  /** One step, with what is done meanwhile; ends when nothing runs any more. */
  async step({ op, meanwhile = [], ...args }) {
    const seen = {};
    const also = [];
    let waiting = meanwhile;
    heard = (type) => {
      seen[type] = (seen[type] ?? 0) + 1;
      const due = waiting.filter(({ event, nth }) => event === type && nth === seen[type]);
      if (due.length === 0) return;
      waiting = waiting.filter((action) => !due.includes(action));
      for (const { do: what, ...more } of due) {
        if (what === "kill") process.kill(process.pid, "SIGKILL");
        also.push(act(what, more));
      }
    };
    const outcome = await act(op, args);
    while (also.length > 0) await also.shift().then((end) => ends.push(end));
    await agent.whenIdle();
    heard = () => {};
    return { outcomes: [outcome, ...ends.splice(0)], faults: watch.faults() };
  },

  /** What the rules promise between two steps; `deep` also reads the whole file. */
  async check({ deep }) {
    const faults = [];
    const { session } = agent;
    const live = await session.context();
    const again = await openSession(given.file, { readOnly: true, settings: SETTINGS });
    const [before, after] = [live, await again.context()].map(({ messages }) =>
      messages.map((item) => JSON.stringify(item)),
    );
    const differs = before.findIndex((text, at) => text !== after[at]);
    if (differs >= 0 || before.length !== after.length) {
      faults.push(
        `the context after reopening differs at message ${differs} of ${before.length}/${after.length}: ` +
          `${before[differs]?.slice(0, 300)} | ${after[differs]?.slice(0, 300)}`,
      );
    }
    if (again.leafId !== session.leafId)
      faults.push(`the leaf after reopening is ${again.leafId}, not ${session.leafId}`);
    if (deep) faults.push(...(await unexplained(again)));
    await again.close();
    if (agent.isBusy) faults.push("it is busy though it should be idle");
    return {
      faults,
      counts: watch.counts,
      tokens: agent.contextUsage().tokens,
      memory: process.resourceUsage().maxRSS,
    };
  },

  async dispose() {
    await agent.dispose();
    return { faults: watch.faults(), counts: watch.counts };
  },
};

/** Every entry of the path is told of, once [X8, I1]. */
async function unexplained(session) {
  const { entries, counts } = await session.explain();
  const listed = new Set(entries.map(({ id }) => id));
  const missing = (await session.tree()).path(session.leafId).filter((id) => !listed.has(id));
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [
    ...(missing.length > 0 ? [`explain leaves out ${missing}`] : []),
    ...(counted === listed.size ? [] : [`explain counts ${counted} of ${listed.size} entries`]),
  ];
}

const ends = [];

/** How an action ended, in words that say whether it had a reason. */
async function act(what, args) {
  const { text, instructions, model } = args;
  try {
    switch (what) {
      case "prompt":
      case "steer":
      case "followUp":
        return { what, text, ...told(await agent[what](text)) };
      case "continue":
        return { what, ...told(await agent.continue()) };
      case "abort":
        return { what, status: "done", givenBack: await agent.abort() };
      case "compact":
        return { what, ...told(await agent.compact(instructions)) };
      case "abortCompaction":
      case "abortBranchSummary":
        return { what, status: "done", ...agent[what]() };
      case "setModel":
        await agent.setModel(await chatModel(model));
        return { what, status: "done", model };
      case "navigate":
        return { what, ...told(await agent.navigateTree(await target(args), { summarize: args.summarize })) };
      case "idle":
        return { what, status: (await agent.maintainIdle()).decision.kind };
      default:
        return { what, ...told(await agent.session[what]()) };
    }
  } catch (error) {
    return {
      what,
      status: "rejected",
      code: error.code,
      message: error.message,
      stack: error.code ? undefined : error.stack,
    };
  }
}

function told({ status, reply, error, reason, because }) {
  const text = reply?.content.map((block) => block.text ?? "").join("");
  return { status, ...(reply && { answer: text }), code: error?.code, message: error?.message ?? reason ?? because };
}

/** An entry to go to: a message of the path, most often one of the last, or any of the tree. */
async function target({ pick, recent }) {
  const tree = await agent.session.tree();
  const path = [...tree.path(agent.session.leafId)];
  const ids = recent ? path.slice(-30) : [...tree.ids()];
  return ids[Math.floor(pick * ids.length)] ?? null;
}

const at = (model) => ({
  model: `fake/${model}`,
  baseUrl: given.baseUrl,
  api: given.api,
  contextWindow: WINDOWS[model],
  env: {},
});
const chatModel = (model) => openChatModel({ ...at(model), timeoutMs: 1_500 });

process.on("disconnect", () => process.exit());
process.on("message", async ({ op, args }) => {
  try {
    process.send({ op, result: await ops[op](args) });
  } catch (error) {
    process.send({ op, error: error.stack });
  }
});
