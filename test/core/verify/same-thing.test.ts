import { describe, expect, it } from "vitest";
import { subjectOf } from "../../../src/core/verify/same-thing.ts";

const same = (a: string, b: string) => subjectOf(a) === subjectOf(b);

describe("the same thing", () => {
  it.each([
    ["Never edit the lock file.", "You may edit the lock file now."],
    ["Always indent with 4 spaces.", "Always indent with 2 spaces."],
    ["Nunca modifiques el archivo principal.", "Siempre modifiques el archivo principal."],
    ["不要修改配置文件。", "现在可以修改配置文件。"],
  ])("[V1] %s – %s", (older, newer) => expect(same(older, newer)).toBe(true));

  it.each([
    ["Never edit migration 0012 again.", "Never edit migration 0013 again."],
    ["Keep line 10 in a.ts.", "Keep line 20 in a.ts."],
    ["Never edit src/a.ts.", "Never edit src/b.ts."],
    ["Never push to main.", "Never push to release."],
    ["不要修改配置文件。", "不要修改测试文件。"],
    ["No!", "Never!"],
  ])("[V1] and not %s – %s", (older, newer) => expect(same(older, newer)).toBe(false));
});
