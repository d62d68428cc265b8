import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { folder, text, tools } from "./scratch.ts";

type Options = Parameters<typeof tools>[1];

async function bash(
  command: string,
  { timeout, signal, ...options }: Options & { timeout?: number; signal?: AbortSignal } = {},
) {
  const cwd = options.cwd ?? folder();
  const result = (await tools(cwd, { allowAll: true, ...options }).bash?.({ command, timeout }, signal))!;
  return { ...result, text: text(result), cwd };
}

/** Whether a process lives; one that only waits to be reaped does not. */
function lives(pid: number): boolean {
  try {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return state !== "" && !state.startsWith("Z");
  } catch {
    return false;
  }
}

const TOOL = new URL("../../../dist/agent/tools/shell/bash.js", import.meta.url);

/** A process of its own that runs `code` with the tool. */
function agentIn(cwd: string, code: string) {
  const opening = `const { createBashTool } = await import(${JSON.stringify(TOOL)});
    const { execute } = createBashTool({ cwd: process.cwd(), permit: async () => {} });`;
  return spawn(process.execPath, ["--input-type=module", "-e", opening + code], { cwd, stdio: "inherit" });
}

async function pidIn(file: string): Promise<number> {
  for (let tries = 0; tries < 400; tries++) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${file} was never written`);
}

describe("bash", () => {
  it("runs in the working directory without input, both streams in the order of their writing", async () => {
    const run = await bash(
      "pwd; for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo x > /dev/stderr; cat; echo done",
    );
    expect(run.text).toBe(`${run.cwd}\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nx\ndone\n`);
    expect(run.details).toEqual({ exitCode: 0, signal: null, timedOut: false, durationMs: expect.any(Number) });
    expect(run.isError).toBe(false);
  });

  it("tells exit codes and signals, with what was said before", async () => {
    expect(await bash("echo before; exit 3")).toMatchObject({
      text: "before\n[exit code 3]",
      isError: true,
      details: { exitCode: 3 },
    });
    expect(await bash("printf before; kill -9 $$")).toMatchObject({
      text: "before\n[ended by SIGKILL]",
      details: { signal: "SIGKILL" },
    });
    expect((await bash("nosuchprogram")).text).toMatch(/line 1: nosuchprogram: command not found\n\[exit code 127\]$/);
    expect((await bash("true")).text).toBe("(no output)");
    expect((await bash("false")).text).toBe("[exit code 1]");
    expect((await bash("if then")).text).toMatch(/syntax error/);
  });

  it("gives a quiet environment, without the keys that are hidden", async () => {
    vi.stubEnv("ESPALIER_TEST_API_KEY", "secret");
    vi.stubEnv("BASH_ENV", "/no/such/file");
    const options = { env: { MINE: "yes", PAGER: undefined, GONE: undefined }, hideEnv: ["*_API_KEY", "OTHER"] };
    const run = await bash(
      "echo [$ESPALIER_TEST_API_KEY] [$MINE] [$PAGER] [$GIT_PAGER] [$GIT_TERMINAL_PROMPT] [$BASH_ENV]",
      options,
    );
    expect(run.text).toBe("[] [yes] [] [cat] [0] []\n");
    expect((await bash("echo [$ESPALIER_TEST_API_KEY]")).text).toBe("[secret]\n");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("refuses what is no command, and says when the folder is gone", async () => {
    await expect(bash(" ")).rejects.toThrow(/command is empty/);
    await expect(bash("a\0b")).rejects.toThrow(/NUL/);
    await expect(bash(`echo ${"x".repeat(140_000)}`)).rejects.toThrow(/over 128 kB; write it to a file/);
    const cwd = folder();
    const { bash: run } = tools(cwd);
    rmSync(cwd, { recursive: true });
    await expect(run?.({ command: "true" })).rejects.toThrow(/The working directory .* is gone/);
  });
});

describe("the output of bash", () => {
  it("is bounded by lines: head and tail, the number cut, the whole in fullOutput", async () => {
    const run = await bash("seq 1 10000; exit 2");
    const lines = run.text.split("\n");
    expect(lines.length).toBeLessThan(2_010);
    expect(lines[0]).toBe("1");
    const mark = lines.findIndex((line) => line.startsWith("[…"));
    const [before, after] = [Number(lines[mark - 1]), Number(lines[mark + 1])];
    expect(lines[mark]).toMatch(
      new RegExp(
        `^\\[… ${(after - before - 1).toLocaleString("en-US")} lines \\([\\d,]+ characters\\) cut here; recall`,
      ),
    );
    expect(lines.slice(-2)).toEqual(["10000", "[exit code 2]"]);
    expect(run.details.fullOutput).toBe(
      `${Array.from({ length: 10_000 }, (_, at) => at + 1).join("\n")}\n[exit code 2]`,
    );
  });

  it("is bounded by bytes, and cut at graphemes where lines are long", async () => {
    const family = "👨‍👩‍👧‍👦";
    const run = await bash(`for i in $(seq 1 4000); do printf '${family}'; done`);
    expect(Buffer.byteLength(run.text)).toBeLessThan(30_200);
    const [head = "", mark = "", tail = ""] = run.text.split("\n");
    expect(head.replaceAll(family, "")).toBe("");
    expect(tail.replaceAll(family, "")).toBe("");
    const cut = (4_000 - (head.length + tail.length) / family.length) * family.length;
    expect(mark).toBe(`[… ${cut.toLocaleString("en-US")} characters cut here; recall finds them …]`);
    expect(run.details.fullOutput).toBe(family.repeat(4_000));
  });

  it("has no fullOutput where nothing was cut", async () => {
    expect((await bash("seq 1 2000")).details).not.toHaveProperty("fullOutput");
  });

  it("of any length takes constant memory, and the middle of it is said to be gone", async () => {
    const before = process.memoryUsage().rss;
    const run = await bash("yes 0123456789abcdef0123456789abcdef0123456789abcdef | head -c 30000000; echo end");
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    const whole = String(run.details.fullOutput);
    expect(whole.length).toBeLessThan(4_100_000);
    expect(whole).toMatch(/\n\[… 2[56],\d{3},\d{3} characters were not kept: more than 4,000,000 in all …\]\n0123/);
    expect(whole.endsWith("end\n")).toBe(true);
    expect(run.text).toMatch(/\[… 6\d\d,\d{3} lines \(29,9\d\d,\d{3} characters\) cut here/);
  });

  it("in one endless line, or of noise, is bounded as well", async () => {
    const line = await bash("head -c 5000000 /dev/zero | tr '\\0' x");
    expect(line.text).toMatch(/^x+\n\[… 4,9\d\d,\d{3} characters cut here; recall finds them …\]\nx+$/);
    const noise = await bash("head -c 1500000 /dev/urandom");
    expect(Buffer.byteLength(noise.text)).toBeLessThan(30_200);
    expect(noise.text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
  });

  it("is what a terminal would show in the end", async () => {
    const run = await bash(
      "printf '\\033[1;31mred\\033[0m \\033]0;title\\007plain\\r\\n'; for i in 10 50 100; do printf '\\r%d%%' $i; sleep 0.02; done; " +
        "printf '\\n'; printf 'b\\bbold\\n'; printf '\\033'; sleep 0.05; printf '[32mgreen\\033[0m'",
    );
    expect(run.text).toBe("red plain\n100%\nbold\ngreen");
  });

  it("in bytes that are no UTF-8, and characters in two parts, is well-formed", async () => {
    expect((await bash("printf '\\xff\\xfeabc'")).text).toBe("\uFFFD\uFFFDabc");
    expect((await bash("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'")).text).toBe("€");
  });

  it("streams: the newest lines, bounded, not for every write", async () => {
    const updates: string[] = [];
    const { bash: run } = tools(folder());
    const command = "for i in $(seq 1 3000); do echo line $i; done; sleep 0.5; echo last; sleep 0.4";
    await run?.({ command }, undefined, (partial) => updates.push(text(partial)));
    expect(updates.length).toBeGreaterThanOrEqual(2);
    expect(updates.length).toBeLessThan(10);
    for (const update of updates) expect(update.split("\n").length).toBeLessThanOrEqual(21);
    expect(updates.at(-1)).toMatch(/line 3000\nlast\n$/);
  });
});

describe("what bash started", () => {
  it("is ended by a timeout, with its children, and those that ask for more time", async () => {
    const cwd = folder();
    const run = await bash(
      "sleep 300 & echo $! > child; trap 'echo no' TERM; echo $$ > shell; echo said; while :; do sleep 1; done",
      {
        cwd,
        timeout: 0.5,
      },
    );
    expect(run.text).toMatch(
      /^said\n(?:.*\n)*\[timed out after 0.5 seconds; the command and all that it started was ended/,
    );
    expect(run.details).toMatchObject({ timedOut: true });
    expect(run.isError).toBe(true);
    for (const name of ["child", "shell"]) expect(lives(await pidIn(join(cwd, name)))).toBe(false);
  });

  it("is ended by an abort, groups of its own included", async () => {
    const cwd = folder();
    const stop = new AbortController();
    const inner = "echo $$ > inner; sleep 300";
    const running = bash(`set -m; sh -c '${inner}' & (sleep 300 & echo $! > deep; wait) & echo started; wait`, {
      cwd,
      signal: stop.signal,
    });
    const pids = await Promise.all(["inner", "deep"].map((name) => pidIn(join(cwd, name))));
    expect(pids.map(lives)).toEqual([true, true]);
    const asked = Date.now();
    stop.abort();
    const run = await running;
    expect(Date.now() - asked).toBeLessThan(2_500);
    expect(run.text).toMatch(/^started\n\[interrupted after \d seconds?; the command was ended\]$/);
    expect(run.details).toMatchObject({ aborted: true, timedOut: false });
    expect(pids.map(lives)).toEqual([false, false]);
  });

  it("is ended in the middle of a flood", async () => {
    const cwd = folder();
    const stop = new AbortController();
    const running = bash("echo $$ > pid; yes", { cwd, signal: stop.signal });
    const pid = await pidIn(join(cwd, "pid"));
    stop.abort();
    expect((await running).details).toMatchObject({ aborted: true });
    expect(lives(pid)).toBe(false);
  });

  it("never starts after an abort, nor while the user has not answered", async () => {
    const cwd = folder();
    await expect(bash("touch a", { cwd, signal: AbortSignal.abort() })).rejects.toThrow(/Interrupted/);
    const stop = new AbortController();
    const asked = bash("touch a", { cwd, signal: stop.signal, allowAll: false, ask: () => new Promise(() => {}) });
    stop.abort();
    await expect(asked).rejects.toThrow(/Interrupted/);
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it("ends with an agent that is killed, however silent it is; what was left in the background does not", async () => {
    const cwd = folder();
    const agent = agentIn(
      cwd,
      `await execute("1", { command: "sleep 300 > log 2>&1 & echo $! > left" });
      execute("2", { command: "sleep 300 & echo $! > inner; wait" });
      execute("3", { command: "echo $$ > outer; exec sleep 300 > /dev/null" });`,
    );
    const [left = 0, ...silent] = await Promise.all(["left", "inner", "outer"].map((name) => pidIn(join(cwd, name))));
    expect([left, ...silent].map(lives)).toEqual([true, true, true]);
    agent.kill("SIGKILL");
    for (let tries = 0; silent.some(lives) && tries < 100; tries++) await new Promise((wake) => setTimeout(wake, 50));
    expect([left, ...silent].map(lives)).toEqual([true, false, false]);
    process.kill(left, "SIGKILL");
  });

  it("lets an agent end that has nothing else to do", async () => {
    const agent = agentIn(folder(), 'await execute("1", { command: "true" });');
    expect(await new Promise((resolve) => agent.once("exit", resolve))).toBe(0);
  });

  it("in the background does not hold the call up, lives on, and is told", async () => {
    const cwd = folder();
    const run = await bash("(while :; do echo tick; sleep 0.05; done) & echo $! > pid; echo started", {
      cwd,
      timeout: 20,
    });
    expect(run.details).toMatchObject({ exitCode: 0, timedOut: false });
    const group = Number(/`kill -- -(\d+)` ends it/.exec(run.text)?.[1]);
    const pid = await pidIn(join(cwd, "pid"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(lives(pid)).toBe(true);
    process.kill(-group, "SIGKILL");
  });

  it("in the background with its output elsewhere is no matter", async () => {
    const cwd = folder();
    const run = await bash("sleep 300 > log 2>&1 & echo $! > pid; echo started", { cwd });
    expect(run.text).toBe("started\n");
    process.kill(await pidIn(join(cwd, "pid")), "SIGKILL");
  });

  it("runs side by side", async () => {
    const { bash: run } = tools(folder());
    const results = await Promise.all([1, 2, 3].map((at) => run?.({ command: `sleep 0.1; echo ${at}` })));
    expect(results.map((result) => text(result!))).toEqual(["1\n", "2\n", "3\n"]);
  });
});
