import type { SummaryReply, SummaryRequest } from "../core/summary/request.ts";

/**
 * Writes a summary: by a model, over the network, or by the embedded extractor.
 *
 * `summarize` always settles: what goes wrong is a `failed` reply, an aborted signal an `aborted` one. It rejects only
 * on programming errors. It does not retry; `fallback` composes several behind this same port [M7].
 */
export interface Summarizer {
  /** Shown to the user and stored with the entry: `embedded`, `anthropic/claude-sonnet-4-5`. */
  readonly id: string;
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryReply>;
}
