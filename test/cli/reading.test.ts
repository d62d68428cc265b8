import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { espalier, espalierJson, fileOf, folder } from "./run.ts";
import { HEADER, idOf, lines, messageAt, sessionText, turnRecords } from "./session-text.ts";

const user = (text: string) => ({ role: "user", content: text });

describe("espalier tree", () => {
  const branched = () =>
    fileOf(
      lines(
        HEADER,
        ...turnRecords(2),
        messageAt(100, user("the road not taken"), idOf(4)),
        messageAt(101, user("its end"), idOf(100)),
        {
          type: "label",
          id: idOf(102),
          parentId: idOf(8),
          timestamp: HEADER.timestamp,
          targetId: idOf(1),
          label: "start",
        },
      ),
    );

  it("[S11] gives each node with parent, children, label and whether it is on the path", async () => {
    const { document } = await espalierJson(["tree", branched()]);
    const nodes = new Map(document.nodes.map((node: { id: string }) => [node.id, node]));
    expect(nodes.size).toBe(11);
    expect(nodes.get(idOf(1))).toMatchObject({ parentId: null, role: "user", label: "start", onPath: true });
    expect(nodes.get(idOf(4))).toMatchObject({ childIds: [idOf(5), idOf(100)], onPath: true });
    expect(nodes.get(idOf(100))).toMatchObject({ parentId: idOf(4), onPath: false });
  });

  it("indents a side branch once, below the entry it leaves, and marks the path", async () => {
    const { out } = await espalier(["tree", branched(), "--all"]);
    const shown = out.split("\n").filter((line) => /[●○◆] 0/.test(line));
    expect(shown.findIndex((line) => line.includes("not taken"))).toBe(4);
    expect(shown[4]).toMatch(/^ {2}│ ○ 00000064 {2}user/);
    expect(shown[6]).toMatch(/^ {2}● 00000005 {2}user/);
  });
});

describe("espalier stats", () => {
  it("[T1] adds tokens up by kind and by tool, and says what a compaction would save", async () => {
    const file = fileOf(sessionText(60));
    const { document } = await espalierJson(["stats", file, "--keep-recent-tokens", "4000"]);
    const { total, byKind, byTool } = document.tokens;
    const values: number[] = Object.values(byKind);
    expect(values.reduce((a, b) => a + b, 0)).toBe(total);
    expect(byTool.read).toBe(byKind.toolResults);
    expect(document).toMatchObject({
      format: "pi",
      entries: 240,
      messages: 240,
      branches: 0,
      compactions: 0,
      path: 240,
    });
    expect(document.compaction).toMatchObject({ status: "preview", tokensBefore: total });
    const dry = await espalierJson(["compact", file, "--dry-run", "--keep-recent-tokens", "4000"]);
    expect(document.compaction.saved).toBe(total - dry.document.tokensAfter);
  });
});

describe("espalier context --format", () => {
  it("[X5] gives a provider's own array; every call has its result", async () => {
    const file = fileOf(sessionText(3));
    const { document } = await espalierJson(["context", file, "--format", "anthropic"]);
    const blocks = document.messages.flatMap((message: { content: unknown }) => message.content);
    const of = (type: string) => blocks.filter((block: { type?: string }) => block.type === type);
    expect(of("tool_use")).toHaveLength(3);
    expect(of("tool_result").map((block: { tool_use_id: string }) => block.tool_use_id)).toEqual(
      of("tool_use").map((block: { id: string }) => block.id),
    );
    for (const format of ["pi", "openai-chat", "openai-responses", "ai-sdk"]) {
      const ran = await espalierJson(["context", file, "--format", format]);
      expect(ran.document.messages.length).toBeGreaterThan(0);
    }
    const human = await espalier(["context", file, "--format", "openai-chat"]);
    expect(JSON.parse(human.out).messages).toHaveLength(12);
  });
});

describe("espalier convert", () => {
  it("[S4] writes version 1 as version 3, the original untouched", async () => {
    const { version: _, ...header } = HEADER;
    const file = fileOf(
      lines(header, ...turnRecords(3).map((record) => ({ ...record, id: undefined, parentId: undefined }))),
    );
    const before = readFileSync(file);
    const out = join(folder(), "out.jsonl");
    const { code, document } = await espalierJson(["convert", file, "--to", "pi", "--out", out]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ status: "converted", from: "pi", to: "pi", entries: 12 });
    expect(JSON.parse(readFileSync(out, "utf8").split("\n")[0] ?? "")).toMatchObject({ version: 3, id: "s-1" });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect((await espalierJson(["context", out])).document.messages).toHaveLength(12);
  });

  it("[S8] with --leaf the copy opens at that entry", async () => {
    const file = fileOf(sessionText(3));
    const out = join(folder(), "out.jsonl");
    await espalierJson(["convert", file, "--to", "pi", "--out", out, "--leaf", idOf(4)]);
    expect((await espalierJson(["tree", out])).document.leafId).toBe(idOf(4));
    expect((await espalierJson(["context", out])).document.messages).toHaveLength(4);
  });
});

describe("espalier demo", () => {
  it("shows before and after of a file that would still fit, says so, and writes nothing", async () => {
    const file = fileOf(sessionText(60));
    const before = readFileSync(file);
    const ran = await espalier(["demo", file]);
    expect(ran.code).toBe(0);
    for (const text of ["What the model saw", "What it sees now", "so this run takes", "Summary", "Next"]) {
      expect(ran.out.replace(/\s+/g, " ")).toContain(text);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toEqual(["session.jsonl"]);
  });

  it("[V5] with --out writes the copy it shows; without a file it takes the example", async () => {
    const file = fileOf(sessionText(60));
    const out = join(folder(), "out.jsonl");
    const { document } = await espalierJson(["demo", file, "--out", out]);
    expect(document.status).toBe("preview");
    expect((await espalierJson(["context", out])).document.tokens).toBe(document.tokensAfter);
    const example = await espalierJson(["demo"]);
    expect(example.document.status).toBe("preview");
    expect(example.document.tokensAfter).toBeLessThan(example.document.tokensBefore / 2);
  });
});
