import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadHooks } from "../../src/cli/hook-modules.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-hooks-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function module(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe("hook modules", () => {
  it("[H1, H2] are loaded in their order", async () => {
    const one = await module("one.mjs", "export default { session_compact: function first() {} };");
    const two = await module("two.mjs", "export const hooks = { session_compact: [function second() {}] };");
    const { session_compact } = await loadHooks([one, two]);
    expect((session_compact as (() => void)[]).map(({ name }) => name)).toEqual(["first", "second"]);
  });

  it.each([
    ["no hook", "export default { session_compacted() {} };", "which is no hook"],
    ["no function", "export default { session_tree: 5 };", "is no function"],
    ["nothing", "export const x = 1;", "exports no object of hooks"],
    ["a fault", "throw new Error('broken module');", "broken module"],
  ])("[E2, H1] that export %s are refused by name", async (name, text, why) => {
    const path = await module(`${name.replace(" ", "-")}.mjs`, text);
    await expect(loadHooks([path])).rejects.toMatchObject({
      code: "SETTING_INVALID",
      message: expect.stringMatching(new RegExp(`${name.replace(" ", "-")}.*${why}`)),
    });
  });

  it("[E2] must be named by an absolute path", async () => {
    await expect(loadHooks(["./hooks.mjs"])).rejects.toMatchObject({ code: "SETTING_INVALID" });
  });
});
