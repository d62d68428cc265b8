const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  gray: [90, 39],
} as const;

export type Tint = keyof typeof CODES;

/** Where human output goes: how wide it is, and how text is emphasised there. */
export interface Screen {
  readonly width: number;
  readonly colour: boolean;
  /** `text` in a tint, or as it is where there is no colour. */
  readonly tint: (tint: Tint, text: string) => string;
}

interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * The screen behind `stream`.
 *
 * Colour only on a terminal, and not with `NO_COLOR` or a dumb one; `FORCE_COLOR` forces it. Width is the terminal's,
 * else `COLUMNS`, else 100; between 40 and 140.
 */
export function screenOf(stream: Terminal, env: Readonly<Record<string, string | undefined>>): Screen {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  const colour = !env.NO_COLOR && (forced || (stream.isTTY === true && env.TERM !== "dumb"));
  const columns = stream.columns ?? (Number.parseInt(env.COLUMNS ?? "", 10) || 100);
  return {
    width: Math.max(40, Math.min(columns, 140)),
    colour,
    tint: (tint, text) => {
      if (!colour || text === "") return text;
      const [on, off] = CODES[tint];
      return `\x1b[${on}m${text}\x1b[${off}m`;
    },
  };
}
