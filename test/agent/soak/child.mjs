import { fork } from "node:child_process";

const AGENT = new URL("./agent.mjs", import.meta.url);
const LIMIT_MS = 180_000;

/** A process with an agent in it; `ask` resolves to its answer, to `{killed: true}` when it died by a kill. */
export function startAgent() {
  const child = fork(AGENT, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, OPENAI_LOG: "off" },
  });
  let settle = () => {};
  child.on("message", (message) => settle(message));
  child.on("exit", (code, signal) =>
    settle(signal === "SIGKILL" ? { killed: true } : { error: `exit ${code ?? signal}` }),
  );
  return {
    async ask(op, args) {
      const timer = setTimeout(() => settle({ error: `${op} hangs`, hangs: true }), LIMIT_MS);
      const answer = await new Promise((resolve) => {
        settle = resolve;
        child.send({ op, args }, (error) => error && resolve({ error: String(error) }));
      });
      clearTimeout(timer);
      return answer;
    },
    stop: () => child.kill("SIGKILL"),
  };
}
