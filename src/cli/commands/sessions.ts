import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import type { Answer, Command } from "../answer.ts";
import { filesIn, sessionPlaces } from "../discover/places.ts";
import { type SessionSketch, sketch } from "../discover/sketch.ts";
import { count, thousands } from "../render/number.ts";
import { nextCommands, titleLine } from "../render/page.ts";
import { firstLine } from "../render/plain.ts";
import type { Screen } from "../render/style.ts";
import { type Column, table } from "../render/table.ts";
import { word } from "../shell.ts";

const SHOWN = 20;
const COLUMNS: readonly Column[] = [
  { title: "", align: "right", tint: "cyan" },
  { title: "agent" },
  { title: "changed", align: "right" },
  { title: "size", align: "right", tint: "dim" },
  { title: "folder", tint: "dim" },
  { title: "name or first request", fills: true },
];

/** Lists the sessions of all agents on this machine, newest first; a person may then choose one to look into. */
export const sessions: Command = async (call) => {
  const { found, skipped } = discover(process.env);
  const shown = call.flags.all ? found : found.slice(0, SHOWN);
  return {
    document: { sessions: found.map(row), skipped },
    warnings: skipped.map((path) => ({ code: "FILE_UNREADABLE", message: `${path} can't be read and was left out.` })),
    lines: (screen) => listing(screen, shown, found.length),
    ...(shown.length > 0 && { next: () => choose(shown) }),
  };
};

/** All sessions by the time of their last change; what can't be read is left out and named. */
export function discover(
  env: Readonly<Record<string, string | undefined>>,
  home = env.HOME || homedir(),
): { found: SessionSketch[]; skipped: string[] } {
  const found: SessionSketch[] = [];
  const skipped: string[] = [];
  for (const place of sessionPlaces(env, home)) {
    for (const path of filesIn(place, (folder) => skipped.push(folder))) {
      try {
        found.push(sketch(path, place.agent));
      } catch {
        skipped.push(path);
      }
    }
  }
  found.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
  return { found, skipped };
}

const row = ({ modified, ...rest }: SessionSketch) => ({ ...rest, modified: new Date(modified).toISOString() });

function* listing(screen: Screen, shown: readonly SessionSketch[], total: number): Generator<string> {
  yield titleLine(screen, "Sessions on this machine", count(total, "session"));
  yield "";
  if (total === 0) {
    yield "  None found. Every command takes a session file: espalier stats FILE; espalier --help says more.";
    return;
  }
  const now = Date.now();
  const cells = shown.map(({ agent, modified, size, cwd, title }, at) => [
    String(at + 1),
    agent,
    ageOf(now - modified),
    sizeOf(size),
    shortened(firstLine(cwd ?? "")),
    firstLine(title ?? ""),
  ]);
  yield* table(screen, COLUMNS, cells);
  const [newest] = shown;
  if (newest === undefined) return;
  if (total > shown.length)
    yield screen.tint("dim", `  … and ${thousands(total - shown.length)} older; --all shows them`);
  yield* nextCommands(screen, [
    [`espalier stats ${word(newest.path)}`, "what the newest holds"],
    ["espalier --help", "all commands"],
  ]);
}

/** What to run next, as a person has chosen; null for nothing. */
async function choose(shown: readonly SessionSketch[]): ReturnType<NonNullable<Answer["next"]>> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const typed = (await terminal.question(`\nOpen which? (1–${shown.length}, Enter for none) `)).trim();
    const chosen = /^\d+$/.test(typed) ? shown[Number(typed) - 1] : undefined;
    return chosen ? ["stats", chosen.path] : null;
  } catch {
    return null;
  } finally {
    terminal.close();
  }
}

/** Only the last two folders of a long path: they tell projects apart. */
function shortened(folder: string): string {
  const parts = folder.split("/");
  return parts.length > 4 ? `…/${parts.slice(-2).join("/")}` : folder;
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, ms) / 60_000;
  if (minutes < 60) return `${Math.floor(minutes)} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 1440)} d`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
