import { brief } from "./brief.ts";
import { hostOf } from "./find.ts";
import type { Api, PiModel } from "./pi-ai.ts";
import type { Seen } from "./transport.ts";

/** One sentence on a request that failed, by what the wire showed, else by what the client `said`; keys are still in. */
export function failureSentence(model: PiModel<Api>, seen: Seen, said: string): string {
  const name = nameOf(model);
  const { status = 0, code, message } = seen;
  const detail = brief(message || said);
  if (status >= 400) return `${name} answered HTTP ${status}${detail ? `: ${detail}` : ""}.`;
  if (message) return `${name} could not be used: ${detail}.`;
  if (status === 0) return `${name} could not be reached (${code ?? detail}).`;
  if (code) return `The connection to ${name} broke off in the middle of its answer (${code}).`;
  return `${name} failed: ${detail}.`;
}

/** `provider/model at host`. */
export const nameOf = (model: PiModel<Api>) => `${model.provider}/${model.id} at ${hostOf(model.baseUrl)}`;

/** The message of whatever was thrown. */
export const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error ?? "no answer"));
