import type { Entry } from "../session/entry.ts";
import { changesAll, type Measure } from "./measure.ts";
import { type Overflow, sentTokens } from "./overflow-reply.ts";

/** An estimate this much above what the provider counts is no error of the estimate any more. */
const BEYOND = 1.25;
/** Some servers count only what they had not cached: such small figures may well be equal. */
const SMALLEST = 4096;

/**
 * The overflow that a server hides by cutting what it is sent, or undefined [T4].
 *
 * The newest two replies count the same request to the token though the conversation grew, and our own estimate is a
 * quarter above that. `limitTokens` is what the server lets through.
 */
export function plateau(path: readonly Entry[], { newest }: Measure): Overflow | undefined {
  if (!newest || newest.estimated <= newest.measured * BEYOND) return undefined;
  let sent: number | undefined;
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index];
    if (!entry || changesAll(entry)) return undefined;
    if (entry.type !== "message" || entry.message?.role !== "assistant") continue;
    const { message } = entry;
    if (sent === undefined) {
      if (entry.id !== newest.entryId) return undefined;
      sent = sentTokens(message);
      if (sent < SMALLEST) return undefined;
    } else if (sentTokens(message) > 0) {
      const error = { kind: "overflow" as const, limitTokens: sent };
      return sentTokens(message) === sent && newest.entryId !== null
        ? { entryId: newest.entryId, by: "plateau", error }
        : undefined;
    }
  }
  return undefined;
}
