import { EspalierError } from "../../errors.ts";
import type { FoundSecret } from "./secret.ts";

/** Looks for secrets in one piece of text. */
export type Ruleset = (text: string) => Promise<FoundSecret[]>;

const PRESET = "@secretlint/secretlint-rule-preset-recommend";
const PACKAGES = ["@secretlint/core", PRESET];
const URL_PASSWORD = /:\/\/[^\s/:@]{0,200}:([^\s/@]{1,200})@/;
const ASSIGNED = /[:=]\s{0,3}(?:\\?["'`])?([^\s"'`\\]{8,})(?:\\?["'`])?$/;

/**
 * The ruleset of secretlint, loaded when it is first needed [M3].
 *
 * Rejects `PACKAGE_MISSING` with what to install, or how to do without.
 */
export async function loadRuleset(): Promise<Ruleset> {
  const [{ lintSource }, preset] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]).catch((cause) => {
    throw missing(cause);
  });
  type Config = Parameters<typeof lintSource>[0]["options"]["config"];
  // The package's types know rules, though its presets go in the same place.
  const config = {
    rules: [{ id: PRESET, rule: preset.creator, rules: preset.rules, options: {} }],
  } as unknown as Config;
  return async (content) => {
    const source = { content, filePath: "/conversation.txt", ext: ".txt", contentType: "text" as const };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    return messages.map(({ range, ruleId }) => narrowed(content, range[0], range[1], kindOf(ruleId)));
  };
}

function missing(cause: unknown): EspalierError {
  const names = PACKAGES.join(" ");
  const message = `Secrets are masked before text leaves this machine, and what finds them is not installed: npm install ${names}; or set redactSecrets to false.`;
  return new EspalierError("PACKAGE_MISSING", message, { packages: PACKAGES }, cause);
}

/** Some rules report the name and the host too; they are no secret and worth keeping. */
function narrowed(text: string, start: number, end: number, kind: string): FoundSecret {
  const found = text.slice(start, end);
  const value = (URL_PASSWORD.exec(found) ?? ASSIGNED.exec(found))?.[1];
  if (value === undefined) return { start, end, kind };
  const from = start + found.lastIndexOf(value);
  return { start: from, end: from + value.length, kind };
}

const kindOf = (ruleId: string) => ruleId.replace(/^.*secretlint-rule-/, "").replace(/[^a-z0-9-]/g, "") || "secret";
