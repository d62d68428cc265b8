/** Every code an Espalier error can carry. Codes are stable; messages may change between versions. */
export type ErrorCode =
  | "NOT_A_SESSION" // the file holds no session header, or no known format
  | "FILE_NOT_FOUND"
  | "FILE_UNREADABLE"
  | "FORMAT_UNKNOWN" // content matches no known session format
  | "FORMAT_READ_ONLY" // this format can be read but not appended to; use --out
  | "VERSION_TOO_NEW" // a session version newer than this program understands, asked to write
  | "ENTRY_NOT_FOUND"
  | "ENTRY_INVALID"
  | "SESSION_LOCKED"
  | "SESSION_CHANGED" // the file was replaced or altered by somebody else since it was opened
  | "SESSION_READ_ONLY"
  | "SESSION_CLOSED"
  | "STORE_IO"
  | "OUT_EXISTS"
  | "PLAN_STALE"
  | "PLAN_INVALID" // an internal invariant of a plan does not hold
  | "SUMMARY_FAILED"
  | "HOOK_INVALID"
  | "HOOK_REENTRANT" // a hook called what waits for that hook
  | "SETTING_INVALID"
  | "MODEL_MISSING" // a model is needed and none was named
  | "MODEL_UNKNOWN"
  | "KEY_MISSING" // a model's key is not in the environment
  | "PACKAGE_MISSING" // an optional package has to be installed for this
  | "REQUEST_FAILED" // the model gave no reply to an agent's request
  | "CONTEXT_FULL" // an agent's request would be over the window, and nothing brings it under
  | "USAGE";

/**
 * The one error class of the engine.
 *
 * `code` is stable and meant for programs; `message` is one sentence that says what happened, to which file, line or
 * entry, and what to do. `data` holds the same facts as values. `cause` keeps the error underneath.
 * Misuse by the caller (wrong argument types) is a plain `TypeError`; cancelled and nothing-to-do are outcomes.
 */
export class EspalierError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EspalierError";
    this.code = code;
    this.data = data;
  }

  /** True for an EspalierError of any copy of this package, optionally of one code. */
  static is(error: unknown, code?: ErrorCode): error is EspalierError {
    return (
      error instanceof Error && error.name === "EspalierError" && (!code || (error as EspalierError).code === code)
    );
  }
}

/**
 * Something odd that did not stop the work: a bad line, a missing parent, a dropped result.
 *
 * `code` is stable, `message` names the line or entry. `line` is 1-based. Warnings are values, returned beside results.
 */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
  readonly entryId?: string;
}
