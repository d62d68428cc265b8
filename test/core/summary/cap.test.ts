import { expect, it } from "vitest";
import { capSummary } from "../../../src/core/summary/cap.ts";
import { chars } from "../plan/entries.ts";

const SUMMARY = `## Goal
win

## Progress
### Done
- [x] first thing
  with a second line
- [x] second thing
- [x] third thing

### In Progress
- [ ] now

## Key Decisions
- **Use X**: because

## Next Steps
1. go on`;

it("[M10] a text that fits comes back as it is", () => {
  expect(capSummary(SUMMARY, SUMMARY.length, chars)).toBe(SUMMARY);
});

it("[M10] the oldest Done items go first, whole", () => {
  const capped = capSummary(SUMMARY, SUMMARY.length - 10, chars);
  expect(capped).toBe(SUMMARY.replace("- [x] first thing\n  with a second line\n", ""));
});

it("[M10] then items of the other sections with their headings, the goal last", () => {
  const capped = capSummary(SUMMARY, 100, chars);
  expect(capped).toContain("## Goal\nwin");
  expect(capped).toContain("## Next Steps\n1. go on");
  expect(capped).not.toContain("Done");
  expect(capped).not.toContain("Key Decisions");
});

it("[M10] a single item that is too big is cut at a grapheme border", () => {
  for (const max of [1, 7, 50, 200]) {
    const capped = capSummary("👨‍👩‍👧‍👦".repeat(100), max, chars);
    expect(capped.length).toBeLessThanOrEqual(max);
    expect(capped.length % "👨‍👩‍👧‍👦".length).toBe(0);
  }
});

it("[M10] headings that are larger than the budget don't take the goal along", () => {
  for (const max of [20, 40, 60, 80]) {
    const capped = capSummary(SUMMARY, max, chars);
    expect(capped.length).toBeLessThanOrEqual(max);
    expect(capped).toContain("## Goal\nwin");
  }
  expect(capSummary(SUMMARY, 20, chars)).toBe("## Goal\nwin");
});

it("[M10] a heading stays with what a bold heading below it has left", () => {
  const text = `## Goal\nwin\n\n## Progress\n**Done:**\n- ${"x".repeat(200)}\n**Blocked:**\n- the door\n`;
  expect(capSummary(text, 80, chars)).toBe("## Goal\nwin\n\n## Progress\n**Blocked:**\n- the door");
});
