import { describe, expect, it } from "vitest";
import { scanAnchors } from "../../../src/core/verify/anchors.ts";

function anchorsIn(text: string): string[] {
  const found: string[] = [];
  scanAnchors(text, (anchor) => found.push(anchor));
  return found;
}

describe("anchors", () => {
  it("[V2] are whole paths of Windows, without their line numbers", () => {
    expect(anchorsIn(String.raw`scripts\generate_x.py:6 and C:\Users\me\a_b.py:10:import os`)).toEqual([
      String.raw`scripts\generate_x.py`,
      String.raw`C:\Users\me\a_b.py`,
    ]);
  });

  it("[V2] begin behind an escape, as in text that was escaped twice", () => {
    expect(anchorsIn(String.raw`one\nfoo_bar\tsrc/core/a.ts`)).toEqual(["foo_bar", "src/core/a.ts"]);
  });
});
