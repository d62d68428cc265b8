import type { TokenCounter } from "../core/context/tokens.ts";
import type { Settings } from "../core/settings.ts";
import type { TranscriptBackup } from "../ports/backup.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hooks } from "../ports/hooks.ts";
import type { Summarizer } from "../ports/summarizer.ts";

/** What the engine needs from outside to run: nothing is global, nothing registers itself. */
export interface Host {
  readonly settings: Settings;
  readonly summarizer: Summarizer;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  /** Tokens of system prompt and tools that stand in no entry [T2]. */
  readonly extraTokens?: number;
  readonly hooks?: Hooks;
  readonly backup?: TranscriptBackup;
}
