import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Message } from "../../src/core/session/message.ts";

/** The parts of pi's session manager that these tests stand against. */
interface PiModule {
  parseSessionEntries(content: string): unknown[];
  migrateSessionEntries(entries: unknown[]): void;
  buildSessionContext(entries: unknown[]): PiContext;
  SessionManager: { open(path: string): PiSession };
}

export interface PiContext {
  messages: Message[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

export interface PiSession {
  buildSessionContext(): PiContext;
  getLeafId(): string | null;
  getEntries(): { id: string }[];
  appendMessage(message: unknown): string;
}

const place = "../../node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";

/** True where pi is installed; it is a development dependency that old versions of Node leave out. */
export const havePi = existsSync(fileURLToPath(new URL(place, import.meta.url)));

const pi: PiModule | null = havePi ? await import(/* @vite-ignore */ place) : null;

export const piItself = {
  /** The context that pi itself builds from a file's text. */
  contextOf(text: string): Message[] {
    const entries = pi!.parseSessionEntries(text);
    pi!.migrateSessionEntries(entries);
    return pi!.buildSessionContext(entries.filter((entry) => (entry as { type: string }).type !== "session")).messages;
  },
  open: (path: string): PiSession => pi!.SessionManager.open(path),
};
