import type { ProviderFormat } from "../adapters/index.ts";
import type { ModelApi } from "../models/index.ts";
import type { Command } from "./answer.ts";

export interface OptionRow {
  readonly flags: string;
  readonly sentence: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
}

/** One command: what help and parsing need to know, and where its code is. */
export interface CommandRow {
  readonly name: string;
  readonly args: string;
  readonly sentence: string;
  readonly options: readonly OptionRow[];
  /** Only a command that writes has something to finish or undo when it is interrupted. */
  readonly writes?: boolean;
  readonly load: () => Promise<Command>;
}

const WINDOW = [
  { flags: "--window <tokens>", sentence: "size of the model's context window" },
  { flags: "--keep-recent-tokens <tokens>", sentence: "how much of the newest conversation stays verbatim" },
  { flags: "--retain-none", sentence: "keep nothing verbatim: the summary replaces everything" },
];
const LEAF = { flags: "--leaf <id>", sentence: "stand on this entry instead of the session's own leaf" };

/** The options that every command takes. */
export const COMMON: readonly OptionRow[] = [
  { flags: "--json", sentence: "one JSON document on standard output" },
  { flags: "--verbose", sentence: "say more about errors and warnings" },
];

// Said again rather than imported: help must not load the adapters. The type keeps it true.
const PROVIDER_FORMATS = [
  "pi",
  "anthropic",
  "openai-chat",
  "openai-responses",
  "ai-sdk",
] as const satisfies ProviderFormat[];

const MODEL_APIS = ["openai-chat", "openai-responses", "anthropic", "google"] as const satisfies ModelApi[];
const MODEL: readonly OptionRow[] = [
  {
    flags: "--model <provider/id>",
    sentence: "the model that writes the summary; several, separated by commas, in order",
  },
  { flags: "--base-url <url>", sentence: "where the model is, if it is not its provider's own place" },
  { flags: "--api <name>", sentence: "the wire format spoken there", choices: MODEL_APIS },
  { flags: "--api-key-env <name>", sentence: "the environment variable that holds the key (ESPALIER_API_KEY)" },
  { flags: "--model-window <tokens>", sentence: "its window, where no table knows it (32,768)" },
];
const CHAT_MODEL = [
  {
    flags: "--model <provider/id>",
    sentence: "the model to talk with; it writes the summaries too, unless the setting compaction.model says who does",
  },
];
const THINKING = ["off", "minimal", "low", "medium", "high"];
const ENDPOINT = { flags: "--endpoint <url>", sentence: "ask a remote summarizer first; see espalier serve" };

const FOCUS = { flags: "--focus <text>", sentence: "what the summary should pay attention to; asks for one" };
const NAME = { flags: "--name <label>", sentence: "a label for the summary" };

/** All commands, in the order of the help. Each is loaded only when it runs. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "compact",
    args: "<file> [focus...]",
    sentence: "Compact the active path: the history becomes a summary, the newest part stays.",
    options: [
      { flags: "--dry-run", sentence: "show what would happen, write nothing" },
      { flags: "--out <file>", sentence: "write a compacted copy here and leave the session as it is" },
      ...MODEL,
      ENDPOINT,
      ...WINDOW,
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/compact.ts")).compact,
  },
  {
    name: "undo",
    args: "<file>",
    sentence: "Take the compaction in force back; what came after it stays.",
    options: [LEAF],
    writes: true,
    load: async () => (await import("./commands/undo.ts")).undo,
  },
  {
    name: "redo",
    args: "<file>",
    sentence: "Honour again the compaction that was undone last.",
    options: [LEAF],
    writes: true,
    load: async () => (await import("./commands/redo.ts")).redo,
  },
  {
    name: "pin",
    args: "<file>",
    sentence: "Carry words through every compaction as they are; without options, list what is carried.",
    options: [
      { flags: "--entry <id>", sentence: "pin the words of this entry" },
      { flags: "--text <text>", sentence: "pin these words" },
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/pin.ts")).pin,
  },
  {
    name: "unpin",
    args: "<file> [pin]",
    sentence: "Remove a pin by its number, its entry's id or its words; without one, list them.",
    options: [
      { flags: "--entry <id>", sentence: "the pin of this entry" },
      { flags: "--text <text>", sentence: "the pin with these words" },
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/unpin.ts")).unpin,
  },
  {
    name: "context",
    args: "<file>",
    sentence: "Show what the model sees.",
    options: [{ flags: "--format <name>", sentence: "as the messages of a provider", choices: PROVIDER_FORMATS }, LEAF],
    load: async () => (await import("./commands/context.ts")).context,
  },
  {
    name: "explain",
    args: "<file>",
    sentence: "Show where each entry of the path went, and why.",
    options: [LEAF],
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "tree",
    args: "<file>",
    sentence: "Show the session's tree with the current path marked.",
    options: [{ flags: "--all", sentence: "every entry, not only turns, summaries and branches" }, LEAF],
    load: async () => (await import("./commands/tree.ts")).tree,
  },
  {
    name: "stats",
    args: "<file>",
    sentence: "Count tokens by kind and tool, and what a compaction or a prune would save.",
    options: [...WINDOW, LEAF],
    load: async () => (await import("./commands/stats.ts")).stats,
  },
  {
    name: "prune",
    args: "<file>",
    sentence: "Put placeholders for old tool outputs; the originals stay in the session.",
    options: [
      { flags: "--dry-run", sentence: "show what would go, write nothing" },
      { flags: "--out <file>", sentence: "write a pruned copy here and leave the session as it is" },
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/prune.ts")).prune,
  },
  {
    name: "recall",
    args: "<file> [words...]",
    sentence: "Find originals behind summaries, edits and on other branches.",
    options: [
      { flags: "--entry <id>", sentence: "show this entry whole; the beginning of its id will do" },
      { flags: "--limit <n>", sentence: "at most so many hits; 5 unless given" },
      {
        flags: "--where <place>",
        sentence: "search only there; all but live unless given",
        choices: ["summarised", "edited", "branch", "live"],
      },
      LEAF,
    ],
    load: async () => (await import("./commands/recall.ts")).recall,
  },
  {
    name: "navigate",
    args: "<file> <entry>",
    sentence:
      "Stand on another entry; on a user's message, just before it, with its text to edit. `root` is the start.",
    options: [
      { flags: "--summarize", sentence: "leave a summary of what is left behind where one arrives" },
      { flags: "--no-summarize", sentence: "leave none, whatever branchSummary.enabled says" },
      { flags: "--dry-run", sentence: "show where it would stand and what it would leave, write nothing" },
      FOCUS,
      NAME,
      ...MODEL,
      ENDPOINT,
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/navigate.ts")).navigate,
  },
  {
    name: "back",
    args: "<file>",
    sentence: "Take the last navigation back; again, the one before.",
    options: [LEAF],
    writes: true,
    load: async () => (await import("./commands/back.ts")).back,
  },
  {
    name: "merge-branch",
    args: "<file> <leaf>",
    sentence: "Put a summary of another branch where the session stands, without leaving.",
    options: [
      { flags: "--dry-run", sentence: "show the summary, write nothing" },
      FOCUS,
      NAME,
      ...MODEL,
      ENDPOINT,
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/merge-branch.ts")).mergeBranch,
  },
  {
    name: "diff",
    args: "<file> <a> <b>",
    sentence: "Show what two branches have since they parted, files included.",
    options: [],
    load: async () => (await import("./commands/diff.ts")).diff,
  },
  {
    name: "label",
    args: "<file> <entry> [name]",
    sentence: "Name an entry; without a name, take its label away.",
    options: [LEAF],
    writes: true,
    load: async () => (await import("./commands/label.ts")).label,
  },
  {
    name: "fork",
    args: "<file> <entry>",
    sentence: "Write the path to an entry as a session of its own.",
    options: [{ flags: "--out <file>", sentence: "the file to write; it must not be there yet", required: true }, LEAF],
    writes: true,
    load: async () => (await import("./commands/fork.ts")).fork,
  },
  {
    name: "repair",
    args: "<file>",
    sentence: "Set bad lines aside and put every record on a line of its own; the old file stays as .bak.",
    options: [{ flags: "--dry-run", sentence: "say what would be done, write nothing" }],
    writes: true,
    load: async () => (await import("./commands/repair.ts")).repair,
  },
  {
    name: "sessions",
    args: "",
    sentence: "List the sessions of all agents on this machine, newest first; also what no command at all does.",
    options: [{ flags: "--all", sentence: "every session, not only the newest" }],
    load: async () => (await import("./commands/sessions.ts")).sessions,
  },
  {
    name: "convert",
    args: "<file>",
    sentence: "Write a session in another format.",
    options: [
      { flags: "--to <format>", sentence: "the format to write", choices: ["pi"], required: true },
      { flags: "--out <file>", sentence: "the file to write; it must not be there yet", required: true },
      LEAF,
    ],
    writes: true,
    load: async () => (await import("./commands/convert.ts")).convert,
  },
  {
    name: "chat",
    args: "",
    sentence: "Ask an agent that works in this folder; its session stays usable however long it gets.",
    options: [
      { flags: "-p, --prompt <text>", sentence: "what you want; a prompt can be piped in as well" },
      { flags: "--continue", sentence: "go on with the newest session of this folder" },
      { flags: "--session <file>", sentence: "talk in this session; it is made if it is not there" },
      { flags: "--allow <rule...>", sentence: "what tools may do without asking: write, edit, bash, bash(npm test)" },
      { flags: "--allow-all", sentence: "ask nothing" },
      { flags: "--thinking <level>", sentence: "how much the model thinks", choices: THINKING },
      ...CHAT_MODEL,
      ...MODEL.slice(1),
      ENDPOINT,
      ...WINDOW.slice(0, 2),
    ],
    writes: true,
    load: async () => (await import("./commands/chat.ts")).chat,
  },
  {
    name: "serve",
    args: "",
    sentence: "Write summaries for others: the other end of --endpoint.",
    options: [
      { flags: "--port <number>", sentence: "where to listen (7717); 0 takes a free one" },
      { flags: "--host <address>", sentence: "whom to listen to (127.0.0.1: this machine only)" },
      ...MODEL,
    ],
    writes: true,
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "settings",
    args: "",
    sentence: "Show the effective settings and where each comes from.",
    options: [...WINDOW, { flags: "--schema", sentence: "print the JSON Schema of a settings file, for editors" }],
    load: async () => (await import("./commands/settings.ts")).settings,
  },
  {
    name: "demo",
    args: "[file] [focus...]",
    sentence: "Show a session before and after compaction, without changing it.",
    options: [{ flags: "--out <file>", sentence: "write the compacted copy here" }, ...WINDOW, LEAF],
    writes: true,
    load: async () => (await import("./commands/demo.ts")).demo,
  },
];
