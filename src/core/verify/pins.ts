import { textOf } from "../context/blocks.ts";
import type { Entry } from "../session/entry.ts";
import type { Message } from "../session/message.ts";
import { subjectOf } from "./same-thing.ts";

/** Words that every compaction carries along as they are [V1]. */
export interface Pin {
  readonly text: string;
  /** The entry that holds the words, or for given text the entry that pinned it. */
  readonly entryId: string;
  /** A label on an entry, a given text, or the user's own words. */
  readonly by: "label" | "text" | "user";
}

/** All pins in force, oldest first, and what was unpinned, so that it does not come back by itself. */
export interface PinBoard {
  readonly pins: readonly Pin[];
  readonly unpinned: readonly string[];
}

/** Custom types of the entries by which text is pinned (`{text}`) and pins are removed (`{text}`). */
export const PIN_MARKER = "espalier.pin";
export const UNPIN_MARKER = "espalier.unpin";
/** The label that pins its entry. */
export const PIN_LABEL = "pin";

/** How many pins found by themselves, and how many removals, are remembered. */
const MOST = 200;

export interface PinSources {
  /** The board that a compaction stored, or an empty one. */
  readonly before: PinBoard;
  /** What came since, oldest first. */
  readonly entries: readonly Entry[];
  /** Index in `entries` of the first whose labels and markers are not in `before`. */
  readonly marksFrom: number;
  /** The body of a labelled entry; undefined when there is none. */
  readonly bodyOf: (id: string) => Entry | undefined;
  /** Prohibitions and obligations in the user's own words that the model sees of an entry [V6]; none when `pins.auto` is off. */
  readonly directivesOf: (entry: Entry) => readonly string[];
}

/**
 * The pins in force after `entries` [V1].
 *
 * Duplicates are one; of directives about the same thing the newest holds; what was unpinned stays away until it is
 * pinned again. Pins given on purpose are never replaced by what is found. Deterministic, linear.
 */
export function pinBoard({ before, entries, marksFrom, bodyOf, directivesOf }: PinSources): PinBoard {
  const pins = new Map<string, Pin>();
  const subjects = new Map<string, string>();
  const unpinned = new Set(before.unpinned);

  const drop = (key: string) => {
    const pin = pins.get(key);
    if (pin && subjects.get(subjectOf(pin.text)) === key) subjects.delete(subjectOf(pin.text));
    pins.delete(key);
  };
  const add = (pin: Pin) => {
    const key = keyOf(pin.text);
    if (key === "") return;
    const known = pins.get(key);
    if (pin.by === "user" && (unpinned.has(key) || (known && known.by !== "user"))) return;
    if (known) drop(key);
    const subject = subjectOf(pin.text);
    const older = subjects.get(subject);
    if (older !== undefined && (pin.by !== "user" || pins.get(older)?.by === "user")) drop(older);
    subjects.set(subject, key);
    pins.set(key, pin);
  };
  const unpin = (text: string) => {
    const key = keyOf(text);
    drop(key);
    unpinned.delete(key);
    unpinned.add(key);
  };

  for (const pin of before.pins) add(pin);
  entries.forEach((entry, at) => {
    for (const text of directivesOf(entry)) add({ text, entryId: entry.id, by: "user" });
    if (at < marksFrom) return;
    if (entry.type === "label") {
      for (const pin of [...pins.values()]) {
        if (pin.by === "label" && pin.entryId === entry.targetId) drop(keyOf(pin.text));
      }
      const target = isPinLabel(entry.label) ? bodyOf(entry.targetId) : undefined;
      if (!target) return;
      const text = pinTextOf(target);
      unpinned.delete(keyOf(text));
      add({ text, entryId: target.id, by: "label" });
    } else if (entry.type === "custom") {
      const text = textIn(entry.data);
      if (text === "") return;
      if (entry.customType === UNPIN_MARKER) unpin(text);
      if (entry.customType !== PIN_MARKER) return;
      unpinned.delete(keyOf(text));
      add({ text, entryId: entry.id, by: "text" });
    }
  });

  const found = [...pins.values()].filter((pin) => pin.by === "user");
  const old = new Set(found.slice(0, Math.max(0, found.length - MOST)));
  return { pins: [...pins.values()].filter((pin) => !old.has(pin)), unpinned: [...unpinned].slice(-MOST) };
}

/** Ids of the entries that `entries` label as pins, whose bodies `pinBoard` will ask for. */
export function labelledIds(entries: readonly Entry[]): string[] {
  const ids = new Set<string>();
  for (const entry of entries) if (entry.type === "label" && isPinLabel(entry.label)) ids.add(entry.targetId);
  return [...ids];
}

/** What is pinned when an entry is: the words the model sees of it; "" when there are none. */
export function pinTextOf(entry: Entry): string {
  if (entry.type === "custom_message") return wordsOf(entry.content);
  if (entry.type === "branch_summary" || entry.type === "compaction") return textOr(entry.summary);
  return entry.type === "message" ? messageText(entry.message) : "";
}

/** The form in which equal texts are one: white space at the ends and between words does not count. */
export function keyOf(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

function messageText(message: Message): string {
  switch (message?.role) {
    case "bashExecution":
      return `$ ${textOr(message.command)}\n${textOr(message.output)}`.trim();
    case "pythonExecution":
      return `${textOr(message.code)}\n${textOr(message.output)}`.trim();
    case "branchSummary":
    case "compactionSummary":
      return textOr(message.summary);
    case "fileMention":
      return (Array.isArray(message.files) ? message.files : [])
        .map((file) => `${textOr(file?.path)}\n${textOr(file?.content)}`.trim())
        .join("\n\n");
    default:
      return wordsOf((message as { content?: unknown } | undefined)?.content);
  }
}

const isPinLabel = (label: unknown) => typeof label === "string" && label.trim().toLowerCase() === PIN_LABEL;
const textOr = (value: unknown) => (typeof value === "string" ? value : "");
const textIn = (data: unknown) => textOr((data as { text?: unknown } | null | undefined)?.text).trim();
const wordsOf = (content: unknown) => textOf(content).trim();
