import { describe, expect, it } from "vitest";
import { createLiveScan, liveSpanOf } from "../../../src/core/context/live.ts";
import { projectContext } from "../../../src/core/context/project.ts";
import type { Entry } from "../../../src/core/session/entry.ts";
import { assistant, chain, compaction, marker, user } from "./chain.ts";

const liveIds = (path: Entry[]) => projectContext(path).live.map(({ id }) => id);

describe("the live span", () => {
  it("[X2] is the whole path without a compaction", () => {
    const path = chain(user("a"), assistant("b"));
    expect(liveSpanOf(path)).toMatchObject({ compaction: null, length: 2, dangling: false });
  });

  it("[X2] begins at firstKeptEntryId and leaves the compaction itself out", () => {
    const path = chain(user("a"), assistant("b"), user("c"), assistant("d"), compaction("e2"), user("e"));
    expect(liveIds(path)).toEqual(["e2", "e3", "e5"]);
  });

  it("[X2] follows the newest compaction only", () => {
    const path = chain(user("a"), user("b"), compaction("e1"), user("c"), compaction("e3"), user("d"));
    expect(liveIds(path)).toEqual(["e3", "e5"]);
  });

  it("[X2] reaches behind an older compaction when the newest kept more", () => {
    const path = chain(user("a"), user("b"), compaction("e1"), user("c"), compaction("e1"), user("d"));
    expect(liveIds(path)).toEqual(["e1", "e2", "e3", "e5"]);
  });

  it("[X2] keeps nothing before a compaction that names itself", () => {
    const path = chain(user("a"), compaction("e1"), user("b"));
    expect(liveIds(path)).toEqual(["e2"]);
  });

  it("[X2] falls back to the span after the previous compaction, and warns", () => {
    const path = chain(user("a"), user("b"), compaction("e1"), user("c"), compaction("gone"), user("d"));
    expect(liveIds(path)).toEqual(["e3", "e5"]);
    expect(projectContext(path).warnings).toMatchObject([{ code: "first-kept-missing", entryId: "e4" }]);
  });

  it("[X2] falls back to everything where there is no previous compaction", () => {
    expect(liveIds(chain(user("a"), compaction("gone"), user("d")))).toEqual(["e0", "e2"]);
  });

  it("[X2] takes a first kept entry after the compaction for one that is missing", () => {
    expect(liveIds(chain(user("a"), compaction("e2"), user("d")))).toEqual(["e0", "e2"]);
  });

  it("[X2, S3] ignores an undone compaction, honours a redone one, and takes the newest marker", () => {
    const base = [user("a"), user("b"), compaction("e1"), user("c")];
    expect(projectContext(chain(...base, marker("undo", "e2"))).compaction).toBeNull();
    const redone = chain(...base, marker("undo", "e2"), marker("redo", "e2"));
    expect(projectContext(redone).compaction?.id).toBe("e2");
    const again = chain(...base, marker("undo", "e2"), marker("redo", "e2"), marker("undo", "e2"));
    expect(projectContext(again).compaction).toBeNull();
  });

  it("[X2] lets the next older compaction rule after an undo, then none", () => {
    const base = [user("a"), user("b"), compaction("e1"), user("c"), compaction("e3")];
    const once = chain(...base, marker("undo", "e4"));
    expect(projectContext(once).compaction?.id).toBe("e2");
    expect(projectContext(once).dropped).toContainEqual({ entryId: "e4", why: "undone-compaction" });
    expect(projectContext(chain(...base, marker("undo", "e4"), marker("undo", "e2"))).compaction).toBeNull();
  });

  it("[X2] survives markers and compactions of odd shape", () => {
    const odd = { type: "custom", customType: "espalier.undo", data: null };
    expect(liveIds(chain(user("a"), odd, compaction(undefined as unknown as string), user("b")))).toEqual([
      "e0",
      "e1",
      "e3",
    ]);
  });

  it("[X1] tells a reader from the tail when it has enough", () => {
    const path = chain(user("a"), user("b"), user("c"), compaction("e2"), user("d"));
    const scan = createLiveScan();
    const fed: string[] = [];
    for (const entry of path.toReversed()) {
      fed.push(entry.id);
      if (scan.enough(entry)) break;
    }
    expect(fed).toEqual(["e4", "e3", "e2"]);
    expect(scan.span()).toMatchObject({ length: 3, dangling: false });
  });
});
