import { expect, it } from "vitest";
import { calls, modelAt, stage, tool } from "./stage.ts";

const LONG = "some more words of it ".repeat(1_200);

it.each(["turn_start", "turn_end", "tool_execution_end", "message_end"])(
  "[A1, T5] a smaller model that is taken in the middle of a turn (at %s) gets no request over its window",
  async (at) => {
    const on = await stage({
      script: (_, number) => (number === 0 ? calls("look") : "Done."),
      tools: [tool("look", () => LONG)],
      window: { small: 16_000, tiny: 4_000 },
    });
    const tiny = await modelAt(on.server, 4_000, "tiny");
    let switched: Promise<void> | undefined;
    let seen = 0;
    on.agent.subscribe(({ type }) => {
      if (type === at && ++seen === 2) switched = on.agent.setModel(tiny);
      if (type === at && at === "tool_execution_end") switched ??= on.agent.setModel(tiny);
    });
    expect(await on.agent.prompt("Look.")).toMatchObject({ status: "answered" });
    await switched;
    expect(on.agent.model.modelId).toBe("tiny");
    expect(on.server.faults).toEqual([]);
    await on.end();
  },
);
