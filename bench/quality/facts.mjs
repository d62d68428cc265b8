import { anchorsOf, linesOf } from "./lines.mjs";

/** More names in one line are a list: they tie nothing. */
const MOST_TIED = 12;

/** Names and pairs of names that stand in the lines. */
function read(lines, onName, onPair) {
  for (const line of lines) {
    const anchors = anchorsOf(line);
    const names = [...anchors.keys()];
    for (const [name, kind] of anchors) onName(name, kind);
    if (names.length > MOST_TIED) continue;
    names.sort();
    for (let i = 0; i < names.length; i++)
      for (let j = i + 1; j < names.length; j++) onPair(`${names[i]}\n${names[j]}`);
  }
}

/** All that the lines hold: `has` of a name, `ties` of a pair, `text` for commands. */
export function holdings(lines) {
  const names = new Set();
  const pairs = new Set();
  read(
    lines,
    (name) => names.add(name),
    (pair) => pairs.add(pair),
  );
  return { names, pairs, text: lines.map(oneLine).join("\n") };
}

/**
 * What the later part of a session takes from the earlier one: names, pairs of names in one line, and commands that the
 * assistant writes and that stand in the past, unless a tool or the user says them again first.
 */
export function wantedOf(past, future) {
  const known = holdings(past.flatMap(({ message }) => linesOf(message)));
  const ran = new Set(past.flatMap(({ message }) => commandsOf(message)));
  const names = new Map();
  const pairs = new Set();
  const told = new Set();
  for (const { message } of future) {
    const isNeed = message.role === "assistant";
    const once = (key) => !told.has(key) && told.add(key) && isNeed;
    read(
      linesOf(message),
      (name, kind) => once(name) && known.names.has(name) && names.set(name, kind),
      (pair) => once(pair) && known.pairs.has(pair) && pairs.add(pair),
    );
    for (const command of commandsOf(message))
      if (once(`$ ${command}`) && ran.has(command)) names.set(command, "command");
  }
  return { names, pairs };
}

/** Shares of what was wanted that a context holds: of all names, by kind, and of the pairs; null where none were wanted. */
export function found(wanted, context) {
  const kinds = {};
  for (const [name, kind] of wanted.names) {
    kinds[kind] ??= { of: 0, found: 0 };
    kinds[kind].of++;
    if (context.names.has(name) || (kind === "command" && context.text.includes(name))) kinds[kind].found++;
  }
  let tied = 0;
  for (const pair of wanted.pairs) if (context.pairs.has(pair)) tied++;
  return { ...kinds, tied: { of: wanted.pairs.size, found: tied } };
}

function commandsOf({ role, content }) {
  if (role !== "assistant" || !Array.isArray(content)) return [];
  return content
    .filter((block) => block?.type === "toolCall" && typeof block.arguments?.command === "string")
    .map((block) => oneLine(block.arguments.command.split("\n")[0]))
    .filter((command) => command.length >= 4 && command.length <= 200);
}

const oneLine = (text) => text.trim().replace(/\s+/g, " ");
