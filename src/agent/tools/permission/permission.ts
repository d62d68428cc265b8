import { cutHead } from "../../../core/context/text.ts";
import { untilAborted } from "../interrupt.ts";
import { createTurns } from "../turns.ts";
import { type PermissionRequest, parseRule, ruleFor } from "./rules.ts";

export type { PermissionRequest } from "./rules.ts";

/** `always`: this command, or this tool on this path, until the session ends. */
export type PermissionAnswer = "once" | "always" | "deny";

/** Asks the user; one question at a time. */
export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

/** Resolves when the request is allowed; rejects with a sentence for the model when it is not. */
export type Permission = (request: PermissionRequest, signal?: AbortSignal) => Promise<void>;

export interface PermissionOptions {
  /** Paths in rules are taken from here. */
  readonly cwd: string;
  /** Rules such as `bash(npm test)`; see {@link parseRule}. */
  readonly allow?: readonly string[];
  readonly allowAll?: boolean;
  readonly ask?: Ask;
}

/**
 * The permission for writes and commands: by rule, by an earlier "always", else by asking.
 *
 * Without `ask` what no rule allows is denied. Throws `SETTING_INVALID` for what is no rule.
 */
export function createPermission({ cwd, allow = [], allowAll = false, ask }: PermissionOptions): Permission {
  const rules = allow.map((rule) => parseRule(rule, cwd));
  const always = new Set<string>();
  const inTurn = createTurns();
  const isAllowed = (request: PermissionRequest) =>
    allowAll || always.has(ruleFor(request)) || rules.some((allows) => allows(request));

  return async (request, signal = new AbortController().signal) => {
    if (isAllowed(request)) return;
    if (!ask) throw new Error(howToAllow(request));
    const asked = inTurn("ask", async () => {
      // Another question may have settled this one.
      if (signal.aborted || isAllowed(request)) return;
      const answer = await untilAborted(signal, ask(request, signal));
      if (answer === "always") always.add(ruleFor(request));
      if (answer !== "always" && answer !== "once") throw new Error(denied(request));
    });
    await untilAborted(signal, asked);
  };
}

function howToAllow(request: PermissionRequest): string {
  const rule = briefly(ruleFor(request));
  return (
    `${rule} is not allowed, and nobody can be asked. Who runs this agent can allow it by the rule ` +
    `\`${rule}\`, or by \`${request.tool}\` for all; go on without it, or say what you would need.`
  );
}

function denied(request: PermissionRequest): string {
  return `The user did not allow ${briefly(ruleFor(request))}. Don't try it in another way; go on without it, or ask the user.`;
}

function briefly(text: string): string {
  const { text: head, cut } = cutHead(text, 300);
  return cut > 0 ? `${head}…` : text;
}
