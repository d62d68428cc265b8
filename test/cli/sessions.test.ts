import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { discover } from "../../src/cli/commands/sessions.ts";
import { espalier, espalierJson, folder, silentPipe } from "./run.ts";
import { HEADER, lines, messageAt, sessionText } from "./session-text.ts";

function put(path: string, text: string, day: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const time = new Date(Date.UTC(2026, 0, day));
  utimesSync(path, time, time);
  return path;
}

/** A home folder with one session of each agent, and things that are none. */
function home(): string {
  const at = folder();
  const info = { type: "session_info", id: "i", parentId: "00000008", timestamp: "t", name: "Named  session" };
  put(join(at, ".pi/agent/sessions/--project--/a.jsonl"), sessionText(2) + lines(info), 6);
  put(join(at, ".omp/agent/sessions/--other--/b.jsonl"), sessionText(2), 5);
  const claude = { type: "user", cwd: "/home/dev/claude", message: { role: "user", content: "<reminder>" }, uuid: "1" };
  const asked = { ...claude, message: { role: "user", content: [{ type: "text", text: 'Fix the "parser"\nplease' }] } };
  put(join(at, ".claude/projects/-work/c.jsonl"), lines(claude, asked), 4);
  const meta = { type: "session_meta", payload: { cwd: "/home/dev/codex" } };
  const item = {
    type: "response_item",
    payload: { role: "user", content: [{ type: "input_text", text: "Codex task" }] },
  };
  put(join(at, ".codex/sessions/2026/01/03/rollout-1.jsonl"), lines(meta, item), 3);
  put(
    join(at, ".local/share/opencode/storage/session/p/ses_1.json"),
    JSON.stringify({ id: "ses_1", directory: "/home/dev/oc", title: "An opencode session" }, null, 2),
    2,
  );
  put(join(at, ".local/share/espalier/sessions/own.jsonl"), sessionText(1), 1);
  put(join(at, ".pi/agent/sessions/--project--/a.bad.jsonl"), "no session", 9);
  put(join(at, ".pi/agent/sessions/--project--/notes.txt"), "no session", 9);
  symlinkSync(join(at, "nowhere"), join(at, ".pi/agent/sessions/--project--/gone.jsonl"));
  return at;
}

describe("the sessions on this machine", () => {
  it("are found for every agent, newest first, with folder and name or first request", () => {
    const { found, skipped } = discover({}, home());
    expect(found.map(({ agent, cwd, title }) => [agent, cwd, title])).toEqual([
      ["pi", "/project", "Named  session"],
      ["oh-my-pi", "/project", "Please look at src/module-1.ts and fix problem number 1."],
      ["claude-code", "/home/dev/claude", 'Fix the "parser"\nplease'],
      ["codex", "/home/dev/codex", "Codex task"],
      ["opencode", "/home/dev/oc", "An opencode session"],
      ["espalier", "/project", "Please look at src/module-1.ts and fix problem number 1."],
    ]);
    expect(skipped).toEqual([expect.stringContaining("gone.jsonl")]);
  });

  it("are read at their ends only: a name in the tail counts, a long first request is cut", () => {
    const at = folder();
    const long = "word ".repeat(5000);
    const name = { type: "session_info", id: "i", parentId: "00000001", timestamp: "t", name: "at the end" };
    const path = join(at, ".pi/agent/sessions/x");
    put(join(path, "named.jsonl"), lines(HEADER, messageAt(1, { role: "user", content: long }), name), 2);
    put(join(path, "long.jsonl"), lines(HEADER, messageAt(1, { role: "user", content: long })), 1);
    const [named, cut] = discover({}, at).found;
    expect(named?.title).toBe("at the end");
    expect(cut?.title?.startsWith("word word")).toBe(true);
    expect(cut?.title?.length).toBeLessThan(4096);
    expect(cut?.size).toBeGreaterThan(25_000);
  });

  it("are looked for where variables say, and none is no fault", () => {
    const at = folder();
    expect(discover({}, at)).toEqual({ found: [], skipped: [] });
    put(join(at, "moved/sessions/p/a.jsonl"), sessionText(1), 1);
    put(join(at, "data/espalier/sessions/b.jsonl"), sessionText(1), 2);
    const env = { PI_CODING_AGENT_DIR: join(at, "moved"), XDG_DATA_HOME: join(at, "data"), CODEX_HOME: "relative" };
    expect(discover(env, at).found.map(({ agent }) => agent)).toEqual(["espalier", "pi"]);
  });

  it("[S6] a named pipe or a folder in the place of a session is left out and named, not waited for", () => {
    const at = home();
    const pipe = join(at, ".pi/agent/sessions/--project--/pipe.jsonl");
    symlinkSync(silentPipe().path, pipe);
    const { found, skipped } = discover({}, at);
    expect(found).toHaveLength(6);
    expect(skipped).toContain(pipe);
  });

  it("are listed when there is no command, without asking where nobody sits", async () => {
    const at = home();
    const { code, out, err } = await espalier([], { env: { HOME: at } });
    expect(code).toBe(0);
    expect(out).toContain("6 sessions");
    expect(out).toMatch(/1 +pi +\d+ d/);
    expect(out).toContain("Named session");
    expect(out).not.toContain("Open which?");
    expect(err).toContain("gone.jsonl");
    const { document } = await espalierJson([], { env: { HOME: at } });
    expect(document.sessions).toHaveLength(6);
    expect(document.sessions[0]).toMatchObject({ agent: "pi", modified: "2026-01-06T00:00:00.000Z" });
    expect((await espalier([], { env: { HOME: folder() } })).out).toContain("None found");
  });
});
