import { setImmediate as loopTurn } from "node:timers/promises";
import { scriptCounter } from "../core/context/tokens.ts";
import { EspalierError } from "../errors.ts";
import type { ModelApi } from "../models/index.ts";
import { checkEndpoint } from "../models/remote.ts";
import type { Summarizer, SummaryProgress } from "../ports/summarizer.ts";
import type { Call } from "./answer.ts";

/**
 * Who writes the summaries of this call: the remote endpoint, the models of `--model` or the settings in their order,
 * then the embedded summariser unless the setting `fallback` is `fail`; with nobody else the embedded one alone.
 *
 * Nothing is loaded before the first request; `writer` is then asked for the models, where they depend on the session.
 * A model without a key counts as one that failed, with its reason.
 */
export function summarizerOf(call: Call, writer?: () => string | undefined): Summarizer {
  const names = () => (writer ? namesIn(writer()) : modelNames(call));
  // Wrong usage is told before any work.
  const first = names()[0];
  const endpoint = endpointOf(call);
  let opened: Promise<Summarizer> | undefined;
  return {
    id: endpoint ? `remote/${endpoint.host}` : (first ?? "embedded"),
    async summarize(request, signal, report) {
      opened ??= open(call, names(), endpoint);
      return (await opened).summarize(request, signal, (progress) => {
        const label = labelOf(progress);
        if (label) call.progress.step(label);
        report?.(progress);
      });
    },
  };
}

/** Throws `USAGE` for a server that is given without a model. */
function modelNames({ settings, flags }: Call): string[] {
  const given = namesIn(settings.settings["compaction.model"]);
  if (given.length === 0 && flags.baseUrl !== undefined) {
    throw new EspalierError("USAGE", "--base-url needs --model provider/id, the name that the server knows.", {});
  }
  return given;
}

const namesIn = (text = ""): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** Throws `SETTING_INVALID` for an endpoint that may not be used. */
function endpointOf({ settings: { settings, origins } }: Call): URL | undefined {
  const endpoint = settings["compaction.remoteEndpoint"];
  if (endpoint === undefined) return undefined;
  const source = origins["compaction.remoteEndpoint"];
  return checkEndpoint(endpoint, { source, allowInsecure: settings["compaction.remoteInsecure"] });
}

async function open(call: Call, names: readonly string[], endpoint?: URL): Promise<Summarizer> {
  const { settings } = call.settings;
  const { embeddedSummarizer } = await import("../summarizers/embedded.ts");
  const embedded = interruptible(embeddedSummarizer({ counter: scriptCounter }));
  if (names.length === 0 && !endpoint) return embedded;
  const { fallbackSummarizer } = await import("../summarizers/fallback.ts");
  const candidates: Summarizer[] = endpoint ? [await remote(call, endpoint)] : [];
  for (const name of names) candidates.push(await candidate(call, name));
  return fallbackSummarizer(candidates, settings.fallback === "embedded" ? { last: embedded } : {});
}

async function candidate(call: Call, model: string): Promise<Summarizer> {
  const { flags } = call;
  const { settings } = call.settings;
  // The clients below would print parts of answers that they can't read.
  for (const name of ["OPENAI_LOG", "ANTHROPIC_LOG"]) process.env[name] ??= "off";
  const [{ openModel }, { llmSummarizer }] = await Promise.all([
    import("../models/index.ts"),
    import("../summarizers/llm.ts"),
  ]);
  try {
    const asked = await openModel({
      model,
      definitions: settings.models,
      timeoutMs: settings["compaction.timeout"],
      ...(flags.baseUrl !== undefined && { baseUrl: flags.baseUrl }),
      ...(flags.api !== undefined && { api: flags.api as ModelApi }),
      ...(flags.apiKeyEnv !== undefined && { apiKeyEnv: flags.apiKeyEnv }),
      ...(flags.modelWindow !== undefined && { contextWindow: tokensOf(flags.modelWindow) }),
    });
    const { redactSecrets } = settings;
    return llmSummarizer(asked, { thinking: settings["compaction.thinking"], redactSecrets });
  } catch (error) {
    if (EspalierError.is(error, "KEY_MISSING")) return unavailable(model, error.message);
    throw error;
  }
}

async function remote(call: Call, endpoint: URL): Promise<Summarizer> {
  const { settings } = call.settings;
  const [{ remoteModel }, { remoteSummarizer }] = await Promise.all([
    import("../models/remote.ts"),
    import("../summarizers/remote.ts"),
  ]);
  const token = process.env[settings["compaction.remoteTokenEnv"]]?.trim();
  const model = remoteModel({
    endpoint: endpoint.href,
    contextWindow: settings["compaction.remoteWindow"],
    timeoutMs: settings["compaction.timeout"],
    allowInsecure: settings["compaction.remoteInsecure"],
    ...(token && { token }),
  });
  return remoteSummarizer(model, { redactSecrets: settings.redactSecrets });
}

/** A number of tokens as it was typed. Throws `USAGE`. */
export function tokensOf(text: string): number {
  const tokens = Number(text.replace(/[_,](?=\d{3})/g, ""));
  if (Number.isInteger(tokens) && tokens >= 1024) return tokens;
  throw new EspalierError("USAGE", `--model-window is "${text}"; it must be an integer of at least 1024 (tokens).`, {});
}

function unavailable(id: string, reason: string): Summarizer {
  return { id, summarize: async () => ({ kind: "failed", reason, retryable: false, failure: "auth" }) };
}

/** The embedded one works without a pause; the loop must turn once before its answer counts, or no Ctrl-C is heard. */
function interruptible(summarizer: Summarizer): Summarizer {
  return {
    id: summarizer.id,
    async summarize(request, signal) {
      const reply = await summarizer.summarize(request, signal);
      await loopTurn();
      return signal.aborted ? { kind: "aborted" } : reply;
    },
  };
}

function labelOf(progress: SummaryProgress): string | undefined {
  switch (progress.kind) {
    case "asking": {
      const part = progress.chunk ? `, part ${progress.chunk} of ${progress.chunks}` : "";
      return `Asking ${progress.model}${part}`;
    }
    case "failed":
      return progress.waitMs === undefined
        ? undefined
        : `${progress.reason} Trying again in ${Math.ceil(progress.waitMs / 1000)} s`;
    default:
      return undefined;
  }
}
