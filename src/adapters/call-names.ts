const NOT_ALLOWED = /[^a-zA-Z0-9_-]/g;
const LONGEST_NAME = 64;

/** Gives tool calls ids that a provider takes, and results the id of their call. */
export interface CallIds {
  /** The id of the next call, never given before. */
  forCall(id: string): string;
  /** The id given to the oldest call with this id that is not answered yet. */
  forResult(id: string): string;
}

/**
 * Ids of letters, digits, `_` and `-`, of at most `longest` characters, each used for one call only.
 *
 * Some servers count their ids from zero in each turn, and others make them longer than a second provider allows.
 * What is given depends on earlier calls alone, so appending messages changes no id [X7].
 */
export function createCallIds(longest: number): CallIds {
  const given = new Set<string>();
  const repeats = new Map<string, number>();
  const open = new Map<string, string[]>();

  function unused(base: string): string {
    let id = base;
    while (given.has(id)) {
      const repeat = (repeats.get(base) ?? 1) + 1;
      repeats.set(base, repeat);
      const suffix = `_${repeat}`;
      id = base.slice(0, longest - suffix.length) + suffix;
    }
    given.add(id);
    return id;
  }

  return {
    forCall(id) {
      const renamed = unused(allowed(id, longest));
      const waiting = open.get(id);
      if (waiting) waiting.push(renamed);
      else open.set(id, [renamed]);
      return renamed;
    },
    forResult(id) {
      return open.get(id)?.shift() ?? allowed(id, longest);
    },
  };
}

/** A tool's name as every provider takes it. */
export function callName(name: string): string {
  return name.replace(NOT_ALLOWED, "_").slice(0, LONGEST_NAME);
}

/** The Responses API's ids hold a second one after `|`. */
function allowed(id: string, longest: number): string {
  const first = id.split("|", 1)[0] || id;
  return first.replace(NOT_ALLOWED, "_").slice(0, longest);
}
