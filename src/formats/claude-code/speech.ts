import type { Raw } from "./lines.ts";
import { textOf } from "./lines.ts";

/** Who speaks in a `user` line: the human, or Claude Code under one of these custom types. */
export type Speaker = "human" | `claude-code.${string}`;

/** How texts begin that Claude Code puts in the user's place. */
const INJECTED: readonly (readonly [string, Speaker])[] = [
  ["<system-reminder>", "claude-code.reminder"],
  ["<command-name>", "claude-code.command"],
  ["<command-message>", "claude-code.command"],
  ["<local-command-stdout>", "claude-code.command-output"],
  ["<local-command-stderr>", "claude-code.command-output"],
  ["<local-command-caveat>", "claude-code.meta"],
  ["Caveat:", "claude-code.meta"],
  ["<bash-input>", "claude-code.bash"],
  ["<bash-stdout>", "claude-code.bash"],
  ["<bash-stderr>", "claude-code.bash"],
  ["<task-notification>", "claude-code.notification"],
  ["[Request interrupted by user", "claude-code.interrupt"],
];

/** One stretch of blocks by one speaker. */
export interface Utterance {
  readonly speaker: Speaker;
  readonly blocks: Raw[];
}

/**
 * The blocks of a user line, split where the speaker changes. What is not text belongs to the speaker before it, so
 * that nothing injected is put in the user's mouth and no prompt is lost beside it [V6].
 */
export function utterances(raw: Raw, blocks: readonly Raw[]): Utterance[] {
  const said: Utterance[] = [];
  for (const block of blocks) {
    const before = said.at(-1);
    const speaker =
      raw.isMeta === true
        ? "claude-code.meta"
        : block.type === "text"
          ? speakerOf(textOf(block.text))
          : (before?.speaker ?? "human");
    if (before?.speaker === speaker) before.blocks.push(block);
    else said.push({ speaker, blocks: [block] });
  }
  return said;
}

function speakerOf(text: string): Speaker {
  const start = text.trimStart();
  return INJECTED.find(([prefix]) => start.startsWith(prefix))?.[1] ?? "human";
}
