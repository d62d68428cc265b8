import { describe, expect, it } from "vitest";
import type { SessionHeader } from "../../../src/core/session/entry.ts";
import { MIGRATIONS, migrationOf } from "../../../src/core/session/migrations.ts";

const header = (version?: number): SessionHeader => ({
  type: "session",
  id: "h",
  timestamp: "",
  cwd: "",
  ...(version ? { version } : {}),
});

function idsOf(lines: readonly [number, number][]): unknown[] {
  const migration = migrationOf(header());
  return lines.map(([line, nth]) => {
    const record: Record<string, unknown> = { type: "message" };
    migration.apply(record, { line, nth });
    return record.id;
  });
}

describe("migrations", () => {
  it("[S4] are named steps, one from each old version", () => {
    expect(MIGRATIONS.map(({ from }) => from)).toEqual([1, 2]);
    expect(migrationOf(header()).steps.length).toBe(2);
    expect(migrationOf(header(2)).steps).toEqual([MIGRATIONS[1]?.name]);
    expect(migrationOf(header(3))).toMatchObject({ steps: [], header: { version: 3 } });
    expect(migrationOf(header(4))).toMatchObject({ steps: [], header: { version: 4 } });
    expect(migrationOf(header()).header).toMatchObject({ version: 3, id: "h" });
  });

  it("[S4] ids follow from header id and line, and never meet within a file", () => {
    const lines = Array.from({ length: 200_000 }, (_, i): [number, number] => [2 + Math.floor(i / 2), i % 2]);
    const ids = idsOf(lines);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(lines.slice(0, 100))).toEqual(ids.slice(0, 100));
  });

  it("[S4] a pointer past the records read so far is left out, so that the projection falls back", () => {
    const migration = migrationOf(header());
    const record: Record<string, unknown> = { type: "compaction", firstKeptEntryIndex: 9 };
    migration.apply(record, { line: 2, nth: 0 });
    expect(record).not.toHaveProperty("firstKeptEntryId");
    expect(record).not.toHaveProperty("firstKeptEntryIndex");
  });
});
