import type { Entry } from "../core/session/entry.ts";
import { keyOf, PIN_LABEL, PIN_MARKER, type Pin, pinTextOf, UNPIN_MARKER } from "../core/verify/pins.ts";
import { EspalierError } from "../errors.ts";
import { readBoard } from "./pin-board.ts";
import type { NewEntry, SessionState } from "./state.ts";

/** What to pin: an entry by its id, or words. */
export type PinTarget = string | { readonly text: string };
/** What to unpin: by the pin's entry id, by its words, or by its number in the list of pins, from 1. */
export type UnpinTarget = string | number | { readonly text: string };

export type PinOutcome = { readonly status: "pinned" | "unchanged"; readonly pin: Pin };

export type UnpinOutcome =
  | { readonly status: "unpinned"; readonly pins: readonly Pin[] }
  | { readonly status: "nothing"; readonly because: "no-such-pin" };

/**
 * How pinning ends: the words are carried through every compaction from now on [V1]; `unchanged` when they were already.
 *
 * Pinning an entry labels it `pin`. Rejects `ENTRY_NOT_FOUND`, and `ENTRY_INVALID` for an entry without words.
 */
export async function runPin(state: SessionState, target: PinTarget): Promise<PinOutcome> {
  const text = typeof target === "string" ? await textOf(state, target) : wordsOf(target);
  if (text === "") throw new TypeError("pin takes an entry id or {text} with words in it");
  const known = (await readBoard(state)).pins.find((pin) => keyOf(pin.text) === keyOf(text) && pin.by !== "user");
  if (known) return { status: "unchanged", pin: known };
  const item: NewEntry =
    typeof target === "string"
      ? { type: "label", targetId: target, label: PIN_LABEL }
      : { type: "custom", customType: PIN_MARKER, data: { text } };
  const [entry] = await state.append(() => state.make([item]));
  if (typeof target === "string") return { status: "pinned", pin: { text, entryId: target, by: "label" } };
  return { status: "pinned", pin: { text, entryId: (entry as Entry).id, by: "text" } };
}

const wordsOf = ({ text }: Exclude<PinTarget, string>): string => (typeof text === "string" ? text.trim() : "");

/** How unpinning ends; words that the user said stay unpinned until they are pinned again [V1]. */
export async function runUnpin(state: SessionState, target: UnpinTarget): Promise<UnpinOutcome> {
  const { pins } = await readBoard(state);
  const gone = pins.filter((pin, at) => isMeant(pin, at, target));
  if (gone.length === 0) return { status: "nothing", because: "no-such-pin" };
  const items = gone.flatMap(({ text, entryId, by }): NewEntry[] => [
    ...(by === "label" ? [{ type: "label" as const, targetId: entryId }] : []),
    { type: "custom", customType: UNPIN_MARKER, data: { text } },
  ]);
  await state.append(() => state.make(items));
  return { status: "unpinned", pins: gone };
}

function isMeant(pin: Pin, at: number, target: UnpinTarget): boolean {
  if (typeof target === "number") return target === at + 1;
  if (typeof target === "object") return keyOf(pin.text) === keyOf(target.text);
  return pin.entryId === target;
}

async function textOf({ store }: SessionState, entryId: string): Promise<string> {
  const [entry] = await store.read([entryId]);
  const text = entry ? pinTextOf(entry) : "";
  if (text !== "") return text;
  const message = `Entry ${entryId} of ${store.location} holds no words to pin; pin its words with text.`;
  throw new EspalierError("ENTRY_INVALID", message, { location: store.location, id: entryId });
}
