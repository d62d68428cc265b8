import type { AgentTool, AgentToolResult } from "@earendil-works/pi-agent-core";
import { cutHead, cutTail } from "../../core/context/text.ts";
import type { RecallHit } from "../../engine/recall.ts";
import type { Session } from "../../engine/session.ts";
import { EspalierError } from "../../errors.ts";
import { answer, count } from "./answer.ts";
import { argumentsOf, optionalCount, optionalText } from "./arguments.ts";
import { checkAborted, untilAborted } from "./interrupt.ts";

/** Characters of the whole answer to words, of one entry, and how far into an entry it reaches. */
const CHARS = { words: 8_000, entry: 20_000, furthest: 1_000_000 };
const MOST_HITS = 20;

const PARAMETERS = {
  type: "object",
  properties: {
    query: { type: "string", description: 'Words, or "a phrase in quotes".' },
    entryId: { type: "string", description: "One entry, by the id that stands behind # in summaries and answers." },
    offset: { type: "integer", minimum: 1, description: "With entryId: how many characters of it to skip." },
    limit: { type: "integer", minimum: 1, description: "With query: how many hits, 5 if not given." },
  },
};

/**
 * The tool `recall`: originals that the model does not see any more, by words or by entry id [R9].
 *
 * Bounded: some characters around each hit, 20,000 of an entry at once. Ids and where each original is stand in its head.
 */
export function createRecallTool(session: Pick<Session, "recall">): AgentTool {
  return {
    name: "recall",
    label: "recall",
    description:
      "Finds what was said or done earlier in this session and is not before you any more: summarised, cut or on another " +
      "branch. Search by words with query, or read one entry with entryId.",
    parameters: PARAMETERS,
    replay: "safe",
    execute: (_id, params, signal) => untilAborted(signal, recall(session, params, signal)),
  };
}

async function recall(session: Pick<Session, "recall">, params: unknown, signal?: AbortSignal) {
  const args = argumentsOf(params);
  checkAborted(signal);
  const entryId = optionalText(args, "entryId");
  if (entryId !== undefined) return readEntry(session, entryId, optionalCount(args, "offset") ?? 0);
  const query = optionalText(args, "query");
  if (query === undefined) throw new Error("Give words to look for as query, or the id of an entry as entryId.");
  return search(session, query, Math.min(optionalCount(args, "limit") ?? 5, MOST_HITS));
}

async function search(
  session: Pick<Session, "recall">,
  query: string,
  limit: number,
): Promise<AgentToolResult<unknown>> {
  const maxChars = Math.floor(CHARS.words / Math.max(limit, 5));
  const { hits, found, searched } = await session.recall({ words: query, limit, maxChars });
  if (hits.length === 0) {
    const text = `Nothing found in ${count(searched, "earlier entry", "earlier entries")}. Try other words, fewer of them.`;
    return answer(text, { found: 0 });
  }
  const head = `${count(hits.length, "hit")} of ${found.toLocaleString("en-US")}; read one whole with entryId.`;
  return answer([head, ...hits.map((hit) => shown(hit, hit.text, hit.cut))].join("\n\n"), { found });
}

async function readEntry(session: Pick<Session, "recall">, entryId: string, offset: number) {
  const { hits, found } = await entryOf(session, entryId, Math.min(offset + CHARS.entry + 1_024, CHARS.furthest));
  if (found > 1) {
    const ids = hits.map((hit) => `#${hit.entryId} (${hit.role})`).join(", ");
    return answer(`${count(found, "entry", "entries")} begin with ${entryId}: ${ids}. Give more of the id.`, { found });
  }
  const hit = hits[0] as RecallHit;
  const whole = hit.text.length + hit.cut;
  if (offset > 0 && offset >= hit.text.length) {
    throw new Error(
      `#${hit.entryId} has ${count(whole, "character")}; offset ${offset} is out of reach. Use query instead.`,
    );
  }
  const rest = cutTail(hit.text, hit.text.length - offset);
  const part = cutHead(rest.text, CHARS.entry);
  const next = rest.cut + part.text.length;
  const more = next < whole ? `\n[${count(whole - next, "character")} follow; read on with offset ${next}]` : "";
  return answer(shown(hit, part.text, 0) + more, { found });
}

async function entryOf(session: Pick<Session, "recall">, entryId: string, maxChars: number) {
  try {
    return await session.recall({ entryId, maxChars });
  } catch (error) {
    if (!EspalierError.is(error, "ENTRY_NOT_FOUND")) throw error;
    throw new Error(`There is no entry ${entryId} in this session; look for words of it with query.`, { cause: error });
  }
}

const PLACES = { summarised: "summarised", edited: "cut", branch: "on another branch", live: "still before you" };

function shown({ entryId, role, where }: RecallHit, text: string, cut: number): string {
  const more = cut > 0 ? `\n[${count(cut, "character")} of it not shown]` : "";
  return `#${entryId} · ${role} · ${PLACES[where]}\n${text}${more}`;
}
