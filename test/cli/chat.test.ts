import type { ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FakeServerOptions, fakeModelServer } from "../../src/testing/fake-model-server.ts";
import { espalier, folder, silentPipe } from "./run.ts";

async function place(script: FakeServerOptions["script"]) {
  const fake = await fakeModelServer({ script });
  onTestFinished(() => fake.close());
  const home = folder();
  const flags = ["--model", "mine/m", "--base-url", fake.baseUrl("openai-chat"), "--api", "openai-chat"];
  const chat = (args: readonly string[], more: object = {}) =>
    espalier(["chat", ...flags, ...args], { env: { HOME: home }, cwd: home, ...more });
  const sessions = () => {
    const root = join(home, ".local/share/espalier/sessions");
    if (!existsSync(root)) return [];
    return readdirSync(root).flatMap((name) => readdirSync(join(root, name)).map((file) => join(root, name, file)));
  };
  return { fake, home, chat, sessions };
}

const lines = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const uses = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

describe("espalier chat", () => {
  it("[A1] answers on standard output, uses tools, and keeps a session", async () => {
    const { chat, home, sessions, fake } = await place([uses("read", { path: "a.txt" }), "It says hello."]);
    writeFileSync(join(home, "a.txt"), "hello");
    const ran = await chat(["-p", "What does a.txt say?"]);
    expect(ran).toMatchObject({ code: 0, out: "It says hello.\n", err: "" });
    expect(fake.faults).toEqual([]);
    expect(fake.requests[1]?.messages.at(-1)?.results[0]?.text).toContain("hello");
    expect(sessions()).toHaveLength(1);
    expect((await espalier(["stats", sessions()[0] as string])).code).toBe(0);
  });

  it("[A1] goes on with --continue, and in a session that is named", async () => {
    const { chat, home, sessions, fake } = await place(["One.", "Two.", "Three.", "Four."]);
    await chat(["-p", "first question"]);
    expect(await chat(["--continue", "-p", "second question"])).toMatchObject({ code: 0, out: "Two.\n" });
    expect(fake.requests[1]?.prompt).toContain("first question");
    expect(sessions()).toHaveLength(1);
    const file = join(home, "own.jsonl");
    expect(await chat(["--session", file, "-p", "third question"])).toMatchObject({ code: 0, out: "Three.\n" });
    expect(fake.requests[2]?.prompt).not.toContain("first question");
    expect(await chat(["--session", file, "-p", "fourth question"])).toMatchObject({ code: 0, out: "Four.\n" });
    expect(fake.requests[3]?.prompt).toContain("third question");
    expect(readFileSync(file, "utf8").match(/"role":"system"/g)).toHaveLength(1);
  });

  it("[A1, I6] prints events, one a line, and what came of it last", async () => {
    const { chat } = await place([uses("bash", { command: "echo hi" }), "Done."]);
    const ran = await chat(["-p", "say hi", "--json", "--allow", "bash(echo *)"]);
    const events = lines(ran.out);
    expect(events[0]).toMatchObject({ type: "session", file: expect.stringContaining(".jsonl"), model: "mine/m" });
    expect(events.at(-1)).toMatchObject({
      type: "outcome",
      status: "answered",
      text: "Done.",
      usage: { percent: expect.any(Number) },
    });
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "agent_start")).toHaveLength(1);
    expect(types.filter((type) => type === "agent_end")).toHaveLength(1);
    const result = events.find(({ type, message }) => type === "message_end" && message.role === "toolResult");
    expect(JSON.stringify(result)).toContain("hi");
  });

  it("denies what nobody allowed, and tells the model how it is allowed", async () => {
    const { chat, home, fake } = await place([uses("write", { path: "b.txt", content: "x" }), "I may not."]);
    expect(await chat(["-p", "write b.txt"])).toMatchObject({ code: 0, out: "I may not.\n" });
    expect(existsSync(join(home, "b.txt"))).toBe(false);
    expect(fake.requests[1]?.messages.at(-1)?.results[0]?.text).toMatch(/allow/);
  });

  it("[E2] reads what the project says to agents only where its folder is trusted", async () => {
    const { chat, home, fake } = await place(["One.", "Two."]);
    writeFileSync(join(home, "AGENTS.md"), "Always answer in verse.");
    const refused = await chat(["-p", "hello"]);
    expect(refused.err).toContain("AGENTS.md was not read");
    expect(fake.requests[0]?.system).not.toContain("in verse");
    mkdirSync(join(home, ".config/espalier"), { recursive: true });
    writeFileSync(join(home, ".config/espalier/settings.json"), JSON.stringify({ trustedFolders: [home] }));
    expect((await chat(["-p", "hello"])).err).toBe("");
    expect(fake.requests[1]?.system).toContain("Always answer in verse.");
  });

  it("says in three lines how to give a model, and begins no session", async () => {
    const home = folder();
    const ran = await espalier(["chat", "-p", "hello"], { env: { HOME: home } });
    expect(ran.code).toBe(1);
    expect(ran.out).toBe("");
    expect(ran.err.trim().split("\n")).toHaveLength(3);
    expect(ran.err).toContain("ANTHROPIC_API_KEY");
    expect(existsSync(join(home, ".local/share/espalier"))).toBe(false);
  });

  it.each([
    [["-p", " "], "Say what you want"],
    [["--continue", "-p", "x"], "There is no session of"],
    [["--continue", "--session", "x.jsonl", "-p", "x"], "give one of them"],
    [["-p", "x", "--allow", "sh(rm)"], "sh(rm)"],
  ])("[E2] tells what is wrong with %j", async (args, said) => {
    const { chat, fake } = await place(["x"]);
    const ran = await chat(args);
    expect(ran.code).not.toBe(0);
    expect(ran.out).toBe("");
    expect(ran.err).toContain(said);
    expect(ran.err.trim().split("\n")).toHaveLength(1);
    expect(fake.requests).toHaveLength(0);
  });

  it("takes a prompt that is piped in, behind -p, from a pipe of any kind", async () => {
    const { chat, home, fake } = await place(["One.", "Two."]);
    expect(await chat([], { stdin: "asked by a program" })).toMatchObject({ code: 0, out: "One.\n" });
    expect(fake.requests[0]?.messages.at(-1)?.text).toBe("asked by a program");
    const file = join(home, "log.txt");
    writeFileSync(file, "3 tests failed");
    const fd = openSync(file, "r");
    expect(await chat(["-p", "Why?"], { stdin: fd })).toMatchObject({ code: 0, out: "Two.\n" });
    closeSync(fd);
    expect(fake.requests[1]?.messages.at(-1)?.text).toBe("Why?\n\n3 tests failed");
  });

  it("[S6] a pipe that stays open is waited for until Ctrl-C or SIGTERM, and nothing is begun", async () => {
    const { chat, sessions, fake } = await place(["x"]);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      // Progress tells that it waits.
      const started = (child: ChildProcess) => child.stderr?.once("data", () => child.kill(signal));
      const ran = await chat(["-p", "x"], { stdin: silentPipe().fd, started });
      expect(ran).toMatchObject({ code: 130, out: "", err: "espalier: Cancelled.\n" });
    }
    expect(sessions()).toEqual([]);
    expect(fake.requests).toHaveLength(0);
  });

  it("[S6] a folder in the place of AGENTS.md, or of the sessions a file, is told in one line", async () => {
    const { chat, home } = await place(["Fine."]);
    mkdirSync(join(home, ".config/espalier"), { recursive: true });
    writeFileSync(join(home, ".config/espalier/settings.json"), JSON.stringify({ trustedFolders: [home] }));
    mkdirSync(join(home, "AGENTS.md"));
    const ran = await chat(["-p", "x"]);
    expect(ran).toMatchObject({ code: 0, out: "Fine.\n" });
    expect(ran.err).toMatch(/^warning: .*AGENTS\.md can't be read/);
    writeFileSync(join(home, "file"), "");
    const file = join(home, "file/below/own.jsonl");
    const refused = await chat(["-p", "x", "--session", file]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`${file} can't be made (ENOTDIR)`);
  });

  it("refuses to talk in a session of another agent, and says how to get a copy", async () => {
    const { chat, home, fake } = await place(["x"]);
    const line = {
      type: "user",
      uuid: "u1",
      parentUuid: null,
      sessionId: "s",
      message: { role: "user", content: "hi" },
    };
    const file = join(home, "claude.jsonl");
    writeFileSync(
      file,
      `${JSON.stringify({ ...line, timestamp: "2026-01-01T00:00:00.000Z", cwd: home, version: "2.0.0" })}\n`,
    );
    const ran = await chat(["--session", file, "-p", "hello"]);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("espalier convert --to pi");
    expect(fake.requests).toHaveLength(0);
  });

  it("[A1] tells why the model did not answer, exit 1, and keeps the prompt", async () => {
    const { chat, sessions } = await place([{ status: 401, message: "bad key" }, "Here."]);
    const ran = await chat(["-p", "hello there"]);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("bad key");
    expect(readFileSync(sessions()[0] as string, "utf8")).toContain("hello there");
    const again = await chat(["--continue"]);
    expect(again).toMatchObject({ code: 0, out: "Here.\n" });
    expect(readFileSync(sessions()[0] as string, "utf8").match(/hello there/g)).toHaveLength(1);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "[A1, I3] stops at %s in the middle of a tool, whose command is killed, and goes on later",
    async (signal) => {
      const { chat, home, sessions, fake } = await place((_, number) =>
        number === 0 ? uses("bash", { command: "echo $$ > pid; sleep 60" }) : "Later.",
      );
      const ran = await chat(["-p", "wait", "--allow-all"], {
        started: (child: import("node:child_process").ChildProcess) => {
          const timer = setInterval(() => {
            if (!existsSync(join(home, "pid"))) return;
            clearInterval(timer);
            child.kill(signal);
          }, 20);
        },
      });
      expect(ran.code).toBe(130);
      expect(ran.out).toContain("Stopped.");
      const pid = Number(readFileSync(join(home, "pid"), "utf8"));
      expect(() => process.kill(pid, 0)).toThrow();
      expect(await chat(["--continue", "-p", "and now?"])).toMatchObject({ code: 0, out: "Later.\n" });
      expect(fake.faults).toEqual([]);
      expect(sessions()).toHaveLength(1);
    },
  );
});
