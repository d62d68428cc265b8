import { describe, expect, it } from "vitest";
import { fitted } from "../../../src/core/context/fit.ts";
import { wellFormed } from "../../../src/core/context/text.ts";
import { scriptCounter } from "../../../src/core/context/tokens.ts";

describe("fitted", () => {
  it("[X6] gives what counts at most that much: the text, head and tail of it, or nothing", () => {
    const family = "👨‍👩‍👧‍👦";
    for (const text of ["", "a few words", "word ".repeat(5_000), "漢字".repeat(3_000), family.repeat(500)]) {
      for (const most of [-1, 0, 1, 30, 400, 1_000_000]) {
        const fit = fitted(text, most, scriptCounter);
        expect(scriptCounter.count(fit)).toBeLessThanOrEqual(Math.max(0, most));
        if (scriptCounter.count(text) <= most) expect(fit).toBe(text);
        expect(wellFormed(fit)).toBe(fit);
      }
    }
    const [head = "", , tail = ""] = fitted(family.repeat(500), 400, scriptCounter).split("\n");
    expect(head.replaceAll(family, "") + tail.replaceAll(family, "")).toBe("");
    expect(fitted("word ".repeat(50), 1_000, scriptCounter, 20)).toBe(
      "word word \n[… 230 characters left out …]\nword word ",
    );
  });
});
