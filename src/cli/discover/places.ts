import { type Dirent, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** One agent's sessions: where they are, and which files there are sessions. */
export interface SessionPlace {
  readonly agent: string;
  readonly folder: string;
  /** How many folders deep sessions stand at most. */
  readonly depth: number;
  readonly isSession: (name: string) => boolean;
}

const isJsonl = (name: string): boolean =>
  name.endsWith(".jsonl") && !/\.(?:bad(?:\.\d+)?|originals)\.jsonl$/.test(name);

/** Where the agents that we know keep their sessions, by the variables that move them, else below the home folder. */
export function sessionPlaces(env: Readonly<Record<string, string | undefined>>, home = homedir()): SessionPlace[] {
  const data = absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share");
  const piHome = absolute(env.PI_CODING_AGENT_DIR) ?? join(home, ".pi", "agent");
  const claude = absolute(env.CLAUDE_CONFIG_DIR) ?? join(home, ".claude");
  const codex = absolute(env.CODEX_HOME) ?? join(home, ".codex");
  return [
    { agent: "espalier", folder: join(data, "espalier", "sessions"), depth: 1, isSession: isJsonl },
    { agent: "pi", folder: join(piHome, "sessions"), depth: 1, isSession: isJsonl },
    { agent: "oh-my-pi", folder: join(home, ".omp", "agent", "sessions"), depth: 1, isSession: isJsonl },
    { agent: "claude-code", folder: join(claude, "projects"), depth: 1, isSession: isJsonl },
    { agent: "codex", folder: join(codex, "sessions"), depth: 3, isSession: isJsonl },
    {
      agent: "opencode",
      folder: join(data, "opencode", "storage", "session"),
      depth: 1,
      isSession: (name) => name.startsWith("ses_") && name.endsWith(".json"),
    },
  ];
}

// The XDG specification says to ignore a relative path.
const absolute = (path: string | undefined): string | undefined => (path?.startsWith("/") ? path : undefined);

/** The session files of a place; `skip` is told of folders that can't be read. None where the place is not there. */
export function* filesIn(place: SessionPlace, skip: (path: string) => void): Generator<string> {
  const open = [{ folder: place.folder, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { folder, depth } = next;
    for (const entry of listed(folder, skip)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < place.depth) open.push({ folder: path, depth: depth + 1 });
      else if (!entry.isDirectory() && place.isSession(entry.name)) yield path;
    }
  }
}

function listed(folder: string, skip: (path: string) => void): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") skip(folder);
    return [];
  }
}
