import { describe, expect, it } from "vitest";
import { calls, stage, tool } from "./stage.ts";

const FAILURE = { status: 529, message: "Overloaded" };
const tools = [tool("look", () => "seen")];

describe("patience with a failing provider", () => {
  it("[A3] counts the failures of one request, not those of a long turn", async () => {
    const on = await stage({
      script: (_, number) => (number === 16 ? "Done." : number % 2 === 0 ? calls("look") : FAILURE),
      tools,
    });
    expect(await on.agent.prompt("Look at it all.")).toMatchObject({ status: "answered" });
    expect(on.order().filter((name) => name === "retry_start")).toHaveLength(8);
    expect(on.server.faults).toEqual([]);
    await on.end();
  });

  it("[A3] ends: four failures of one request are the reason why there is no answer", async () => {
    const on = await stage({ script: [calls("look"), FAILURE], tools });
    const outcome = await on.agent.prompt("Look.");
    expect(outcome).toMatchObject({ status: "failed", error: { code: "REQUEST_FAILED" } });
    expect(on.server.count).toBe(5);
    await on.end();
  });
});
