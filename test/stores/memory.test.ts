import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/core/session/entry.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { storeSuite } from "../../src/testing/index.ts";

storeSuite({ describe, it }, "memory", { create: async () => createMemoryStore() });

describe("memory store", () => {
  const message = (id: string, parentId: string | null): Entry => ({
    type: "message",
    id,
    parentId,
    timestamp: "",
    message: { role: "user", content: id },
  });

  it("[S7] takes duplicate ids, unknown parents and cycles of imported sessions", async () => {
    const entries = [message("a", "b"), message("b", "a"), message("c", "gone"), message("d", "c"), message("d", "b")];
    const store = createMemoryStore({ entries });
    expect((await store.readPath("d")).map(({ id }) => id)).toEqual(["a", "b", "d"]);
    expect(store.warnings.map(({ code }) => code).sort()).toEqual(["CYCLE", "DUPLICATE_ID", "PARENT_MISSING"]);
  });

  it("[S9] open for reading it refuses appends", async () => {
    const store = createMemoryStore({ readOnly: true, location: "imported.jsonl" });
    await expect(store.append([message("a", null)])).rejects.toMatchObject({ code: "SESSION_READ_ONLY" });
  });
});
