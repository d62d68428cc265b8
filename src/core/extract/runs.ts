import { clip, oneLine } from "./cut.ts";
import type { Run } from "./state.ts";

const LONGEST_COMMAND = 300;
const LONGEST_LINE = 240;
/** How much of an output's end is read for how it went; its verdict stands there. */
const TAIL = 4000;

const EXIT = /(?:exit(?:ed)?(?: with)?(?: code| status)?|return ?code|<returncode>)[:= ]*([1-9]\d*)\b/i;
const FAILURE =
  /^\s*(?:FAIL\b|--- FAIL|not ok\b|npm (?:ERR!|error)|error\b|[A-Z]\w*(?:Error|Exception)\b|panic:|fatal:|E {3}|✗|✘|×|❌|Traceback)|\b(?:[1-9]\d* (?:failed|failing|failures|errors?)|error(?:\[\w+\])?:|command not found|No such file or directory|Permission denied)/;
const PROBE =
  /^(?:\S*\/)?(?:grep|rg|ls|cat|find|which|test|diff|head|tail|cd|echo|sed|awk|wc|stat|git (?:diff|log|show|status)|pwd|type)\b/;

/** The command without what only shapes its surroundings: a leading `cd`, redirections, a trailing pager. */
export function commandKey(command: string): string {
  return oneLine(command.slice(0, 2000))
    .replace(/^cd \S+ (?:&&|;) /, "")
    .replace(/ (?:2>&1|2>\/dev\/null)(?= |$)/g, "")
    .replace(/(?: \| (?:head|tail|cat|tee)(?: [-\w./]+)*)+$/, "");
}

/** True for a command that only looks around: its failure is an answer, not an open error. */
export function isProbe(command: string): boolean {
  return PROBE.test(commandKey(command));
}

/** How a run ended: failed by the tool's word, its exit state, or what its last lines say. */
export function readOutcome(command: string, output: string, isError: boolean, id: string): Run {
  const end = output.length > TAIL ? output.slice(output.indexOf("\n", output.length - TAIL) + 1) : output;
  const tail = end.slice(-TAIL).split("\n");
  const exit = EXIT.exec(tail.slice(-4).join("\n").slice(-400));
  let failure = "";
  let last = "";
  for (const raw of tail) {
    const line = raw.slice(0, 1000);
    if (!/[\p{L}\p{N}]/u.test(line) || EXIT.test(line)) continue;
    last = line;
    if (!failure && FAILURE.test(line)) failure = line;
  }
  const failed = isError || exit !== null || (failure !== "" && !isProbe(command) && verdictFails(tail));
  return {
    command: clip(commandKey(command), LONGEST_COMMAND),
    ok: !failed,
    line: clip(oneLine((failed && failure) || last || (exit ? oneLine(exit[0]) : "")), LONGEST_LINE),
    was: "",
    id,
  };
}

/** The newest run of a command, knowing the one before it; a success after a failure tells what it cured. */
export function succeed(before: Run | undefined, now: Run): Run {
  if (!before || !now.ok) return now;
  return { ...now, was: before.ok ? before.was : before.line };
}

/** Does the success of `later` show that `earlier`, which failed, works now? When it runs at least as much. */
export function cures(later: Run, earlier: Run): boolean {
  const [program, ...rest] = later.command.split(" ");
  if (!earlier.command.startsWith(program as string)) return false;
  const words = earlier.command.split(" ");
  if (program !== words[0] || rest.length > words.length) return false;
  return rest.every((word) => words.includes(word) || word === "./...");
}

/** The last lines with a word in them decide: a failure among them, and no success after it. */
function verdictFails(tail: readonly string[]): boolean {
  const lines = tail.filter((line) => /[\p{L}\p{N}]/u.test(line.slice(0, 1000))).slice(-8);
  return lines.some((line) => FAILURE.test(line.slice(0, 1000)));
}
