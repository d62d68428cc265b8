import { describe, expect, it } from "vitest";
import { EspalierError } from "../../../src/errors.ts";
import type { Model, ModelRequest } from "../../../src/ports/model.ts";
import { llmSummarizer } from "../../../src/summarizers/llm.ts";
import { remoteSummarizer } from "../../../src/summarizers/remote.ts";
import { secretFinder } from "../../../src/summarizers/secrets/find.ts";
import { maskSecrets } from "../../../src/summarizers/secrets/mask.ts";
import { redactingModel } from "../../../src/summarizers/secrets/redacting.ts";
import { scriptedModel } from "../../../src/testing/scripted-model.ts";
import { FAKES, random } from "./fakes.ts";

const find = await secretFinder();
const mask = async (text: string) => {
  const masked = await maskSecrets([text], find);
  return { ...masked, text: masked.texts[0] ?? "" };
};

describe("every kind", () => {
  for (const [kind, before, secret, after] of FAKES) {
    it(`[M3] masks ${kind} after ${JSON.stringify(before.slice(0, 24))} and nothing around it`, async () => {
      const { text, restore } = await mask(before + secret + after);
      expect(text).toMatch(/\[secret-1:[a-z0-9-]+\]/);
      expect(text.replace(/\[secret-1:[a-z0-9-]+\]/, "")).toBe(before + after);
      expect(restore(text)).toBe(before + secret + after);
    });
  }
});

it("[M3] the same value has the same placeholder, in all texts of a request, also without its surroundings", async () => {
  const secret = `s3cr3t-${random(12, 40)}`;
  const texts = [`PASSWORD=${secret}\nother ghp_${random(36, 1)}`, `then I typed ${secret} again`];
  const masked = await maskSecrets(texts, find);
  expect(masked.texts[0]).toMatch(/^PASSWORD=\[secret-1:password\]\nother \[secret-2:github\]$/);
  expect(masked.texts[1]).toBe("then I typed [secret-1:password] again");
  expect(masked.secrets).toBe(2);
});

it("[M3] masking twice changes nothing, and a placeholder in the text stays one", async () => {
  const once = await mask(`[secret-1:github] and TOKEN=ghp_${random(36, 1)}`);
  expect(once.text).toMatch(/^\[secret-1:github\] and TOKEN=\[secret-2:/);
  expect(once.restore("[secret-1:github]")).toBe("[secret-1:github]");
  expect((await mask(once.text)).text).toBe(once.text);
});

it("[M3] what is no secret stays as it is", async () => {
  const plain = [
    "const token: TokenCounter = scriptCounter; keyOf(entry.id)",
    "password: string; secret?: boolean; auth = process.env.AUTH_TOKEN_OF_THE_SERVER",
    `API_KEY=$API_KEY PASSWORD=${"$"}{PASSWORD} token=<your-token-here>`,
    "see https://host/path?x=1 and src/core/trigger/overflow.ts:12, commit 5cace61, version 12.0.0",
    "the key is kept in tests/fixtures/keyboard-layout-shortcuts; bearer of the news arrived",
    "[User #a1b2c3d4]: Entschlüssele die Token im Parser (密钥)",
  ].join("\n");
  expect((await mask(plain)).text).toBe(plain);
});

it("[M3] a key of which a cut left only one end is masked too", async () => {
  const lines = [1, 2, 3].map((seed) => random(64, seed)).join("\n");
  const cut = `$ cat id\n-----BEGIN PRIVATE KEY-----\n${lines}\n[... 900 characters left out ...]\n${lines}\n-----END PRIVATE KEY-----\n$ ls`;
  const { text } = await mask(cut);
  expect(text).not.toContain(random(64, 1));
  expect(text).not.toContain(random(64, 3));
  expect(text).toContain("$ ls");
  const token = await mask(`out: ghp_${random(14, 1)}7\n[... 900 characters left out ...]\nmore words`);
  expect(token.text).toMatch(/^out: \[secret-1:cut\]\n/);
});

it("[M3] 5 MB in linear time, whatever they hold", async () => {
  const lines = "lorem ipsum dolor src/foo/bar.ts:123 const a = b; key value\n".repeat(80_000);
  const traps = [
    "-eyJ",
    "password",
    "key=",
    "-----BEGIN PRIVATE KEY-----",
    "a://b:",
    "Bearer ",
    "a",
    "sk-",
    "token:\n",
  ];
  const { text } = await mask(`${lines}ghp_${random(36, 1)}`);
  expect(text.endsWith("[secret-1:github]")).toBe(true);
  for (const trap of traps) await mask(trap.repeat(Math.ceil(1_000_000 / trap.length)));
}, 60_000);

it("[M3] a summariser masks what its model is sent unless it is told not to", async () => {
  const secret = `ghp_${random(36, 1)}`;
  const message = { role: "user", content: `push with ${secret}\n${"and so on ".repeat(400)}` } as const;
  const request = { kind: "history", messages: [{ entryId: "a1", message }], maxTokens: 500 } as const;
  const signal = new AbortController().signal;
  for (const summarizer of [llmSummarizer, remoteSummarizer]) {
    for (const redactSecrets of [undefined, true, false]) {
      const model = scriptedModel(["## Goal\n- push with [secret-1:github]"]);
      const options = redactSecrets === undefined ? {} : { redactSecrets };
      const reply = await summarizer(model, options).summarize(request, signal);
      const isMasked = redactSecrets !== false;
      expect(JSON.stringify(model.requests).includes(secret)).toBe(!isMasked);
      expect(reply).toMatchObject({ text: expect.stringContaining(isMasked ? secret : "[secret-1:github]") });
    }
  }
});

it("[M3, M6] without what finds secrets nothing is sent, and the next summariser is asked", async () => {
  const model = scriptedModel(["never"]);
  const message = "install this";
  const masked = redactingModel(model, async () => {
    throw new EspalierError("PACKAGE_MISSING", message, {});
  });
  const reply = { kind: "failed", message, code: "PACKAGE_MISSING" };
  const signal = new AbortController().signal;
  expect(await masked.complete({ systemPrompt: "s", prompt: "p", maxTokens: 1 }, signal)).toEqual(reply);
  expect(model.requests).toEqual([]);
  const messages = [{ entryId: "a1", message: { role: "user", content: "x ".repeat(2000) } as const }];
  const failed = await llmSummarizer(masked, { redactSecrets: false }).summarize(
    { kind: "history", messages, maxTokens: 500 },
    signal,
  );
  expect(failed).toMatchObject({ kind: "failed", reason: message, retryable: false });
});

it("[M3] a model is sent no secret, and its answer has the value back", async () => {
  const secret = `ghp_${random(36, 1)}`;
  const sent: ModelRequest[] = [];
  const model: Model = {
    id: "m",
    provider: "p",
    contextWindow: 1,
    maxTokens: 1,
    async complete(request) {
      sent.push(request);
      return { kind: "reply", text: "Use [secret-1:github] for git.", stopReason: "stop", toolCalls: 0 };
    },
  };
  const masked = redactingModel(model, find);
  const request = { systemPrompt: "s", prompt: `use ${secret}`, maxTokens: 1 };
  const reply = await masked.complete(request, new AbortController().signal);
  expect(JSON.stringify(sent)).not.toContain(secret);
  expect(reply).toMatchObject({ text: `Use ${secret} for git.` });
  expect(await masked.complete(request, AbortSignal.abort())).toEqual({ kind: "aborted" });
  expect(sent).toHaveLength(1);
});
