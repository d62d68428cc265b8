import { randomBytes } from "node:crypto";
import { EspalierError } from "../../errors.ts";
import type { Call, Command } from "../answer.ts";
import { count } from "../render/number.ts";
import { SILENT } from "../render/progress.ts";
import { summarizerOf } from "../summarizer.ts";
import { createSummaryServer } from "../summary-server.ts";

const PORT = 7717;
const HOST = "127.0.0.1";
/** Of the reserve, what a summary may take [M10]. */
const SHARE = 0.8;

/**
 * Answers requests for summaries until it is told to stop, the running ones to their end [M8].
 *
 * The token is that of `compaction.remoteTokenEnv`, or a fresh one that is shown once. A line a request goes to standard
 * error, nothing of its content.
 */
export const serve: Command = async (call) => {
  const { settings } = call.settings;
  const own = process.env[settings["compaction.remoteTokenEnv"]]?.trim();
  const token = own || randomBytes(24).toString("base64url");
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const writer = { ...withoutEndpoint(call), progress: SILENT };
  const server = createSummaryServer({
    summarizer: () => summarizerOf(writer),
    token,
    maxTokens: Math.max(1, Math.floor(settings["compaction.reserveTokens"] * SHARE)),
    log: (line) => log(`${new Date().toISOString()}  ${line}`),
  });
  const port = portOf(call.flags.port);
  const host = call.flags.host ?? HOST;
  const url = await server.listen(port, host).catch((cause: NodeJS.ErrnoException) => {
    const message = `It can't listen on ${host}:${port} (${cause.code}); choose another --port or --host.`;
    throw new EspalierError("USAGE", message, { host, port }, cause);
  });
  log(`Summaries at ${url} by ${summarizerOf(writer).id}. Ctrl-C stops.`);
  if (!own) log(`Token for this run, not shown again: ${token}`);
  if (host !== HOST && host !== "::1" && host !== "localhost") {
    log("Other machines reach it by plain HTTP; put a server with TLS in front of it.");
  }
  await told(call.signal);
  log("Stopping when the running requests are done.");
  const { requests } = await server.stop();
  return {
    document: { status: "stopped", url, requests },
    warnings: [],
    lines: () => [`Stopped after ${count(requests, "request")}.`],
  };
};

/** Resolves at Ctrl-C or SIGTERM. */
function told(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

/** Served to whoever asks, it must not ask an endpoint that may be itself. */
function withoutEndpoint(call: Call): Call {
  const settings = { ...call.settings.settings, "compaction.remoteEndpoint": undefined };
  return { ...call, settings: { ...call.settings, settings } };
}

function portOf(text: string | undefined): number {
  if (text === undefined) return PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new EspalierError("USAGE", `--port is "${text}"; it must be a number from 0 to 65535.`, {});
}
