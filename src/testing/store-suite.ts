import { deepEqual, equal, notEqual, ok, rejects } from "node:assert/strict";
import { type Entry, LEAF_MARKER, type MessageEntry } from "../core/session/entry.ts";
import type { SessionStore } from "../ports/store.ts";

/** What the suite needs of a test runner; vitest, jest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
}

/** Makes one fresh, empty, writable session per call. */
export interface StoreMaker {
  create(): Promise<SessionStore>;
  /** Opens what `store` wrote once more; `store` is closed. Left out by stores that keep nothing. */
  reopen?(store: SessionStore): Promise<SessionStore>;
}

/**
 * The conformance suite of the store port: every store passes it.
 *
 * Registers its tests with `runner`; what a store does not promise (`supports`) is left out by a return, not by a failure.
 */
export function storeSuite(runner: TestRunner, name: string, maker: StoreMaker): void {
  const { describe, it } = runner;

  describe(`store: ${name}`, () => {
    it("[S1] a new session has a header and no entries, and stands at the root", async () => {
      const store = await maker.create();
      equal(store.header.type, "session");
      deepEqual(store.position(), { leafId: null, tipId: null });
      deepEqual(await store.readPath(null), []);
      deepEqual(await collect(store), []);
      equal((await store.tree()).size, 0);
      await store.close();
    });

    it("[S2] what was appended is read back with unknown types and fields", async () => {
      const store = await maker.create();
      const odd = { ...text("b", "a"), type: "of_the_future", deep: [{ x: null }], n: 1.5 } as unknown as Entry;
      await store.append([text("a", null)]);
      await store.append([odd, text("c", "b")]);
      deepEqual(await store.read(["c", "b"]), [text("c", "b"), odd]);
      deepEqual(ids(await store.readPath("c")), ["a", "b", "c"]);
      await store.close();
    });

    it("[S5] a batch is all or nothing, and a refused one changes nothing", async () => {
      const store = await maker.create();
      await store.append([text("a", null)]);
      const wrong: unknown[][] = [
        [text("b", "a"), text("c", "nowhere")],
        [text("b", "a"), text("b", "a")],
        [text("a", null)],
        [{ ...text("b", "a"), id: "" }],
        [{ ...text("b", "a"), parentId: undefined }],
        [{ ...text("b", "a"), type: "session" }],
        [text("c", "b"), text("b", "a")],
        [null],
      ];
      for (const batch of wrong) await rejects(store.append(batch as Entry[]), { code: "ENTRY_INVALID" });
      deepEqual(store.position(), { leafId: "a", tipId: "a" });
      deepEqual(ids(await collect(store)), ["a"]);
      await store.append([text("b", "a"), text("c", "b")]);
      deepEqual(ids(await store.readPath("c")), ["a", "b", "c"]);
      await store.close();
    });

    it("[S5] an empty batch is no append", async () => {
      const store = await maker.create();
      await store.append([]);
      await store.endTurn();
      deepEqual(store.position(), { leafId: null, tipId: null });
      await store.close();
    });

    it("[S8] a leaf marker moves the leaf to its parent, and the next entry hangs under the marker", async () => {
      const store = await maker.create();
      await store.append([text("a", null), text("b", "a"), text("c", "b")]);
      await store.append([marker("m", "a")]);
      deepEqual(store.position(), { leafId: "a", tipId: "m" });
      await store.append([text("d", "m")]);
      deepEqual(store.position(), { leafId: "d", tipId: "d" });
      deepEqual(ids(await store.readPath("d")), ["a", "m", "d"]);
      await store.append([marker("n", null)]);
      deepEqual(store.position(), { leafId: null, tipId: "n" });
      const again = await reopened(store);
      deepEqual(again.position(), { leafId: null, tipId: "n" });
      await again.close();
    });

    it("[S10] a path is read back to the entry that is enough, which is included", async () => {
      const store = await maker.create();
      await store.append(chain(50));
      const seen: string[] = [];
      const path = await store.readPath("e49", (entry) => {
        seen.push(entry.id);
        return entry.id === "e40";
      });
      deepEqual(
        ids(path),
        chain(50)
          .slice(40)
          .map((entry) => entry.id),
      );
      deepEqual(seen, ids(path).reverse());
      await store.close();
    });

    it("[S10] unknown ids are told by a code", async () => {
      const store = await maker.create();
      await store.append(chain(3));
      await rejects(store.readPath("nobody"), { code: "ENTRY_NOT_FOUND" });
      await rejects(store.read(["e1", "nobody"]), { code: "ENTRY_NOT_FOUND" });
      await store.close();
    });

    it("[S10] the tree is kept current by appends, whenever it was asked for", async () => {
      const store = await maker.create();
      await store.append(chain(3));
      const building = store.tree();
      await store.append([text("x", "e0")]);
      const tree = await building;
      await store.append([text("y", "x"), text("z", "e2")]);
      deepEqual([...tree.ids()], ["e0", "e1", "e2", "x", "y", "z"]);
      deepEqual(tree.children("e0"), ["e1", "x"]);
      deepEqual(tree.path("y"), ["e0", "x", "y"]);
      equal(await store.tree(), tree);
      deepEqual(ids(await store.readPath("y")), ["e0", "x", "y"]);
      await store.close();
    });

    it("[S10] any range of entries is streamed, with line numbers and the stored text", async () => {
      const store = await maker.create();
      await store.append(chain(20));
      const all: { id: string; line: number }[] = [];
      for await (const { entry, line, raw } of store.entries()) {
        all.push({ id: entry.id, line });
        deepEqual(JSON.parse(raw), entry);
      }
      deepEqual(
        all.map(({ id }) => id),
        chain(20).map((entry) => entry.id),
      );
      const range = { fromLine: all[5]?.line as number, toLine: all[8]?.line as number };
      deepEqual(ids(await collect(store, range)), ["e5", "e6", "e7", "e8"]);
      await store.close();
    });

    it("[S11] of labels and names the last one counts", async () => {
      const store = await maker.create();
      const base = { parentId: "a", timestamp: TIME };
      await store.append([text("a", null)]);
      await store.append([{ type: "label", id: "l1", targetId: "a", label: "first", ...base }]);
      await store.append([{ type: "session_info", id: "s1", name: "one", ...base }]);
      const tree = await store.tree();
      deepEqual([tree.label("a"), tree.name], ["first", "one"]);
      await store.append([{ type: "label", id: "l2", targetId: "a", label: "second", ...base }]);
      await store.append([{ type: "session_info", id: "s2", name: "two", ...base }]);
      deepEqual([tree.label("a"), tree.name], ["second", "two"]);
      await store.append([{ type: "label", id: "l3", targetId: "a", ...base }]);
      equal(tree.label("a"), undefined);
      await store.close();
    });

    it("[X6] text keeps its line separators, controls and surrogate pairs", async () => {
      const store = await maker.create();
      const said = "a\u2028b\u2029c\r\n\0\u001b[1m 👩‍👩‍👧 \\ud83d 日本";
      await store.append([text("a", null, said)]);
      const [entry] = await store.read(["a"]);
      equal(((entry as MessageEntry).message as { content: unknown }).content, said);
      equal((await collect(store)).length, 1);
      await store.close();
    });

    it("[S9] a closed store says so, and closing twice is harmless", async () => {
      const store = await maker.create();
      await store.append(chain(2));
      await store.close();
      await store.close();
      await rejects(store.append([text("x", "e1")]), { code: "SESSION_CLOSED" });
      await rejects(store.readPath("e1"), { code: "SESSION_CLOSED" });
      await rejects(store.read(["e1"]), { code: "SESSION_CLOSED" });
      await rejects(store.tree(), { code: "SESSION_CLOSED" });
      await rejects(store.endTurn(), { code: "SESSION_CLOSED" });
    });

    it("[I3] a session reads the same after it was opened again", async () => {
      const store = await maker.create();
      const lone = text("e30", "e29", "half \ud83d of a pair");
      await store.append([...chain(30), lone, text("f", "e30"), marker("m", "e10"), text("g", "m")]);
      const path = await store.readPath("g");
      const again = await reopened(store);
      deepEqual(again.position(), { leafId: "g", tipId: "g" });
      deepEqual(await again.readPath("g"), path);
      deepEqual([...(await again.tree()).ids()].length, 34);
      await again.append([text("h", "g")]);
      deepEqual(ids(await again.readPath("h")).slice(-2), ["g", "h"]);
      await again.close();
    });

    it("[S5] ten thousand appends stay in order", async () => {
      const store = await maker.create();
      for (const entry of chain(10_000)) await store.append([entry]);
      equal((await store.readPath("e9999")).length, 10_000);
      notEqual((await store.tree()).path("e9999")[5000], undefined);
      ok(store.warnings.length === 0);
      await store.close();
    });

    it("[R2] what is rewritten reads as new, its original stays at hand, and appends go on", async () => {
      const store = await maker.create();
      if (store.supports.rewrite === true) {
        await store.append([text("a", null), text("b", "a"), text("c", "b")]);
        await rejects(store.rewrite?.([text("gone", null)]) ?? Promise.resolve(), { code: "ENTRY_NOT_FOUND" });
        await store.rewrite?.([text("b", "a", "pruned")]);
        await store.append([text("d", "c")]);
        deepEqual(await store.readPath("d"), [
          text("a", null),
          text("b", "a", "pruned"),
          text("c", "b"),
          text("d", "c"),
        ]);
        deepEqual(ids(await collect(store)), ["a", "b", "c", "d"]);
        const originals: Entry[] = [];
        for await (const entry of store.originals?.() ?? []) originals.push(entry);
        deepEqual(originals, [text("b", "a")]);
      }
      await store.close();
    });
  });

  async function reopened(store: SessionStore): Promise<SessionStore> {
    return store.supports.durable && maker.reopen ? maker.reopen(store) : store;
  }
}

const TIME = "2026-01-01T00:00:00.000Z";

function text(id: string, parentId: string | null, content = `text of ${id}`): Entry {
  return { type: "message", id, parentId, timestamp: TIME, message: { role: "user", content, timestamp: 1 } };
}

function marker(id: string, parentId: string | null): Entry {
  return { type: "custom", id, parentId, timestamp: TIME, customType: LEAF_MARKER };
}

function chain(length: number): Entry[] {
  return Array.from({ length }, (_, i) => text(`e${i}`, i === 0 ? null : `e${i - 1}`));
}

const ids = (entries: readonly Entry[]) => entries.map((entry) => entry.id);

async function collect(store: SessionStore, range?: { fromLine?: number; toLine?: number }): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { entry } of store.entries(range)) entries.push(entry);
  return entries;
}
