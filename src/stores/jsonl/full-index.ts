import { Tree, type TreeInput } from "../../core/session/tree.ts";
import type { FoundHeader } from "./header.ts";
import { type LineSink, readLine } from "./line.ts";
import { type Place, Places } from "./places.ts";
import type { LineProblems } from "./problems.ts";
import { forwardLines } from "./scan.ts";
import type { SessionFile } from "./session-file.ts";

/** The tree of a whole file, and where each entry stands. */
export interface FullIndex {
  readonly tree: Tree;
  place(id: string): Place | null;
  add(input: TreeInput, offset: number, length: number): void;
}

/**
 * The index of the file as it is now, by one scan that parses only what its first bytes don't tell [S10].
 *
 * Bad lines go to `problems` with their numbers; children of one whose parent can still be read go to that parent.
 */
export async function indexFile(file: SessionFile, found: FoundHeader, problems: LineProblems): Promise<FullIndex> {
  const tree = new Tree();
  const places = new Places();
  const add = (input: TreeInput, offset: number, length: number) => {
    places.set(tree.add(input), offset, length);
  };
  const sink: LineSink = {
    entry: add,
    head(chunk, head, offset, length) {
      places.set(tree.addRaw(chunk, head), offset, length);
    },
    bad(line, problem, link) {
      problems.report(line, problem);
      if (link) tree.bypass(link.id, link.parentId);
    },
  };
  await forwardLines(file, found, file.size, (line) => readLine(file, line, sink));
  return {
    tree,
    add,
    place(id) {
      const slot = tree.indexOf(id);
      return slot === undefined ? null : { offset: places.offset(slot), length: places.length(slot) };
    },
  };
}
