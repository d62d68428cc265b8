import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tree } from "../../../src/core/session/tree.ts";

const add = (tree: Tree, id: string, parentId: string | null) => tree.add({ id, parentId, type: "message" });

function treeOf(...pairs: [string, string | null][]): Tree {
  const tree = new Tree();
  for (const [id, parentId] of pairs) add(tree, id, parentId);
  return tree;
}

describe("Tree", () => {
  it("[S7] gives path, children, roots and common ancestor", () => {
    const tree = treeOf(["a", null], ["b", "a"], ["c", "b"], ["d", "b"], ["r", null]);
    expect(tree.path("d")).toEqual(["a", "b", "d"]);
    expect(tree.path(null)).toEqual([]);
    expect(tree.path("nobody")).toEqual([]);
    expect(tree.children("b")).toEqual(["c", "d"]);
    expect(tree.children(null)).toEqual(["a", "r"]);
    expect(tree.children("nobody")).toEqual([]);
    expect(tree.commonAncestor("c", "d")).toBe("b");
    expect(tree.commonAncestor("c", "b")).toBe("b");
    expect(tree.commonAncestor("c", "r")).toBeNull();
    expect(tree.commonAncestor("c", null)).toBeNull();
    expect(tree.commonAncestor("c", "nobody")).toBeNull();
    expect(tree.get("nobody")).toBeUndefined();
    expect(tree.warnings).toEqual([]);
  });

  it("[S7] keeps its children current after they were asked for", () => {
    const tree = treeOf(["a", null]);
    expect(tree.children("a")).toEqual([]);
    for (let i = 0; i < 200; i++) add(tree, `c${i}`, i % 2 === 0 ? "a" : `c${i - 1}`);
    expect(tree.children("a").length).toBe(100);
    expect(tree.children("c0")).toEqual(["c1"]);
  });

  it("[S7] resolves a parent that comes later, and makes a root of one that never comes", () => {
    const tree = treeOf(["b", "a"], ["x", "gone"]);
    expect(tree.parent("b")).toBeNull();
    expect(tree.warnings.map(({ code }) => code)).toEqual(["PARENT_MISSING", "PARENT_MISSING"]);
    add(tree, "a", null);
    expect(tree.path("b")).toEqual(["a", "b"]);
    expect(tree.children(null)).toEqual(["x", "a"]);
    expect(tree.warnings).toMatchObject([{ code: "PARENT_MISSING", entryId: "x" }]);
  });

  it("[S7] cuts a cycle at its first entry, whatever is asked first", () => {
    for (const ask of ["a", "b", "c", "d"]) {
      const tree = treeOf(["b", "a"], ["c", "b"], ["a", "c"], ["d", "c"], ["s", "s"]);
      tree.path(ask);
      expect(tree.path("d")).toEqual(["b", "c", "d"]);
      expect(tree.path("a")).toEqual(["b", "c", "a"]);
      expect(tree.parent("s")).toBeNull();
      expect(tree.warnings.map(({ code, entryId }) => [code, entryId])).toEqual([
        ["CYCLE", "b"],
        ["CYCLE", "s"],
      ]);
    }
  });

  it("[S7] of duplicate ids the last wins, also when it opens or closes a cycle", () => {
    const tree = treeOf(["a", null], ["b", "a"], ["c", "b"], ["a", "c"]);
    expect(tree.size).toBe(3);
    expect(tree.path("c")).toEqual(["a", "b", "c"]);
    add(tree, "a", null);
    expect(tree.warnings.map(({ code }) => code)).toEqual(["DUPLICATE_ID", "DUPLICATE_ID"]);
    add(tree, "b", "gone");
    add(tree, "b", null);
    expect(tree.path("c")).toEqual(["b", "c"]);
    expect(tree.children("a")).toEqual([]);
    expect(tree.warnings.every(({ code }) => code === "DUPLICATE_ID")).toBe(true);
  });

  it("[S7] children of an unreadable entry go to its parent", () => {
    const tree = treeOf(["a", null]);
    tree.bypass("x", "a");
    tree.bypass("y", "x");
    tree.bypass("p", "q");
    tree.bypass("q", "p");
    for (const [id, parentId] of [
      ["b", "x"],
      ["c", "y"],
      ["d", "q"],
    ] as const)
      add(tree, id, parentId);
    expect(tree.children("a")).toEqual(["b", "c"]);
    expect(tree.parent("d")).toBeNull();
  });

  it("[S7] any list of entries gives finite paths that do not depend on what was asked before", () => {
    const name = fc.integer({ min: 0, max: 12 }).map((n) => `n${n}`);
    const entries = fc.array(fc.tuple(name, fc.option(name)), { maxLength: 40 });
    fc.assert(
      fc.property(entries, (list) => {
        const eager = new Tree();
        const lazy = new Tree();
        for (const [id, parentId] of list) {
          add(eager, id, parentId);
          add(lazy, id, parentId);
          eager.path(id);
          eager.children(null);
        }
        const parents = new Map(list);
        for (const id of lazy.ids()) {
          expect(eager.path(id)).toEqual(lazy.path(id));
          expect(eager.children(id)).toEqual(lazy.children(id));
          const path = lazy.path(id);
          expect(new Set(path).size).toBe(path.length);
          const parent = lazy.parent(id);
          expect([parents.get(id) ?? null, null]).toContain(parent);
          expect(lazy.children(parent)).toContain(id);
        }
      }),
    );
  });

  it("[S7] a million entries in one chain are no trouble", () => {
    const tree = new Tree();
    for (let i = 0; i < 1_000_000; i++) add(tree, `e${i}`, i === 0 ? null : `e${i - 1}`);
    expect(tree.path("e999999").length).toBe(1_000_000);
    expect(tree.children("e500000")).toEqual(["e500001"]);
    expect(tree.commonAncestor("e999999", "e10")).toBe("e10");
  });
});
