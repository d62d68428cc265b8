import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeEntry,
  decodeHeader,
  encodeEntry,
  encodeHeader,
  positionAfter,
  treeInputOf,
} from "../../../src/core/session/codec.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import { wellFormedDeep } from "../../../src/core/session/well-formed.ts";

const base = { id: "a", parentId: null, timestamp: "t" };

describe("codec", () => {
  it("[S1] writes type, id, parentId and timestamp first", () => {
    const entry = { message: { role: "user", content: "x" }, timestamp: "t", parentId: "p", id: "i", type: "message" };
    expect(encodeEntry(entry as Entry)).toBe(
      '{"type":"message","id":"i","parentId":"p","timestamp":"t","message":{"role":"user","content":"x"}}',
    );
    expect(encodeHeader({ cwd: "/", timestamp: "t", id: "h", version: 3, type: "session", parentSession: "p" })).toBe(
      '{"type":"session","version":3,"id":"h","timestamp":"t","cwd":"/","parentSession":"p"}',
    );
  });

  it("[S2] unknown types, roles and fields survive a load and save", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const record = JSON.parse(JSON.stringify({ ...fields, ...base, type: "odd" })) as Record<string, unknown>;
        delete record.fromHook;
        delete record.fromExtension;
        const text = encodeEntry(record as unknown as Entry);
        const decoded = decodeEntry(JSON.parse(text), text);
        expect("entry" in decoded && decoded.entry).toEqual(wellFormedDeep(record));
      }),
    );
  });

  it("[S2] a record without type or id is no entry, one without a usable parent is a root", () => {
    expect(decodeEntry({ id: "a" }, "")).toEqual({ problem: "has no type" });
    expect(decodeEntry({ type: "x", id: 7 }, "")).toEqual({ problem: "has no id" });
    expect(decodeEntry({ type: "session", id: "a" }, "")).toEqual({ problem: "is a second session header" });
    expect(decodeEntry({ type: "x", id: "a", parentId: 7 }, "")).toEqual({
      entry: { type: "x", id: "a", parentId: null },
    });
    expect(decodeHeader({ type: "session" })).toBeNull();
    expect(decodeHeader({ type: "session", id: "a", version: "3", x: 1 })).toEqual({
      type: "session",
      id: "a",
      timestamp: "",
      cwd: "",
      x: 1,
    });
  });

  it("[S3] both names of the extension flag are written, whichever was set", () => {
    for (const flag of [{ fromHook: false }, { fromExtension: false }]) {
      const entry = { type: "branch_summary", ...base, fromId: "root", summary: "s", ...flag } as Entry;
      expect(JSON.parse(encodeEntry(entry))).toMatchObject({ fromHook: false, fromExtension: false });
    }
  });

  it("[X6] what is written is well-formed, keys included, however deep", () => {
    let deep: unknown = "\ud83d";
    for (let i = 0; i < 2_000; i++) deep = [deep];
    const entry = { type: "odd", ...base, "k\udc00": "🙂\ud800", deep } as unknown as Entry;
    const text = encodeEntry(entry);
    expect(text).not.toMatch(/\\ud/);
    expect(JSON.parse(text)["k\uFFFD"]).toBe("🙂\uFFFD");
  });

  it("[S8] the position after a leaf marker is its parent", () => {
    expect(positionAfter(null)).toEqual({ leafId: null, tipId: null });
    expect(positionAfter({ type: "custom", ...base, parentId: "p", customType: "espalier.leaf" })).toEqual({
      leafId: "p",
      tipId: "a",
    });
    expect(positionAfter({ type: "custom", ...base, parentId: "p", customType: "other" })).toEqual({
      leafId: "a",
      tipId: "a",
    });
  });

  it("[S2] metadata is taken with a check of every field", () => {
    const odd = [
      { type: "message" },
      { type: "message", message: null },
      { type: "message", message: { role: 1 } },
      { type: "label", label: 1 },
    ];
    for (const fields of odd)
      expect(treeInputOf({ ...base, ...fields } as unknown as Entry)).toEqual({
        id: "a",
        parentId: null,
        type: fields.type,
      });
  });
});
