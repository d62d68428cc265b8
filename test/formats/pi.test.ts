import { expect, it } from "vitest";
import type { Entry, SessionHeader } from "../../src/core/session/entry.ts";
import { writeLines } from "../../src/formats/index.ts";

it("[S1] writes version 3 with pi's key order, whatever order the fields came in", () => {
  const header: SessionHeader = {
    cwd: "/w",
    timestamp: "t0",
    id: "s",
    version: 1,
    type: "session",
    parentSession: "p",
  };
  const entry: Entry = {
    message: { role: "user", content: "hi" },
    timestamp: "t1",
    parentId: null,
    id: "a1",
    type: "message",
  };
  expect([...writeLines(header, [entry])]).toEqual([
    '{"type":"session","version":3,"id":"s","timestamp":"t0","cwd":"/w","parentSession":"p"}',
    '{"type":"message","id":"a1","parentId":null,"timestamp":"t1","message":{"role":"user","content":"hi"}}',
  ]);
});
