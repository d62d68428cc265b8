import { Tree, type TreeInput } from "../../core/session/tree.ts";
import type { Head } from "./head.ts";
import type { FoundHeader } from "./header.ts";
import { type FileLine, type LineSink, readLine } from "./line.ts";
import { type Place, Places } from "./places.ts";
import type { LineProblems } from "./problems.ts";
import { forwardLines } from "./scan.ts";
import type { SessionFile } from "./session-file.ts";

/** So many samples of so many bytes tell how many lines a file has. */
const SAMPLES = 64;
const SAMPLE = 16 << 10;
const MARGIN = 1.1;
const LF = 10;

/** The tree of a whole file, and where each entry stands; takes in what is read from the lines. */
export class FullIndex implements LineSink {
  readonly tree: Tree;
  readonly #places: Places;
  readonly #problems: LineProblems;

  constructor(problems: LineProblems, expected: number) {
    this.tree = new Tree(expected);
    this.#places = new Places(expected);
    this.#problems = problems;
  }

  place(id: string): Place | null {
    const slot = this.tree.indexOf(id);
    return slot === undefined ? null : { offset: this.#places.offset(slot), length: this.#places.length(slot) };
  }

  entry(input: TreeInput, offset: number, length: number): void {
    this.#places.set(this.tree.add(input), offset, length);
  }

  head(chunk: Buffer, head: Head, offset: number, length: number): void {
    this.#places.set(this.tree.addRaw(chunk, head), offset, length);
  }

  /** Children of a line whose parent can still be read go to that parent. */
  bad(line: FileLine, problem: string, link: { id: string; parentId: string | null } | null): void {
    this.#problems.report(line, problem);
    if (link) this.tree.bypass(link.id, link.parentId);
  }
}

/**
 * The index of the file as it is now, by one scan that parses only what its first bytes don't tell [S10].
 *
 * Bad lines go to `problems` with their numbers.
 */
export async function indexFile(file: SessionFile, found: FoundHeader, problems: LineProblems): Promise<FullIndex> {
  const index = new FullIndex(problems, expectedLines(file));
  await forwardLines(file, found, file.size, (line) => readLine(file, line, index));
  return index;
}

/** About how many lines the file has, rather some more, since growing columns costs a third of the whole scan. */
function expectedLines(file: SessionFile): number {
  const sample = Buffer.allocUnsafe(Math.min(SAMPLE, Math.ceil(file.size / SAMPLES)));
  let read = 0;
  let lines = 0;
  for (let nth = 0; nth < SAMPLES; nth++) {
    const length = file.readInto(
      sample,
      Math.floor((file.size - sample.length) * (nth / (SAMPLES - 1))),
      sample.length,
    );
    for (let at = sample.indexOf(LF); at !== -1 && at < length; at = sample.indexOf(LF, at + 1)) lines++;
    read += length;
  }
  return read === 0 ? 0 : Math.ceil((lines / read) * file.size * MARGIN);
}
