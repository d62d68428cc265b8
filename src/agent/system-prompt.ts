import { fill } from "../core/context/render.ts";
import { AGENT_SYSTEM } from "./templates.ts";

export interface PromptOptions {
  /** The folder that the tools work in. */
  readonly cwd: string;
  /** What the project says to agents, as in its AGENTS.md. */
  readonly project?: string;
}

/** The system prompt of `espalier chat`. The same for the same folder, so that a provider's cache stays warm [X7]. */
export function systemPrompt({ cwd, project }: PromptOptions): string {
  const prompt = fill(AGENT_SYSTEM, { cwd });
  return project?.trim() ? `${prompt}\n\nWhat the project says:\n\n${project.trim()}` : prompt;
}
