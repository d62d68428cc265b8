import { describe, expect, it } from "vitest";
import type { AnchorKind } from "../../../src/core/verify/anchor-kind.ts";
import { scanAnchors } from "../../../src/core/verify/anchors.ts";
import { replacedBy } from "../../../src/core/verify/loss.ts";
import { openSession } from "../../../src/index.ts";
import { haveSessions, realSessions } from "../../real-sessions.ts";

function anchorsOf(text: string, prose = true): Record<string, AnchorKind> {
  const found: Record<string, AnchorKind> = {};
  scanAnchors(
    text,
    (anchor, kind) => {
      found[anchor] = kind;
    },
    { prose },
  );
  return found;
}

describe("anchors", () => {
  it("[V2] are paths, URLs, commands, identifiers, error codes, hashes, versions, numbers with units, quoted names", () => {
    const text =
      "In src/core/cut.ts:42 and ./a.md see https://x.org/a?b=1&c=2. Run `npm test -- cut`, set maxRetries and MAX_TOKENS, " +
      'got TS2345 and ENOENT at 3f2a9bc81d, v1.2.3, waited 250ms then 30 seconds, named "Blue Heron". 请看src/配置/主.ts。';
    expect(anchorsOf(text)).toMatchObject({
      "src/core/cut.ts": "path",
      "./a.md": "path",
      "https://x.org/a?b=1&c=2": "url",
      "npm test -- cut": "command",
      maxRetries: "identifier",
      MAX_TOKENS: "identifier",
      TS2345: "error",
      ENOENT: "error",
      "3f2a9bc81d": "hash",
      "v1.2.3": "version",
      "250ms": "number",
      "30 seconds": "number",
      "Blue Heron": "name",
    });
  });

  it("[V2] are not plain words, dates, escapes, abbreviations or data", () => {
    const plain =
      "Hello world, e.g. this and/or that. It's 12/05/2024\\nNext line. done.Next — 3.5 or so; I am well-known.";
    expect(anchorsOf(plain)).toEqual({});
    expect(anchorsOf("A1b/".repeat(200_000))).toEqual({});
  });

  it("[V2] a pass costs the text's length, whatever it holds", () => {
    for (const unit of ['"', "`", "[#", "\\", "a.", "a/", "::", "漢字", "aB"]) {
      let count = 0;
      scanAnchors(unit.repeat(300_000), () => count++, { prose: true });
      expect(count).toBeLessThan(700_000);
    }
  });
});

const user = (entryId: string, content: string) => ({ entryId, message: { role: "user" as const, content } });
const output = (entryId: string, text: string) => ({
  entryId,
  message: {
    role: "toolResult" as const,
    toolCallId: "c",
    toolName: "bash",
    content: [{ type: "text" as const, text }],
    isError: false,
  },
});
const planOf = (gone: object[], kept: object[] = []) =>
  ({ messagesToSummarize: gone, turnPrefixMessages: [], keptMessages: kept, previous: null }) as never;

describe("loss", () => {
  it("[V2] counts what the new context lacks, what the user named first, with the newest entry that had it", () => {
    const gone = [
      user("u1", "The port table is in lib/net/ports.ts."),
      output("t1", "lib/net/other_table.ts\nlib/net/third_table.ts"),
      user("u2", "Again: lib/net/ports.ts, and keep ERR_QUOTA."),
      output("t2", "seen in kept_name"),
    ];
    const { anchors, lost, top } = replacedBy(planOf(gone, [user("k", "kept_name")])).lossIn(
      "Summary: ERR_QUOTA stays.",
    );
    expect(anchors).toBe(5);
    expect(lost).toBe(3);
    expect(top[0]).toEqual({ text: "lib/net/ports.ts", kind: "path", entryId: "u2", used: true });
    expect(top.slice(1).map(({ entryId, used }) => [entryId, used])).toEqual([
      ["t1", false],
      ["t1", false],
    ]);
  });

  it("[V2] a path stands when its end is named, a command when all its words are", () => {
    const gone = [user("u", "See /home/me/proj/src/a/deep_file.ts and `npm run lint:all`.")];
    const { lost } = replacedBy(planOf(gone)).lossIn(
      "Paths are under /home/me/proj/: src/a/deep_file.ts; npm run lint:all",
    );
    expect(lost).toBe(0);
  });

  it.skipIf(!haveSessions)(
    "[V2] is plausible on real sessions: no context loses all, the kept part counts",
    async () => {
      for (const file of realSessions("pi").slice(0, 3)) {
        const settings = { contextWindow: 40_000, compaction: { keepRecentTokens: 4000 } };
        const session = await openSession(file, { readOnly: true, settings });
        const outcome = await session.previewCompaction();
        await session.close();
        if (outcome.status !== "preview") continue;
        const { loss, plan } = outcome.result;
        expect(loss.lost).toBeLessThan(loss.anchors);
        expect(loss.top.length).toBe(Math.min(50, loss.lost));
        const everything = replacedBy({ ...plan, keptMessages: plan.messagesToSummarize }).lossIn(
          outcome.entry.summary,
        );
        expect(everything.lost).toBeLessThan(loss.lost);
        const nothing = replacedBy({ ...plan, keptMessages: [] }).lossIn("");
        expect(nothing.lost).toBe(nothing.anchors);
      }
    },
  );
});
