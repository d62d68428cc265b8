import type { AgentTool } from "@earendil-works/pi-agent-core";
import { type AgentSession, type AgentSessionEvent, createAgentSession } from "../../src/agent/index.ts";
import { openSession, type Session, type SettingsInput, type Summarizer } from "../../src/index.ts";
import { openChatModel } from "../../src/models/index.ts";
import { createMemoryStore } from "../../src/stores/memory.ts";
import {
  type FakeModelServer,
  type FakeReply,
  type FakeRequest,
  type FakeServerOptions,
  fakeModelServer,
} from "../../src/testing/index.ts";

export interface StageOptions extends Partial<Omit<FakeServerOptions, "script">> {
  readonly script: FakeServerOptions["script"];
  readonly contextWindow?: number;
  readonly settings?: SettingsInput;
  readonly summarizer?: Summarizer;
  readonly tools?: readonly AgentTool[];
  /** An open session to go on with. */
  readonly session?: Session;
}

export interface Stage {
  readonly agent: AgentSession;
  readonly session: Session;
  readonly server: FakeModelServer;
  readonly events: AgentSessionEvent[];
  /** Types of the events so far, without those that repeat in any number. */
  order(): string[];
  end(): Promise<void>;
}

const NOISE = new Set([
  "message_start",
  "message_update",
  "message_stored",
  "tool_execution_update",
  "compaction_progress",
]);

/** An agent over a session in memory, asked through a real server on loopback. */
export async function stage(options: StageOptions): Promise<Stage> {
  const { contextWindow = 16_000, script, window, overflowAt, tools } = options;
  const server = await fakeModelServer({
    script,
    ...(window !== undefined && { window }),
    ...(overflowAt !== undefined && { overflowAt }),
  });
  const session =
    options.session ??
    (await openSession(createMemoryStore(), {
      settings: options.settings ?? {},
      ...(options.summarizer && { summarizer: options.summarizer }),
    }));
  const agent = await createAgentSession({
    session,
    model: await modelAt(server, contextWindow),
    systemPrompt: "You work on files.",
    ...(tools && { tools }),
    patience: { firstWaitMs: 1 },
  });
  const events: AgentSessionEvent[] = [];
  agent.subscribe((event) => events.push(event));
  return {
    agent,
    session,
    server,
    events,
    order: () => events.map(nameOf).filter((name) => name !== undefined),
    async end() {
      await agent.dispose();
      await server.close();
    },
  };
}

export const modelAt = (server: FakeModelServer, contextWindow: number, id = "small") =>
  openChatModel({
    model: `fake/${id}`,
    baseUrl: server.baseUrl("anthropic"),
    api: "anthropic",
    contextWindow,
    env: {},
  });

function nameOf(event: AgentSessionEvent): string | undefined {
  if (NOISE.has(event.type)) return undefined;
  if (event.type === "message_end") return `message ${event.message.role}`;
  if (event.type === "compaction_start" || event.type === "compaction_end") return `${event.type} ${event.reason}`;
  return event.type;
}

/** A tool that gives `text` for every call. */
export const tool = (
  name: string,
  run: (args: Record<string, unknown>, signal?: AbortSignal) => Promise<string> | string,
): AgentTool => ({
  name,
  label: name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: { path: { type: "string" } }, additionalProperties: true },
  execute: async (_id, args, signal) => ({
    content: [{ type: "text", text: await run(args as Record<string, unknown>, signal) }],
    details: {},
  }),
});

/** What the user's side of a request ends with. */
export const lastText = ({ messages }: FakeRequest): string => {
  const last = messages.at(-1);
  return last?.results.map(({ text }) => text).join("\n") || (last?.text ?? "");
};

/** How often `text` stands in what all requests' own messages say, counted in the last request. */
export const timesAsked = ({ requests }: FakeModelServer, text: string): number =>
  (requests.at(-1)?.prompt.split(text).length ?? 1) - 1;

export const calls = (name: string, args: Record<string, unknown> = {}): FakeReply => ({
  toolCalls: [{ name, arguments: args }],
});

/** Resolves when `isTrue` says so; looks often. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 2_000) throw new Error("What was waited for did not come.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
