import { describe, expect, it, onTestFinished } from "vitest";
import { fakeModelServer } from "../../src/testing/fake-model-server.ts";

const PATHS = {
  anthropic: ["/v1/messages", { model: "m", max_tokens: 9, system: "s", messages: [{ role: "user", content: "p" }] }],
  "openai-chat": [
    "/v1/chat/completions",
    {
      model: "m",
      max_tokens: 9,
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "p" },
      ],
    },
  ],
  "openai-responses": ["/v1/responses", { model: "m", max_output_tokens: 9, instructions: "s", input: "p" }],
  google: [
    "/v1beta/models/m:generateContent",
    {
      generationConfig: { maxOutputTokens: 9 },
      systemInstruction: { parts: [{ text: "s" }] },
      contents: [{ parts: [{ text: "p" }] }],
    },
  ],
} as const;

describe("the fake model server", () => {
  it.each(Object.entries(PATHS))(
    "[M1] answers %s as one document and understands what was asked",
    async (format, [path, body]) => {
      const server = await fakeModelServer({ script: ["Said in full."] });
      onTestFinished(() => server.close());
      const response = await fetch(server.origin + path, { method: "POST", body: JSON.stringify(body) });
      expect(response.headers.get("content-type")).toContain("json");
      expect(await response.text()).toContain("Said in full.");
      const asked = { format, model: "m", maxTokens: 9, streams: false, closed: false };
      expect(server.requests[0]).toMatchObject({ ...asked, system: "s", prompt: "p" });
    },
  );
});
