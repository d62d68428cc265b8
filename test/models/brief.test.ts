import { expect, it } from "vitest";
import { brief } from "../../src/models/brief.ts";

it("[X6] what a server said is cut between characters", () => {
  for (const shift of ["", "a"]) {
    const cut = brief(`${shift}${"🙂".repeat(400)}`);
    expect(cut).not.toMatch(/\p{Surrogate}/u);
    expect(cut.endsWith("🙂…")).toBe(true);
  }
  expect(brief(" It is\n full. ")).toBe("It is full");
});
