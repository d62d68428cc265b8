import { expect, it } from "vitest";
import { detectFormat } from "../../src/formats/index.ts";

/** A file of another agent is refused by name: not read half, not taken for an empty session. */
function expectNamed(head: string | Uint8Array, title: string) {
  const found = detectFormat(head, "x.jsonl");
  if (typeof found === "string") throw new Error(`taken for ${found}`);
  expect(found.problem.code).toBe("FORMAT_UNKNOWN");
  expect(found.problem.message).toContain(`(${title})`);
}

it("[IE-01] a Codex rollout of any generation is named and refused", () => {
  const envelope = (type: string, payload: object) => JSON.stringify({ timestamp: "t", type, payload });
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] };
  const generations = [
    ['{"id":"x","timestamp":"t","instructions":null}', '{"record_type":"state"}', JSON.stringify(said)],
    [
      envelope("session_meta", { id: "x" }),
      envelope("response_item", said),
      envelope("event_msg", { type: "user_message" }),
    ],
    [envelope("session_meta", { id: "x" }), envelope("event_msg", { type: "item_completed", item: {} })],
    [envelope("turn_context", {}), envelope("compacted", { message: "", replacement_history: [said] })],
    [envelope("session_meta", { id: "x", base_instructions: "y".repeat(70_000) }).slice(0, 65_536)],
  ];
  for (const lines of generations) expectNamed(lines.join("\n"), "Codex rollout");
});

it("[IE-03] an opencode export or database is named and refused", () => {
  const info = { id: "ses_1", projectID: "p", version: "1.2.5", revert: { messageID: "m" } };
  const part = { type: "compaction", auto: true, tail_start_id: "msg_2" };
  expectNamed(JSON.stringify({ info, messages: [{ info: { role: "user" }, parts: [part] }] }), "opencode export");
  expectNamed("SQLite format 3\0", "opencode database");
  expectNamed(new TextEncoder().encode("SQLite format 3\0\x10\0\x01\x01"), "opencode database");
});
