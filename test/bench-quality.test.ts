import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Row {
  readonly context: string;
  readonly tokens: number;
  readonly facts: number;
  readonly tied: number;
}

const measured = (): { sessions: number; rows: Row[] } =>
  JSON.parse(
    execFileSync(process.execPath, ["bench/quality/run.mjs", "examples/session", "--budgets=8000", "--json"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    }),
  );

it("[M9, I7] the bench of quality finds more in a compacted context than in what else fits, the same at every run", () => {
  const { sessions, rows } = measured();
  expect(sessions).toBe(1);
  const [espalier, tail, random, shuffled] = rows as [Row, Row, Row, Row];
  expect(rows.map(({ context }) => context)).toEqual(["espalier", "tail", "random lines", "shuffled tail"]);
  for (const { tokens } of rows) expect(tokens).toBeLessThanOrEqual(8000);
  for (const other of [tail, random, shuffled]) {
    expect(espalier.facts).toBeGreaterThan(other.facts);
    expect(espalier.tied).toBeGreaterThan(other.tied);
  }
  expect(shuffled.tied).toBeLessThan(tail.tied);
  expect(measured().rows).toEqual(rows);
});
