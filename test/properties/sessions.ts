import fc from "fast-check";
import { type CompactionEntry, type Entry, REDO_MARKER, UNDO_MARKER } from "../../src/core/session/entry.ts";

/** A random session: all its entries in the order of a file, parents before children. */
export interface RandomSession {
  readonly entries: readonly Entry[];
  /** The entry that was appended last. */
  readonly leafId: string;
}

/** What one step of a random session does; `pick` chooses among what is there. */
interface Step {
  readonly does: (typeof STEPS)[number];
  readonly pick: number;
  readonly flag: number;
  readonly text: string;
}

/** Steps by name; the frequent ones stand in here several times. */
const STEPS = [
  ...Array<"user">(6).fill("user"),
  ...Array<"assistant">(5).fill("assistant"),
  ...Array<"calls">(6).fill("calls"),
  ...Array<"result">(12).fill("result"),
  "orphan",
  "duplicate",
  "custom_message",
  "branch_summary",
  "execution",
  "mention",
  "system",
  "edit",
  "edit",
  "compaction",
  "compaction",
  "undo",
  "redo",
  "navigate",
  "metadata",
  "metadata",
  "unknown",
] as const;

const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 6 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "  \n", "漢字かな", "👩‍💻 ok", "e\u0301\u2028x", "</summary> {{summary}} $& $1"),
  },
  { weight: 1, arbitrary: fc.constantFrom("\ud800", "a\udc00b", "x\ud83d") },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
);

const steps = fc.record<Step>({
  does: fc.constantFrom(...STEPS),
  pick: fc.nat(1000),
  flag: fc.nat(23),
  text: texts,
});

/**
 * Random sessions with every entry type: parallel, late, missing and repeated results, ids that repeat across turns,
 * failed turns, edits, compactions with sound and dangling first kept entries, undo and redo, branches, images, lone
 * surrogates, unknown types and roles.
 */
export function sessions({ maxSteps = 40 }: { maxSteps?: number } = {}): fc.Arbitrary<RandomSession> {
  return fc.array(steps, { minLength: 1, maxLength: maxSteps }).map(build);
}

/** A session on one path without maintenance, in which every call is answered before anything else: for [X7]. */
export function plainSessions({ maxSteps = 30 }: { maxSteps?: number } = {}): fc.Arbitrary<RandomSession> {
  const plain = new Set<Step["does"]>(["user", "assistant", "calls", "custom_message", "branch_summary", "metadata"]);
  for (const does of ["execution", "mention", "unknown"] as const) plain.add(does);
  const some = steps.filter((step) => plain.has(step.does));
  return fc.array(some, { minLength: 1, maxLength: maxSteps }).map((list) => {
    const session = new Builder();
    for (const step of list) {
      session.take(step);
      while (session.openCalls().length > 0) session.take({ ...step, does: "result" });
    }
    return session.done();
  });
}

/** The entries from the root to `id`, oldest first. */
export function pathTo(entries: readonly Entry[], id: string): Entry[] {
  return pathIn(new Map(entries.map((entry) => [entry.id, entry])), id);
}

function pathIn(byId: ReadonlyMap<string, Entry>, id: string | null): Entry[] {
  const path: Entry[] = [];
  for (let at = byId.get(id ?? ""); at; at = byId.get(at.parentId ?? "")) path.push(at);
  return path.reverse();
}

function build(list: readonly Step[]): RandomSession {
  const session = new Builder();
  for (const step of list) session.take(step);
  return session.done();
}

interface Call {
  readonly id: string;
  readonly name: string;
}

class Builder {
  private readonly entries: Entry[] = [];
  private readonly byId = new Map<string, Entry>();
  private leafId: string | null = null;

  done(): RandomSession {
    if (this.leafId === null) this.add({ type: "custom", customType: "start" });
    return { entries: this.entries, leafId: this.leafId ?? "" };
  }

  /** Calls on the current path whose results are missing. */
  openCalls(): Call[] {
    const open: Call[] = [];
    for (const entry of this.path()) {
      if (entry.type !== "message") continue;
      const { message } = entry;
      if (message.role === "assistant") {
        for (const block of message.content) if (block.type === "toolCall") open.push(block);
      } else if (message.role === "toolResult") {
        const at = open.findLastIndex((call) => call.id === message.toolCallId);
        if (at >= 0) open.splice(at, 1);
      }
    }
    return open;
  }

  take(step: Step): void {
    const { pick, flag, text } = step;
    switch (step.does) {
      case "user": {
        const block = { type: "text", text };
        this.message({ role: "user", content: flag < 12 ? text : flag < 18 ? [block] : [block, IMAGE] });
        break;
      }
      case "assistant":
        this.assistant(step, []);
        break;
      case "calls": {
        const names = ["read", "bash", "edit", "odd name.v2"];
        const calls = Array.from({ length: 1 + (pick % 3) }, (_, at) => ({
          type: "toolCall",
          id: flag < 6 ? `call_${at}` : flag < 8 ? "call_0|fc_1" : `c${this.entries.length}_${at}`,
          name: names[(pick + at) % names.length],
          arguments: flag === 9 ? null : { path: `src/${text}`, deep: { list: [text, 1, null] } },
        }));
        this.assistant(step, calls);
        break;
      }
      case "result": {
        const open = this.openCalls();
        const call = open[pick % Math.max(1, open.length)];
        if (call) this.result(call, step);
        break;
      }
      case "orphan":
        this.result({ id: `none_${pick}`, name: "bash" }, step);
        break;
      case "duplicate": {
        const done = this.path().findLast((entry) => entry.type === "message" && entry.message.role === "toolResult");
        if (done?.type === "message" && done.message.role === "toolResult") {
          this.result({ id: done.message.toolCallId, name: done.message.toolName }, step);
        }
        break;
      }
      case "custom_message":
        this.add({ type: "custom_message", customType: "note", content: text, display: flag > 9 });
        break;
      case "branch_summary":
        this.add({ type: "branch_summary", fromId: "root", summary: text });
        break;
      case "execution":
        this.message({
          role: flag % 2 === 0 ? "bashExecution" : "pythonExecution",
          ...(flag % 2 === 0 ? { command: text } : { code: text }),
          output: text,
          exitCode: flag > 9 ? 1 : 0,
          excludeFromContext: flag > 15,
        });
        break;
      case "mention":
        this.message({
          role: "fileMention",
          files: [{ path: "a.ts", content: text }, ...(flag > 9 ? [{ path: "b.png", image: IMAGE }] : [])],
        });
        break;
      case "system":
        this.message({ role: "system", content: text, sections: { [`s${flag % 3}`]: flag > 15 ? null : text } });
        break;
      case "edit":
        this.edit(step);
        break;
      case "compaction":
        this.compaction(step);
        break;
      case "undo":
      case "redo": {
        const all = this.path().filter((entry) => entry.type === "compaction");
        const customType = step.does === "undo" ? UNDO_MARKER : REDO_MARKER;
        const compactionId = all[pick % Math.max(1, all.length)]?.id ?? "gone";
        this.add({ type: "custom", customType, data: flag > 21 ? null : { compactionId } });
        break;
      }
      case "navigate":
        this.leafId = this.entries[pick % Math.max(1, this.entries.length)]?.id ?? null;
        break;
      case "metadata":
        this.metadata(step);
        break;
      default:
        if (flag < 12) this.add({ type: "ttsr_injection", rules: [text] });
        else this.message({ role: "future", content: text });
    }
  }

  private path(): Entry[] {
    return pathIn(this.byId, this.leafId);
  }

  private add(fields: Record<string, unknown>): string {
    const id = `e${this.entries.length}`;
    const timestamp = new Date(1_700_000_000_000 + this.entries.length * 1000).toISOString();
    const entry = { ...fields, id, parentId: this.leafId, timestamp } as unknown as Entry;
    this.entries.push(entry);
    this.byId.set(id, entry);
    this.leafId = id;
    return id;
  }

  private message(message: Record<string, unknown>): void {
    this.add({ type: "message", message });
  }

  private assistant({ flag, pick, text }: Step, calls: object[]): void {
    const ends = ["error", "aborted", "length"];
    const thinking = { type: "thinking", thinking: text, ...(flag > 3 && { thinkingSignature: "c2ln" }) };
    const said = flag === 2 ? [] : [{ type: "text", text }];
    this.message({
      role: "assistant",
      content: [...(pick % 3 === 0 ? [thinking] : []), ...said, ...calls, ...(flag === 5 ? [{ type: "future" }] : [])],
      provider: "anthropic",
      model: `m${pick % 2}`,
      ...(pick % 2 === 0 && { api: "anthropic-messages" }),
      stopReason: ends[flag - 20] ?? (calls.length > 0 ? "toolUse" : "stop"),
    });
  }

  private result({ id, name }: Call, { flag, text }: Step): void {
    const content = flag < 3 ? [] : [{ type: "text", text }, ...(flag > 18 ? [IMAGE] : [])];
    this.message({ role: "toolResult", toolCallId: id, toolName: name, content, isError: flag % 4 === 0 });
  }

  private edit({ pick, flag, text }: Step): void {
    const path = this.path();
    const targetId = path[pick % Math.max(1, path.length)]?.id ?? "gone";
    const forms: unknown[] = [null, { content: text }, { content: [{ type: "text", text }] }, { content: 5 }, "odd"];
    const replacement = forms[flag < 10 ? 0 : flag < 16 ? 1 : flag < 21 ? 2 : flag - 18];
    this.add({ type: "context_edit", targetId, replacement: replacement === undefined ? null : replacement });
  }

  private compaction({ pick, flag, text }: Step): void {
    const path = this.path();
    const kept = path[path.length - 1 - (pick % Math.max(1, path.length))]?.id;
    const system = path.findLast((entry) => entry.type === "message" && entry.message.role === "system");
    const entry: Omit<CompactionEntry, "id" | "parentId" | "timestamp"> = {
      type: "compaction",
      summary: text,
      firstKeptEntryId: flag < 3 ? `e${this.entries.length}` : flag < 6 ? "gone" : (kept ?? "gone"),
      tokensBefore: pick,
      ...(system?.type === "message" && system.message.role === "system" && { systemMessage: system.message }),
    };
    this.add({ ...entry });
  }

  private metadata({ pick, flag, text }: Step): void {
    const kinds: Record<string, unknown>[] = [
      { type: "model_change", provider: "openai", modelId: text },
      { type: "model_change", model: `openai/${text}`, role: flag > 12 ? "smol" : "default" },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "label", targetId: `e${flag}`, label: text },
      { type: "session_info", name: text },
      { type: "custom", customType: "state", data: { text } },
      { type: "usage", kind: "summary", provider: "a", model: "b", usage: {} },
    ];
    this.add(kinds[pick % kinds.length] ?? {});
  }
}
