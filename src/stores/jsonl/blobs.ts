import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeEntry } from "../../core/session/codec.ts";
import type { Entry } from "../../core/session/entry.ts";
import type { Warning } from "../../errors.ts";
import type { SessionStore, StoredEntry } from "../../ports/store.ts";
import { writeError } from "./errors.ts";
import { pendingFile } from "./write-file.ts";

/** Where the bytes of images are kept: in the session file, or in files of their own beside it [S12]. */
export type BlobPlace = "inline" | "extract";

/** Smaller images stay in the file: a reference and a file would cost as much. */
const SMALLEST = 1024;
/** oh-my-pi's form. Only hexadecimal digits: a reference never leads out of its folder. */
const REFERENCE = /^blob:sha256:([0-9a-f]{64})$/;

type Block = Record<string, unknown>;

/** The folder that holds the extracted images of the sessions beside it. */
export const blobFolder = (sessionPath: string): string => join(dirname(sessionPath), "blobs");

/** True where images may stand outside the session file, so that its bytes alone are not all of it. */
export const hasBlobs = (sessionPath: string): boolean => existsSync(blobFolder(sessionPath));

/**
 * The store with images taken out of what is written where `place` says so, and put back into all that is read [S12].
 *
 * An image whose file is missing or damaged becomes a text block that says so, with a warning; written again, it is the
 * same reference again. The file of an image is on the disk before its entry is written. `raw` has the images in it.
 */
export function withBlobs(store: SessionStore, place: BlobPlace): SessionStore {
  const folder = blobFolder(store.location);
  const lost = new Map<string, Warning>();

  const onLost = (hash: string, entryId: string) => {
    const message = `The image ${nameOf(hash)} of entry ${entryId} is not in ${folder}; a placeholder stands for it.`;
    lost.set(hash, { code: "BLOB_MISSING", message, entryId });
  };
  const inside = (entry: Entry): Entry =>
    mapBlocks(entry, (block) => restored(block, folder, (hash) => onLost(hash, entry.id)));
  const outside = (entry: Entry): Entry =>
    mapBlocks(entry, (block) => referenceOf(block) ?? (place === "extract" ? extracted(block, folder) : block));
  const { rewrite, originals } = store;

  const overrides = {
    get warnings() {
      return [...store.warnings, ...lost.values()];
    },
    async readPath(fromId: string | null, enough?: (entry: Entry) => boolean) {
      return (await store.readPath(fromId, enough)).map(inside);
    },
    async read(ids: readonly string[]) {
      return (await store.read(ids)).map(inside);
    },
    async *entries(range?: { fromLine?: number; toLine?: number }): AsyncGenerator<StoredEntry> {
      for await (const stored of store.entries(range)) {
        const entry = inside(stored.entry);
        yield entry === stored.entry ? stored : { ...stored, entry, raw: encodeEntry(entry) };
      }
    },
    append: (entries: readonly Entry[]) => (isPlain(entries) ? store.append(entries) : appendMapped(entries)),
    ...(rewrite && { rewrite: async (entries: readonly Entry[]) => rewrite(written(entries)) }),
    ...(originals && {
      async *originals() {
        for await (const entry of originals()) yield inside(entry);
      },
    }),
  };
  return Object.create(store, Object.getOwnPropertyDescriptors(overrides)) as SessionStore;

  async function appendMapped(entries: readonly Entry[]): Promise<void> {
    await store.append(written(entries));
  }

  function written(entries: readonly Entry[]): readonly Entry[] {
    // What is no list of entries is for the store to refuse.
    const isSound = Array.isArray(entries) && entries.every((entry) => typeof entry === "object" && entry !== null);
    return isSound && !store.readOnly ? entries.map(outside) : entries;
  }
}

function restored(block: Block, folder: string, onLost: (hash: string) => void): Block {
  const hash = block.type === "image" && typeof block.data === "string" ? REFERENCE.exec(block.data)?.[1] : undefined;
  if (hash === undefined) return block;
  const bytes = bytesOf(join(folder, nameOf(hash)));
  if (bytes && hashOf(bytes) === hash) return { ...block, data: bytes.toString("base64") };
  onLost(hash);
  const text = `[Image missing: ${block.mimeType}, blobs/${nameOf(hash)}]`;
  return { type: "text", text, blob: block.data, mimeType: block.mimeType };
}

/** The reference that a placeholder stands for. */
function referenceOf({ type, blob, mimeType }: Block): Block | null {
  return type === "text" && typeof blob === "string" && REFERENCE.test(blob)
    ? { type: "image", data: blob, mimeType }
    : null;
}

function extracted(block: Block, folder: string): Block {
  if (block.type !== "image" || typeof block.data !== "string" || block.data.length < SMALLEST) return block;
  const bytes = Buffer.from(block.data, "base64");
  // Data that would not come back the same stays where it is.
  if (bytes.toString("base64") !== block.data) return block;
  const hash = hashOf(bytes);
  keep(folder, nameOf(hash), bytes);
  return { ...block, data: `blob:sha256:${hash}` };
}

function keep(folder: string, name: string, bytes: Buffer): void {
  const path = join(folder, name);
  // One of another length was damaged by something else.
  if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) return;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw writeError(folder, error);
  }
  const file = pendingFile(path);
  try {
    file.copy(bytes);
    file.publish(true);
  } finally {
    file.discard();
  }
}

/** True for batches without a block that could change: nearly all, so that they cost no copy. */
function isPlain(entries: readonly Entry[]): boolean {
  if (!Array.isArray(entries)) return true;
  for (const entry of entries as readonly (Partial<Record<"message" | "replacement" | "content", unknown>> | null)[]) {
    const holder = (entry?.message ?? entry?.replacement ?? entry) as { content?: unknown } | null | undefined;
    if (!Array.isArray(holder?.content)) continue;
    for (const block of holder.content as (Block | null)[]) {
      if (block?.type === "image" || block?.blob !== undefined) return false;
    }
  }
  return true;
}

/** The entry with its content blocks mapped; the same object where none changes. */
function mapBlocks(entry: Entry, map: (block: Block) => Block): Entry {
  const fields = entry as unknown as Record<string, unknown>;
  const key = entry.type === "message" ? "message" : entry.type === "context_edit" ? "replacement" : null;
  const holder = key === null ? fields : fields[key];
  if (typeof holder !== "object" || holder === null) return entry;
  const { content } = holder as { content?: unknown };
  if (!Array.isArray(content)) return entry;
  let isSame = true;
  const blocks = content.map((block: unknown) => {
    const mapped = typeof block === "object" && block !== null ? map(block as Block) : block;
    if (mapped !== block) isSame = false;
    return mapped;
  });
  if (isSame) return entry;
  const now = { ...holder, content: blocks };
  return (key === null ? now : { ...fields, [key]: now }) as unknown as Entry;
}

function bytesOf(path: string): Buffer | null {
  try {
    // Reading a named pipe would wait for its writer.
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

const nameOf = (hash: string): string => `sha256-${hash}`;
const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
