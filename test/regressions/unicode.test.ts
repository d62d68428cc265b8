import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renderFor } from "../../src/adapters/index.ts";
import { textOf } from "../../src/core/context/blocks.ts";
import { projectContext } from "../../src/core/context/project.ts";
import { cutHead, cutTail, elideMiddle } from "../../src/core/context/text.ts";
import { serializeConversation } from "../../src/core/summary/transcript.ts";
import { openSession } from "../../src/index.ts";
import { chain, user } from "../core/context/chain.ts";
import { HEADER, message, tempFolder } from "../stores/jsonl/files.ts";

const folder = tempFolder();
/** Half of a surrogate pair. */
const LONE = /\p{Surrogate}/u;

it("[UN-01] no cut leaves half a character, and one that is stored is mended on its way out", () => {
  const texts = ["🙂".repeat(20), "👩‍👩‍👧‍👦".repeat(5), "🇫🇷🇩🇪🇯🇵🇧🇷", "e\u0301".repeat(20), `a${"😀".repeat(9)}`];
  for (const text of texts) {
    for (let n = 1; n <= 20; n++) {
      const cuts = [cutHead(text, n), cutTail(text, n), elideMiddle(text, n, (cut) => `[${cut}]`)];
      for (const cut of cuts) expect(cut.text, `${text} at ${n}`).not.toMatch(LONE);
    }
  }
  const { messages } = projectContext(chain(user(`broken \ud83d and ${"🙂".repeat(9_000)}`)));
  for (const format of ["anthropic", "openai-chat", "openai-responses", "ai-sdk"] as const) {
    expect(JSON.stringify(renderFor(format, messages)), format).not.toMatch(/\\ud83d/i);
  }
  expect(serializeConversation(messages)).not.toMatch(LONE);
});

it("[UN-03] a BOM, CRLF, a character across two reads, an invalid byte and NUL cost no entry", async () => {
  const file = join(folder, "foreign.jsonl");
  const euros = "€".repeat(70_000);
  const lines = [HEADER, message("a", null, euros), message("b", "a", "odd ? byte"), message("c", "b", "nul \0 in it")];
  const bytes = Buffer.from(`\uFEFF${lines.map((line) => `${JSON.stringify(line)}\r\n`).join("")}`);
  bytes[bytes.indexOf("odd ?") + 4] = 0xff;
  writeFileSync(file, bytes);
  const session = await openSession(file, { readOnly: true });
  const { messages } = await session.context();
  const texts = messages.map(({ message }) => textOf((message as { content?: unknown }).content));
  expect(texts).toEqual([euros, "odd \uFFFD byte", "nul \0 in it"]);
  await session.close();
});
