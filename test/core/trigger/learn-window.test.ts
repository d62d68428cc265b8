import { expect, it } from "vitest";
import { learnWindow } from "../../../src/core/trigger/learn-window.ts";

const at = (estimate: number, error = {}, more = {}) => learnWindow({ declared: 200_000, estimate, error, ...more });

it("[T4] an overflow from half of the declared window on is an ordinary one", () => {
  expect(at(100_000)).toEqual({ kind: "as-declared" });
  expect(at(190_000, { limitTokens: 32_768 })).toEqual({ kind: "as-declared" });
});

it("[T4] a smaller window that the text states beside a larger size is learned at any size", () => {
  const error = { limitTokens: 64_000, sentTokens: 128_000 };
  expect(at(128_000, error)).toEqual({ kind: "learned", window: 64_000, from: "text" });
  expect(at(128_000, error, { learnedBefore: true })).toEqual({ kind: "as-declared" });
  expect(at(201_000, { limitTokens: 200_000, sentTokens: 201_000 })).toEqual({ kind: "as-declared" });
});

it("[T4] below half, the window is learned from the text", () => {
  expect(at(40_000, { limitTokens: 32_768 })).toEqual({ kind: "learned", window: 32_768, from: "text" });
  expect(at(40_000, { limitTokens: 1_000_000 })).toMatchObject({ window: 200_000 });
});

it("[T4] a learned window is in our own tokens when the text says how much was sent", () => {
  const lesson = at(60_000, { limitTokens: 200_000, sentTokens: 240_000 });
  expect(lesson).toEqual({ kind: "learned", window: 50_000, from: "text" });
});

it("[T4] without a number the size that did not fit is the window", () => {
  expect(at(30_000)).toEqual({ kind: "learned", window: 30_000, from: "size" });
  expect(at(10)).toMatchObject({ window: 1024 });
});

it("[T4] it is learned once, then the settings are named", () => {
  expect(at(20_000, {}, { learnedBefore: true })).toMatchObject({ kind: "stop", because: "again" });
});

it("[T4] a reply that fills the window by itself is nothing to compact away", () => {
  const lesson = at(7_884, { limitTokens: 131_072, sentTokens: 7884, outputTokens: 131_072 });
  expect(lesson).toMatchObject({ kind: "stop", because: "reply-too-large" });
});
