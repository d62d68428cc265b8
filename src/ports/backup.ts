/**
 * Writes a transcript of messages that a compaction replaces, one JSON document a line, under a new name [K5].
 *
 * Gives the place where it stands; rejects when it can't be written or the name is taken.
 */
export type TranscriptBackup = (name: string, lines: Iterable<string>) => Promise<string>;
