import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/core/session/entry.ts";
import type { Session } from "../../src/engine/session.ts";
import { openSession } from "../../src/index.ts";
import type { SessionStore } from "../../src/ports/store.ts";
import { openJsonlStore, repairFile, writeSessionFile } from "../../src/stores/jsonl/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import { fixedClock, scriptedSummarizer } from "../../src/testing/index.ts";
import { HEADER, tempFolder } from "../stores/jsonl/files.ts";
import { PlainSession } from "./plain-session.ts";

/** One random operation; `pick` chooses an entry or a number, `text` is what is said. */
interface Operation {
  readonly does: (typeof OPERATIONS)[number];
  readonly pick: number;
  readonly text: string;
}

const OPERATIONS = [
  "append",
  "append",
  "append",
  "batch",
  "navigate",
  "navigate",
  "back",
  "label",
  "rename",
  "late",
  "compact",
  "compact",
  "fork",
  "repair",
  "reopen",
  "tree",
] as const;

const operations = fc.array(
  fc.record<Operation>({
    does: fc.constantFrom(...OPERATIONS),
    pick: fc.nat(10_000),
    text: fc.oneof(fc.lorem({ maxCount: 40 }), fc.constantFrom("", "漢字\u2028", "👩‍💻", '"}{"type":"x"')),
  }),
  { minLength: 20, maxLength: 60 },
);

/** How one kind of store is made, opened once more, and damaged and repaired. */
interface Kind {
  readonly name: string;
  create(): Promise<SessionStore>;
  reopen(store: SessionStore): Promise<SessionStore>;
  /** A store of these lines. */
  from(header: SessionStore["header"], lines: AsyncIterable<string>): Promise<SessionStore>;
  repair(store: SessionStore, pick: number): Promise<SessionStore>;
}

/** ESPALIER_RUNS=50 makes it thousands. */
const TIMES = Number(process.env.ESPALIER_RUNS ?? 1);
const folder = tempFolder();
let files = 0;
const fresh = () => join(folder, `${++files}.jsonl`);

const jsonl = (options: { fsync: "never"; blobs: "inline" | "extract" }): Kind => ({
  name: `jsonl, images ${options.blobs}`,
  create: () => openJsonlStore(fresh(), { create: HEADER, ...options }),
  async reopen(store) {
    await store.close();
    return openJsonlStore(store.location, options);
  },
  async from(header, lines) {
    const path = fresh();
    await writeSessionFile(path, header, lines);
    return openJsonlStore(path, options);
  },
  async repair(store, pick) {
    await store.close();
    const lines = readFileSync(store.location, "utf8").trimEnd().split("\n");
    const at = 1 + (pick % lines.length);
    // A bad line somewhere, two records on one line, and a torn end.
    const glued = at + 1 < lines.length ? [`${lines[at]}${lines[at + 1]}`, ...lines.slice(at + 2)] : lines.slice(at);
    writeFileSync(store.location, `${[...lines.slice(0, at), "\0\0 lost", ...glued].join("\n")}\n`);
    appendFileSync(store.location, '{"type":"message","id":"to');
    expect((await repairFile(store.location)).bad).toHaveLength(2);
    expect(readFileSync(store.location, "utf8")).toBe(`${lines.join("\n")}\n`);
    return openJsonlStore(store.location, options);
  },
});

const memory: Kind = {
  name: "memory",
  create: async () => createMemoryStore({ header: HEADER }),
  reopen: async (store) => createMemoryStore({ header: HEADER, entries: await allOf(store) }),
  async from(header, lines) {
    const entries: Entry[] = [];
    for await (const line of lines) entries.push(JSON.parse(line));
    return createMemoryStore({ header, entries });
  },
  repair: async (store) => store,
};

const KINDS = [memory, jsonl({ fsync: "never", blobs: "inline" }), jsonl({ fsync: "never", blobs: "extract" })];
const summarizer = scriptedSummarizer(["what was said"]);
const SETTINGS = { contextWindow: 4096, compaction: { keepRecentTokens: 40, reserveTokens: 400 } };

async function allOf(store: SessionStore, fromLine?: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { entry } of store.entries(fromLine === undefined ? undefined : { fromLine })) entries.push(entry);
  return entries;
}

/** The engine and the plain model side by side. */
class Pair {
  model = new PlainSession();
  private readonly clock = fixedClock();
  private session!: Session;
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  async open(store: SessionStore): Promise<void> {
    this.session = await openSession(store, { clock: this.clock, settings: SETTINGS, summarizer });
  }

  async run({ does, pick, text }: Operation): Promise<void> {
    const { model, session, kind } = this;
    const chosen = pick % 7 === 0 ? null : (model.entries[pick % Math.max(1, model.entries.length)]?.id ?? null);
    switch (does) {
      case "append":
      case "batch": {
        const messages = Array.from({ length: does === "batch" ? 1 + (pick % 4) : 1 }, (_, n) =>
          this.message(text, pick + n),
        );
        model.append(await session.append(...messages));
        return;
      }
      case "navigate": {
        const to = model.destination(chosen);
        const from = model.leafId;
        const outcome = await session.navigate(chosen);
        expect([outcome.newLeafId, outcome.editorText]).toEqual([to?.leafId, to?.text]);
        expect(outcome.status).toBe(to?.leafId === from ? "unchanged" : "moved");
        if (outcome.status === "moved") {
          model.steps.push(from);
          await this.moved(outcome.newLeafId);
        }
        return;
      }
      case "back": {
        const outcome = await session.back();
        const step = model.steps.pop();
        expect(outcome.status).toBe(step === undefined ? "unchanged" : "moved");
        if (step === undefined) return;
        expect(outcome.newLeafId).toBe(step);
        await this.moved(step);
        return;
      }
      case "label":
        if (chosen !== null) model.append([await session.label(chosen, pick % 3 === 0 ? null : text)]);
        return;
      case "rename":
        model.append([await session.rename(text)]);
        return;
      case "late": {
        if (chosen === model.leafId || chosen === model.tipId) return;
        const { leafId } = model;
        const made = await session.appendAt(chosen, this.message(text, pick));
        expect(made.map(({ parentId }) => parentId)).toEqual([chosen]);
        model.entries.push(...made);
        await this.moved(leafId);
        return;
      }
      case "compact": {
        const before = model.tipId;
        const outcome = await session.compact();
        if (outcome.status !== "compacted")
          return void expect(outcome.status === "failed" ? outcome.error : outcome.status).toBe("skipped");
        expect(outcome.entry.parentId).toBe(before);
        model.append([outcome.entry]);
        return;
      }
      case "fork": {
        if (chosen === null) return;
        const forked = model.fork(chosen);
        if (forked.entries.length === 0) return;
        const { header, lines } = await session.fork(chosen);
        const store = await kind.from(header, lines);
        const stored = await allOf(store);
        expect(stored.slice(0, forked.entries.length)).toEqual(forked.entries);
        const labels = Object.entries(model.labels()).filter(([id]) => forked.get(id));
        const name = model.name() === forked.name() ? [] : [{ type: "session_info", name: model.name() }];
        const rest = stored.slice(forked.entries.length);
        expect(rest).toMatchObject([...name, ...rest.slice(name.length)]);
        forked.append(rest);
        expect(forked.labels()).toEqual(Object.fromEntries(labels));
        await session.close();
        this.model = forked;
        await this.open(store);
        return;
      }
      case "repair":
        await this.open(await kind.repair(session.store, pick));
        return;
      case "reopen":
        await this.open(await kind.reopen(session.store));
        return;
      case "tree":
        await session.tree();
    }
  }

  async check(): Promise<void> {
    const { model, session } = this;
    expect(session.leafId).toBe(model.leafId);
    expect(session.store.position()).toEqual({ leafId: model.leafId, tipId: model.tipId });
    const { messages } = await session.context();
    const texts = messages.filter((one) => !one.synthetic).map(({ message }) => textOf(message));
    expect(texts).toEqual(model.context());
  }

  async checkAll(): Promise<void> {
    const { model, session } = this;
    await this.check();
    expect(await allOf(session.store)).toEqual(model.entries);
    const tree = await session.tree();
    const labels = model.entries.flatMap(({ id }) => (tree.label(id) === undefined ? [] : [[id, tree.label(id)]]));
    expect(Object.fromEntries(labels)).toEqual(model.labels());
    expect(tree.name).toBe(model.name());
    expect(tree.warnings).toEqual([]);
    expect(tree.path(model.tipId)).toEqual(model.pathTo(model.tipId).map(({ id }) => id));
    await session.close();
  }

  private message(text: string, pick: number) {
    const said = `${pick} ${text}${" and more of it".repeat(pick % 60)}`;
    return pick % 2 === 0
      ? { role: "user" as const, content: said }
      : { role: "assistant" as const, content: [{ type: "text" as const, text: said }], stopReason: "stop" as const };
  }

  /** The engine has stored a marker as its last entry. */
  private async moved(leafId: string | null): Promise<void> {
    const { tipId } = this.session.store.position();
    const [marker] = await this.session.store.read([tipId as string]);
    expect(marker?.parentId).toBe(leafId);
    this.model.move(marker as Entry, leafId);
  }
}

function textOf(message: object): string {
  const { content, summary } = message as { content?: string | { text: string }[]; summary?: string };
  if (summary !== undefined) return summary;
  return typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("");
}

describe("a session against a plain model of it", () => {
  it.each(KINDS)(
    "[S8, S11, B1, B6, I3] any sequence of operations, $name",
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(operations, async (sequence) => {
          const pair = new Pair(kind);
          await pair.open(await kind.create());
          for (const operation of sequence) {
            await pair.run(operation);
            await pair.check();
          }
          await pair.checkAll();
        }),
        { numRuns: (kind === memory ? 50 : 25) * TIMES },
      );
    },
    60_000 * TIMES,
  );
});
