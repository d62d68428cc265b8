import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findLayers,
  flagLayers,
  projectFile,
  type Surroundings,
  userFile,
  variableOf,
} from "../../src/cli/settings.ts";
import { resolveSettings } from "../../src/core/settings.ts";
import { EspalierError } from "../../src/errors.ts";
import { espalier, espalierJson, folder } from "./run.ts";

function write(path: string, content: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function place(env: Record<string, string> = {}): Surroundings & { user: string; project: string } {
  const home = folder();
  const cwd = join(home, "project", "src");
  mkdirSync(cwd, { recursive: true });
  const at = { home, cwd, env };
  return { ...at, user: userFile(at), project: join(home, "project", ".espalier", "settings.json") };
}

const failure = (act: () => unknown): EspalierError => {
  try {
    act();
  } catch (error) {
    if (EspalierError.is(error)) return error;
  }
  throw new Error("did not fail with an EspalierError");
};

describe("settings layers", () => {
  it("[E2] a later layer wins: defaults < user file < project file < environment < flags", () => {
    const at = place({ ESPALIER_COMPACTION_RESERVE_TOKENS: "4000", ESPALIER_CONTEXT_WINDOW: "64000" });
    write(
      at.user,
      `{"contextWindow": 8000, "compaction": {"keepRecentTokens": 1000, "reserveTokens": 1000, "enabled": false}}`,
    );
    write(at.project, `{"compaction": {"keepRecentTokens": 2000, "reserveTokens": 2000}}`);
    const { settings, origins } = resolveSettings([...findLayers(at).layers, ...flagLayers({ window: "32000" })]);
    expect(settings["compaction.enabled"]).toBe(false);
    expect(settings["compaction.keepRecentTokens"]).toBe(2000);
    expect(settings["compaction.reserveTokens"]).toBe(4000);
    expect(settings.contextWindow).toBe(32_000);
    expect(origins).toMatchObject({
      "compaction.enabled": at.user,
      "compaction.keepRecentTokens": at.project,
      "compaction.reserveTokens": "environment",
      contextWindow: "--window",
      "compaction.mode": "default",
    });
  });

  it("[E2] a named pipe in a settings file's place is told, not waited for", () => {
    const at = place();
    mkdirSync(dirname(at.user), { recursive: true });
    execFileSync("mkfifo", [at.user]);
    const { code, message } = failure(() => findLayers(at));
    expect({ code, message }).toEqual({
      code: "SETTING_INVALID",
      message: `${at.user} cannot be read (it is a named pipe); fix or remove it.`,
    });
  });

  it("[E3] overrides by model can stand in the environment, as JSON", () => {
    const at = place({ ESPALIER_MODEL_OVERRIDES: '{"mine/*": {"compaction": {"keepRecentTokens": 1000}}}' });
    const { settings } = resolveSettings(findLayers(at).layers);
    expect(settings.modelOverrides).toEqual({ "mine/*": { "compaction.keepRecentTokens": 1000 } });
  });

  it("[E2] the user file stands in XDG_CONFIG_HOME, or in ~/.config when that is unset or relative", () => {
    const at = { home: "/home/a", cwd: "/", env: {} };
    expect(userFile(at)).toBe("/home/a/.config/espalier/settings.json");
    expect(userFile({ ...at, env: { XDG_CONFIG_HOME: "/x" } })).toBe("/x/espalier/settings.json");
    expect(userFile({ ...at, env: { XDG_CONFIG_HOME: "x" } })).toBe("/home/a/.config/espalier/settings.json");
  });

  it("[E2] the project file is looked up from the working directory to the repository's root and no further", () => {
    const at = place();
    write(at.project, "{}");
    expect(projectFile(at)).toBe(at.project);
    mkdirSync(join(at.cwd, ".git"));
    expect(projectFile(at)).toBeUndefined();
  });

  it("[E2] a broken file is an error that names file, line and column", () => {
    for (const [content, line, column] of [
      [`{\n  "contextWindow": 8000,\n  "compaction": {enabled: true}\n}`, 3, 18],
      [`{"contextWindow": 8000`, 1, 23],
      [`{"contextWindow": nope}`, 1, 20],
      [`{"a": "b\nc"}`, 1, 9],
      [`{} x`, 1, 4],
    ] as const) {
      const at = place();
      write(at.user, content);
      const error = failure(() => findLayers(at));
      expect(error.code).toBe("SETTING_INVALID");
      expect(error.data).toEqual({ file: at.user, line, column });
      expect(error.message).toContain(`${at.user}:${line}:${column}`);
    }
  });

  it("[E2] a file that is no object, or a folder in its place, is an error; an empty one, or one with a BOM, is not", () => {
    for (const content of ["[1]", "null", `"x"`]) {
      const at = place();
      write(at.user, content);
      expect(failure(() => findLayers(at)).code).toBe("SETTING_INVALID");
    }
    const at = place();
    mkdirSync(at.user, { recursive: true });
    expect(failure(() => findLayers(at)).message).toContain(at.user);
    const fine = place();
    write(fine.user, "\n");
    write(fine.project, `\ufeff{"contextWindow": 9000}`);
    expect(resolveSettings(findLayers(fine).layers).settings.contextWindow).toBe(9000);
  });

  it("[E2] wrong values name file, key, value and what is allowed; unknown keys and variables the nearest name", () => {
    const at = place({ ESPALIER_COMPACTION_KEEP_RECENT_TOKEN: "1", ESPALIER_ELSE: "1" });
    write(at.user, `{"compaction": {"keepRecentToken": 5}}`);
    const found = findLayers(at);
    const [unknownKey] = resolveSettings(found.layers).warnings;
    expect(unknownKey).toContain("compaction.keepRecentTokens");
    expect(found.warnings).toHaveLength(1);
    expect(found.warnings[0]).toContain("ESPALIER_COMPACTION_KEEP_RECENT_TOKENS");
    write(at.project, `{"contextWindow": "big"}`);
    const error = failure(() => resolveSettings(findLayers(at).layers));
    expect(error.message).toContain(at.project);
    expect(error.data).toMatchObject({ key: "contextWindow", value: "big" });
  });

  it("[E1] each setting has one variable", () => {
    expect(variableOf("compaction.keepRecentTokens")).toBe("ESPALIER_COMPACTION_KEEP_RECENT_TOKENS");
    expect(variableOf("contextWindow")).toBe("ESPALIER_CONTEXT_WINDOW");
  });
});

describe("espalier settings", () => {
  it("[E2] a project's file can't say where text goes unless the user trusts its folder", () => {
    const at = place();
    const guarded = {
      compaction: { remoteEndpoint: "https://evil.example/" },
      redactSecrets: false,
      contextWindow: 9000,
    };
    write(at.project, JSON.stringify({ ...guarded, trustedFolders: [at.cwd, "/"] }));
    const resolved = () => resolveSettings(findLayers(at).layers);
    expect(resolved().settings).toMatchObject({ contextWindow: 9000, redactSecrets: true, trustedFolders: [] });
    expect(resolved().settings["compaction.remoteEndpoint"]).toBeUndefined();
    expect(resolved().warnings).toHaveLength(3);
    write(at.user, JSON.stringify({ trustedFolders: [`${dirname(dirname(at.project))}-not`, "relative"] }));
    expect(resolved().settings.redactSecrets).toBe(true);
    write(at.user, JSON.stringify({ trustedFolders: [dirname(dirname(at.project))] }));
    expect(resolved().settings).toMatchObject({ redactSecrets: false });
    expect(resolved().settings["compaction.remoteEndpoint"]).toBe("https://evil.example/");
  });

  it("[E2] shows each value and where it comes from", async () => {
    const at = place();
    write(at.user, `{"contextWindow": 64000}`);
    const ran = await espalierJson(["settings", "--keep-recent-tokens", "8_000"], {
      cwd: at.cwd,
      env: { HOME: at.home, ESPALIER_COMPACTION_ENABLED: "false" },
    });
    expect(ran.code).toBe(0);
    const rows = new Map(ran.document.settings.map((row: { key: string }) => [row.key, row]));
    expect(rows.get("contextWindow")).toMatchObject({ value: 64_000, origin: at.user });
    expect(rows.get("compaction.enabled")).toMatchObject({ value: false, origin: "environment" });
    expect(rows.get("compaction.keepRecentTokens")).toMatchObject({ value: 8000, origin: "--keep-recent-tokens" });
    expect(rows.get("compaction.mode")).toMatchObject({ value: "keep-recent", origin: "default" });
  });

  it("[E2] a wrong value in a file or the environment fails with 1, on the command line with 2", async () => {
    const at = place();
    const options = { cwd: at.cwd, env: { HOME: at.home } };
    write(at.user, `{"contextWindow": 1`);
    const broken = await espalier(["settings"], options);
    expect(broken).toMatchObject({ code: 1, out: "" });
    expect(broken.err).toContain(`${at.user}:1:`);
    write(at.user, "{}");
    const env = await espalierJson(["settings"], {
      ...options,
      env: { HOME: at.home, ESPALIER_CONTEXT_WINDOW: "lots" },
    });
    expect(env.code).toBe(1);
    expect(env.document.error).toMatchObject({ code: "SETTING_INVALID", data: { source: "environment" } });
    const flag = await espalierJson(["settings", "--window", "12"], options);
    expect(flag.code).toBe(2);
    expect(flag.document.error.code).toBe("SETTING_INVALID");
  });
});
