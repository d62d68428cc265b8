import type { Entry, SessionHeader } from "../core/session/entry.ts";
import type { Warning } from "../errors.ts";
import type { Head } from "./head.ts";

/** Formats whose sessions this version opens. */
export type FormatId = "pi" | "claude-code";

/** A foreign session as pi version 3 entries, parents before children, the last one on the active path [S8]. */
export interface ImportedSession {
  readonly format: FormatId;
  readonly header: SessionHeader;
  readonly entries: Entry[];
  readonly warnings: Warning[];
}

/** One physical line of a session file, without its line end; `line` is 1-based. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Where an importer reads from. `name` is what messages call it: a path, mostly. */
export interface Source {
  readonly name: string;
  readonly lines: AsyncIterable<TextLine>;
}

/** One row of the table of formats. Without `read` the format is native and opened by its store. */
export interface Format {
  readonly id: FormatId;
  /** As shown to the user. */
  readonly title: string;
  detect(head: Head): boolean;
  read?(source: Source): Promise<ImportedSession>;
}
