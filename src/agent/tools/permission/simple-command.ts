/**
 * Whether a shell reads `command` as one program with its arguments and nothing else.
 *
 * Not simple: several commands, pipes, redirections, substitutions, variables, comments, assignments in front, line
 * breaks, and quotes left open. What only might be more is not simple either; the user is asked then.
 */
export function isSimpleCommand(command: string): boolean {
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(command) || /^\s*[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(command)) return false;
  let quote = "";
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (quote === "'") {
      if (char === "'") quote = "";
    } else if (char === "\\") {
      if (++at === command.length) return false;
    } else if (char === "$" || char === "`") {
      return false;
    } else if (quote === '"') {
      if (char === '"') quote = "";
    } else if (char === "'" || char === '"') {
      quote = char;
    } else if (";&|<>()".includes(char)) {
      return false;
    } else if (char === "#" && /(?:^|\s)$/.test(command.slice(Math.max(0, at - 1), at))) {
      return false;
    }
  }
  return quote === "";
}
