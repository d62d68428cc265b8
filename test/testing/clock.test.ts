import { expect, it } from "vitest";
import { fixedClock } from "../../src/testing/index.ts";

it("[I7] two fixed clocks of one seed give the same times and ids", () => {
  const [a, b] = [fixedClock(7), fixedClock(7)];
  const look = ({ now, newId }: typeof a) => [now(), now(), newId(), newId()];
  const seen = look(a);
  expect(look(b)).toEqual(seen);
  expect(seen).toEqual([Date.UTC(2026, 0, 1, 0, 0, 1), Date.UTC(2026, 0, 1, 0, 0, 2), "00000008", "00000009"]);
});
