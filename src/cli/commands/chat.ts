import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentSession } from "../../agent/index.ts";
import { textOf } from "../../core/context/blocks.ts";
import { wellFormed } from "../../core/context/text.ts";
import type { Session } from "../../engine/session.ts";
import { EspalierError, type Warning } from "../../errors.ts";
import type { ThinkingLevel } from "../../ports/model.ts";
import type { Call, Command } from "../answer.ts";
import { askAtTerminal } from "../chat/ask.ts";
import { eventLine } from "../chat/event-lines.ts";
import { type Happening, happenings } from "../chat/happenings.ts";
import { chatModelName, lastModelOf, openModelOf } from "../chat/model.ts";
import { promptOf } from "../chat/prompt.ts";
import { type ChatFile, chatFile } from "../chat/session-file.ts";
import { checkWritable, sessionOptions } from "../open.ts";
import { firstLine, plain } from "../render/plain.ts";
import { isTrusted } from "../settings.ts";

/** Of what a project says to agents. */
const PROJECT_BYTES = 32_000;

/** Asks an agent and prints its answer, or with `--json` what happens, one event a line. All of it is kept in a session. */
export const chat: Command = async (call) => {
  const cwd = process.cwd();
  const prompt = await promptOf(call);
  const place = chatFile(call.flags, cwd, Date.now());
  if (place.isNew) chatModelName(call);
  const warnings: Warning[] = [];
  const agent = await open(call, place, cwd, warnings);
  const turn = () =>
    happenings(agent, () => (prompt === undefined ? agent.continue() : agent.prompt(prompt)), call.signal);
  let exit = 0;
  return {
    document: {},
    warnings,
    get exit() {
      return exit;
    },
    async *stream() {
      yield { type: "session", file: place.file, id: agent.session.header.id, model: agent.model.id };
      for await (const happening of turn()) {
        if (happening.type !== "outcome") {
          const line = eventLine(happening);
          if (line) yield line;
          continue;
        }
        exit = exitOf(happening);
        yield outcomeLine(agent, happening);
      }
    },
    async *lines() {
      for await (const happening of turn()) {
        if (happening.type === "tool_execution_start") call.progress.step(doing(happening.toolName, happening.args));
        if (happening.type === "turn_start") call.progress.step(`Asking ${agent.model.id}`);
        if (happening.type === "compaction_start") call.progress.step("Compacting");
        if (happening.type === "warning") warnings.push(happening.warning);
        if (happening.type !== "outcome") continue;
        call.progress.done();
        exit = exitOf(happening);
        yield* answerLines(happening);
      }
    },
  };
};

async function open(call: Call, { file, isNew }: ChatFile, cwd: string, warnings: Warning[]): Promise<AgentSession> {
  const [{ openSession }, agents] = await Promise.all([import("../../index.ts"), import("../../agent/index.ts")]);
  const { flags, settings, cleanups, progress } = call;
  let name = isNew ? chatModelName(call) : undefined;
  // No file is made for a conversation that can't begin.
  const known = name === undefined ? undefined : await openModelOf(call, name);
  if (isNew) makeFolderOf(file);
  else checkWritable(file, await (await import("../../formats/index.ts")).formatOf(file));
  const session: Session = await openSession(file, {
    // Made only when it is asked who writes: the session itself may say which model it was.
    ...(await sessionOptions(call, () => settings.settings["compaction.model"] ?? name)),
    claim: true,
    ...(isNew && { create: { cwd } }),
  });
  cleanups.push(() => session.close());
  name ??= chatModelName(call, await lastModelOf(session));
  const ask = flags.json ? undefined : askAtTerminal(progress);
  const tools = agents.createTools({
    cwd,
    session,
    allow: [...settings.settings["tools.allow"], ...(flags.allow ?? [])],
    allowAll: flags.allowAll === true,
    hideEnv: ["*_API_KEY", "ANTHROPIC_*_TOKEN", ...(flags.apiKeyEnv ? [flags.apiKeyEnv] : [])],
    ...(ask && { ask }),
  });
  const project = projectWords(cwd, warnings);
  const agent = await agents.createAgentSession({
    session,
    model: known ?? (await openModelOf(call, name)),
    tools,
    ...(settings.origins.contextWindow !== "default" && { contextWindow: settings.settings.contextWindow }),
    systemPrompt: agents.systemPrompt({ cwd, ...(project && { project }) }),
    ...(flags.thinking !== undefined && { thinkingLevel: flags.thinking as ThinkingLevel }),
  });
  cleanups.push(() => agent.dispose());
  return agent;
}

function makeFolderOf(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `${file} can't be made (${code}); name another place with --session.`;
    throw new EspalierError("STORE_IO", message, { file }, cause);
  }
}

/** What stands in AGENTS.md, of a folder that the user trusts: it goes where instructions go. */
function projectWords(cwd: string, warnings: Warning[]): string | undefined {
  const file = join(cwd, "AGENTS.md");
  if (!existsSync(file)) return undefined;
  if (!isTrusted(cwd)) {
    const message = `${file} was not read, since the setting trustedFolders does not name its folder.`;
    warnings.push({ code: "NOT_TRUSTED", message });
    return undefined;
  }
  try {
    if (!statSync(file).isFile()) throw new Error("no regular file");
    return wellFormed(readFileSync(file, "utf8").slice(0, PROJECT_BYTES));
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    warnings.push({ code: "FILE_UNREADABLE", message: `${file} can't be read (${why}) and was left out.` });
    return undefined;
  }
}

type Outcome = Extract<Happening, { type: "outcome" }>;

const exitOf = ({ outcome }: Outcome): number =>
  outcome.status === "aborted" ? 130 : outcome.status === "failed" ? 1 : 0;

function outcomeLine(agent: AgentSession, { outcome }: Outcome): object {
  const usage = agent.contextUsage();
  switch (outcome.status) {
    case "answered":
      return { type: "outcome", status: "answered", text: textOf(outcome.reply.content), usage };
    case "failed": {
      const { code, message } = outcome.error;
      return { type: "outcome", status: "failed", error: { code, message }, usage };
    }
    default:
      return { type: "outcome", ...outcome, usage };
  }
}

function* answerLines({ outcome }: Outcome): Generator<string> {
  switch (outcome.status) {
    case "answered":
      yield* plain(textOf(outcome.reply.content)).split("\n");
      return;
    case "nothing":
      yield outcome.because === "empty"
        ? "The session is empty; ask something with -p."
        : "The last question is answered; ask another with -p.";
      return;
    case "aborted":
      yield "Stopped. What was done so far is in the session; `espalier chat --continue` goes on.";
      return;
    case "failed":
      throw outcome.error;
  }
}

function doing(tool: string, args: unknown): string {
  const { command, path, query } = (args ?? {}) as Record<string, unknown>;
  const what = [command, path, query].find((each) => typeof each === "string") ?? "";
  return `${tool} ${firstLine(String(what)).slice(0, 60)}`.trim();
}
