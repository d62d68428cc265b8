import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const RUN = fileURLToPath(new URL("soak/run.mjs", import.meta.url));

/** `npm run soak` in short, on one of the formats each time; a fault is printed with the command that brings it again. */
function soak(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [RUN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (part) => {
      said += part;
    });
    child.stderr.on("data", (part) => {
      said += part;
    });
    child.on("close", () => resolve(said.trim()));
  });
}

it.each([
  ["anthropic", "13"],
  ["openai-chat", "14"],
])(
  "[I1, I2, I3, I4, I6, A4, A5, T5] an agent that is disturbed and killed loses nothing (%s)",
  async (api, seed) => {
    const said = await soak("--turns", "35", "--kills", "0.12", "--seed", seed, "--api", api);
    expect(said).toMatch(/soak: 3\d turns, 0 faults$/);
  },
  300_000,
);
