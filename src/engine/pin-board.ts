import { saidByUser } from "../core/context/own-words.ts";
import { directivesIn } from "../core/extract/directives.ts";
import type { CompactionEntry, Entry, EntryMeta } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import { EMPTY_BOARD, marksFrom, type PinSnapshot, pinSnapshotOf } from "../core/verify/pin-snapshot.ts";
import { labelledIds, type PinBoard, pinBoard } from "../core/verify/pins.ts";
import { EspalierError } from "../errors.ts";
import type { SessionState } from "./state.ts";

const MARKS = new Set(["label", "custom", "compaction"]);

/** A board, and the entry up to which it was read. */
export interface BoardAt extends PinBoard {
  readonly at: string;
}

/**
 * The pins in force where the session stands [V1].
 *
 * Costs what is live: the newest compaction holds the board as it was then. Behind a compaction of another program the
 * path is read back, to the root or to one of ours.
 */
export async function readBoard(state: SessionState): Promise<BoardAt> {
  const path = [...state.path()];
  const { compaction, messages, live } = state.projection();
  const snapshot = compaction && pinSnapshotOf(compaction);
  const before = snapshot ?? (compaction ? await boardBehind(state, compaction) : EMPTY_BOARD);
  const shown = new Map(
    messages.filter(({ synthetic }) => !synthetic).map((source) => [source.entryId, source.message]),
  );
  const from = Math.max(0, path.length - live.length - 1);
  const entries = path.slice(from);
  const marks = Math.max(0, marksFrom(path, compaction, snapshot?.at ?? "") - from);
  const board = await boardOf(state, before, entries, marks, (entry) => shown.get(entry.id));
  return { ...board, at: path.at(-1)?.id ?? "" };
}

/**
 * The board right before a compaction that stored none.
 *
 * Only bodies that bear on pins are read: the path may be a gigabyte long.
 */
async function boardBehind(state: SessionState, { parentId }: CompactionEntry): Promise<PinBoard> {
  const tree = await state.store.tree();
  let ours: CompactionEntry | null = null;
  let snapshot: PinSnapshot | null = null;
  const path: Entry[] = [];
  for (const id of tree.path(parentId).reverse()) {
    const entry = bearsOnPins(tree.get(id)) || id === snapshot?.at ? await bodyOf(state, id) : undefined;
    if (entry) path.push(entry);
    if (ours === null && entry?.type === "compaction") {
      snapshot = pinSnapshotOf(entry);
      if (snapshot) ours = entry;
    }
    if (ours !== null && (id === ours.firstKeptEntryId || ours.firstKeptEntryId === ours.id)) break;
  }
  path.reverse();
  const marks = marksFrom(path, ours, snapshot?.at ?? "");
  const shown = (entry: Entry) => (entry.type === "message" ? entry.message : undefined);
  return boardOf(state, snapshot ?? EMPTY_BOARD, path, marks, shown);
}

/** Pins come from what users say, from labels and markers, and from what compactions stored. */
function bearsOnPins(meta: EntryMeta | undefined): boolean {
  return meta?.type === "message" ? meta.role === "user" : meta !== undefined && MARKS.has(meta.type);
}

async function boardOf(
  state: SessionState,
  before: PinBoard,
  entries: readonly Entry[],
  marksFrom: number,
  shown: (entry: Entry) => Message | undefined,
): Promise<PinBoard> {
  const bodies = new Map(entries.map((entry) => [entry.id, entry]));
  for (const id of labelledIds(entries.slice(marksFrom))) {
    if (bodies.has(id)) continue;
    const body = await bodyOf(state, id);
    if (body) bodies.set(id, body);
  }
  const auto = state.settings["pins.auto"];
  const directivesOf = (entry: Entry) => {
    const message = auto ? shown(entry) : undefined;
    return message ? strongDirectives(message) : [];
  };
  return pinBoard({ before, entries, marksFrom, bodyOf: (id) => bodies.get(id), directivesOf });
}

function strongDirectives(message: Message): string[] {
  const words = saidByUser(message);
  return words === "" ? [] : directivesIn(words).flatMap(({ text, strong }) => (strong ? [text] : []));
}

async function bodyOf({ store }: SessionState, id: string): Promise<Entry | undefined> {
  try {
    return (await store.read([id]))[0];
  } catch (error) {
    if (EspalierError.is(error, "ENTRY_NOT_FOUND")) return undefined;
    throw error;
  }
}
