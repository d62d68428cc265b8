import { textOf, toolCallsOf } from "../context/blocks.ts";
import { saidByUser } from "../context/own-words.ts";
import type { ContextMessage } from "../context/projection.ts";
import type { CompactionPlan } from "../plan/plan.ts";
import type { Message, ToolCallBlock } from "../session/message.ts";
import type { AnchorKind } from "./anchor-kind.ts";
import { scanAnchors } from "./anchors.ts";

/** An anchor that the new context does not hold, and the newest entry that did. */
export interface LostAnchor {
  readonly text: string;
  readonly kind: AnchorKind;
  readonly entryId: string;
  /** Somebody said it or used it in a call; others stood only in what tools gave back. */
  readonly used: boolean;
}

/** How many distinct anchors the replaced text had, and which of them the new context lacks, weightiest first. */
export interface Loss {
  readonly anchors: number;
  readonly lost: number;
  readonly top: readonly LostAnchor[];
}

/** Anchors of what a plan replaces, gathered once and held against any new context. */
export interface Replaced {
  /** What of it a context of `summary` and the plan's kept messages lacks. `most` bounds `top`. */
  lossIn(summary: string, most?: number): Loss;
}

const TOP = 50;
/** So many distinct anchors are told apart; a session with more has lists of data in it. */
const MOST = 300_000;
const BY = { user: 4, used: 2, output: 0.4 };
const KIND: Readonly<Record<AnchorKind, number>> = {
  error: 1.4,
  path: 1.2,
  url: 1.2,
  identifier: 1,
  version: 0.9,
  number: 0.7,
  name: 0.7,
  hash: 0.6,
  command: 0.6,
};

interface Seen {
  readonly kind: AnchorKind;
  entryId: string;
  /** In how many messages it stands, and in which last. */
  times: number;
  at: number;
  by: number;
}

/** The anchors of everything that `plan` takes out of the context, the previous summary included [V2]. Linear. */
export function replacedBy(plan: CompactionPlan): Replaced {
  const seen = new Map<string, Seen>();
  const memo = new Map<string, AnchorKind | null>();
  const all = [...plan.messagesToSummarize, ...plan.turnPrefixMessages];
  const note = (entryId: string, at: number, by: number) => (text: string, kind: AnchorKind) => {
    const known = seen.get(text);
    if (!known) {
      if (seen.size < MOST) seen.set(text, { kind, entryId, times: 1, at, by });
      return;
    }
    if (known.at !== at) known.times++;
    known.entryId = entryId;
    known.at = at;
    if (by > known.by) known.by = by;
  };
  if (plan.previous) readSummary(String(plan.previous.summary ?? ""), plan.previous.id, (id) => note(id, 0, BY.used));
  all.forEach(({ entryId, message }, at) => {
    for (const { text, by, prose } of textsOf(message)) scanAnchors(text, note(entryId, at + 1, by), { prose, memo });
    for (const command of commandsOf(message)) note(entryId, at + 1, BY.used)(command, "command");
  });
  const kept = wordsOf(plan.keptMessages);
  const scoreOf = ({ kind, times, at, by }: Seen) => {
    const rarity = Math.log(1 + all.length / times) / Math.log(2 + all.length);
    return KIND[kind] * by * (0.3 + (0.7 * at) / (all.length + 1)) * (0.5 + rarity);
  };

  return {
    lossIn(summary, most = TOP) {
      const there = addWords(new Set<string>(), summary);
      const isThere = (word: string) => there.has(word) || kept.has(word);
      const lost = [...seen].filter(([text, { kind }]) => !stands(text, kind, isThere));
      const top = lost
        .map(([text, one]) => ({ text, one, score: scoreOf(one) }))
        .sort((a, b) => b.score - a.score || b.one.times - a.one.times || (a.text < b.text ? -1 : 1))
        .slice(0, most)
        .map(({ text, one }) => ({ text, kind: one.kind, entryId: one.entryId, used: one.by > BY.output }));
      return { anchors: seen.size, lost: lost.length, top };
    },
  };
}

/** A path stands when its end does, two names at least; several words when each of them does. */
function stands(text: string, kind: AnchorKind, isThere: (word: string) => boolean): boolean {
  if (isThere(text)) return true;
  if (kind === "path" || kind === "url") {
    for (let at = text.indexOf("/", 1); at > 0; at = text.indexOf("/", at + 1)) {
      const rest = text.slice(at + 1);
      if (rest.includes("/") && isThere(rest)) return true;
    }
    return false;
  }
  if (kind !== "command" && kind !== "name" && kind !== "number") return false;
  let every = true;
  let any = false;
  scanAnchors(
    text,
    (word) => {
      any = true;
      every &&= isThere(word);
    },
    { all: true },
  );
  return any && every;
}

function wordsOf(messages: readonly ContextMessage[]): Set<string> {
  const words = new Set<string>();
  for (const { message } of messages) for (const { text } of textsOf(message)) addWords(words, text);
  return words;
}

/** All words of a text, and the parts of those that joiners hold together. */
function addWords(words: Set<string>, text: string): Set<string> {
  scanAnchors(
    text,
    (word) => {
      words.add(word);
      if (/[./\\:=-]/.test(word)) for (const part of word.split(/[./\\:=-]+/)) if (part.length > 2) words.add(part);
    },
    { all: true },
  );
  return words;
}

interface Piece {
  readonly text: string;
  readonly by: number;
  readonly prose: boolean;
}

function textsOf(message: Message): Piece[] {
  const said = (text: unknown, by: number, prose = true) => (typeof text === "string" ? [{ text, by, prose }] : []);
  switch (message?.role) {
    case "user": {
      const own = saidByUser(message);
      return own === "" ? said(textOf(message.content), BY.output) : said(own, BY.user);
    }
    case "assistant":
      return [
        ...said(textOf(message.content), BY.used),
        ...toolCallsOf(message).flatMap((call) => stringsIn(call).map((text) => ({ text, by: BY.used, prose: false }))),
      ];
    case "toolResult":
      return said(textOf(message.content), BY.output, false);
    case "bashExecution":
      return [...said(message.command, BY.user), ...said(message.output, BY.output, false)];
    case "pythonExecution":
      return [...said(message.code, BY.user, false), ...said(message.output, BY.output, false)];
    case "fileMention":
      return (Array.isArray(message.files) ? message.files : []).flatMap((file) => [
        ...said(file?.path, BY.user),
        ...said(file?.content, BY.output, false),
      ]);
    case "branchSummary":
    case "compactionSummary":
      return said(message.summary, BY.used);
    case "custom":
    case "developer":
      return said(textOf(message.content), BY.output);
    default:
      return [];
  }
}

const COMMAND_KEYS = ["command", "cmd", "script"];

/** First lines of the commands that a message runs. */
function commandsOf(message: Message): string[] {
  const all =
    message?.role === "bashExecution"
      ? [message.command]
      : toolCallsOf(message).map(({ arguments: args }) => COMMAND_KEYS.map((key) => args?.[key]).find(Boolean));
  const lines = all.flatMap((text) => (typeof text === "string" ? [text.slice(0, 400).split("\n", 1)[0] ?? ""] : []));
  return lines.map((line) => line.trim()).filter((line) => line.includes(" ") && line.length <= 120);
}

const MOST_VALUES = 5000;

function stringsIn({ arguments: args }: ToolCallBlock): string[] {
  const found: string[] = [];
  const queue: unknown[] = [args];
  for (let at = 0; at < queue.length && at < MOST_VALUES; at++) {
    const value = queue[at];
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) queue.push(inner);
  }
  return found;
}

const CITED = /\[#([^\s#[\],]+)[^\]]{0,200}\]\s*$/;

/** Line by line: what a line says belongs to the entry that it cites. */
function readSummary(
  summary: string,
  id: string,
  noteFor: (id: string) => (text: string, kind: AnchorKind) => void,
): void {
  for (const line of summary.split("\n")) {
    if (line.startsWith("<")) continue;
    const cited = CITED.exec(line.slice(-260))?.[1];
    scanAnchors(line.replace(/\[#[^\]\n]{1,200}\]/g, ""), noteFor(cited ?? id), { prose: true });
  }
}
