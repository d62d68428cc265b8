import type { Hook, HookName, HookOptions, HookPayload, HookResult, Hooks } from "../ports/hooks.ts";
import type { Events } from "./events.ts";

export interface HookRegistry {
  /** Adds a hook behind those registered before; gives the function that removes it. */
  add<N extends HookName>(name: N, hook: Hook<N>, options?: HookOptions): () => void;
  /**
   * What the hooks of this name answer, one after the other, leaving out those without an opinion [H2].
   *
   * A hook that throws, is slower than the timeout or answers no object is reported with its name and left out; with
   * `gate` its answer counts as `{cancel: true}`. Ends early when `signal` aborts. Stop iterating to stop asking.
   */
  ask<N extends HookName>(name: N, payload: HookPayload<N>, signal?: AbortSignal): AsyncGenerator<HookResult<N>>;
  /** True where a hook of this name is registered: what only hooks want to know need not be gathered without one. */
  has(name: HookName): boolean;
  /** Tells the hooks of this name what happened; their answers do not matter. */
  tell<N extends HookName>(name: N, payload: HookPayload<N>): Promise<void>;
  /** True while a hook is being waited for: what it calls must not wait for what waits for it. */
  readonly waiting: boolean;
}

const NAMES: Record<HookName, true> = {
  session_before_compact: true,
  "session.compacting": true,
  session_compact: true,
  session_compact_failed: true,
  session_before_tree: true,
  session_tree: true,
};

interface Registered {
  readonly name: HookName;
  readonly hook: (payload: never) => unknown;
  readonly gate: boolean;
  readonly label: string;
}

/** A registry holding `hooks`, each bounded by `timeout` ms. */
export function createHooks(hooks: Hooks, timeout: number, events: Events): HookRegistry {
  const registered = new Set<Registered>();
  let waiting = 0;

  function add(name: HookName, hook: (payload: never) => unknown, { gate = false }: HookOptions = {}): () => void {
    // A gate that is never asked would let everything pass.
    if (!Object.hasOwn(NAMES, name))
      throw new TypeError(`there is no hook ${name}; there are ${Object.keys(NAMES).join(", ")}`);
    if (typeof hook !== "function") throw new TypeError(`hook ${name} must be a function`);
    const entry = { name, hook, gate, label: hook.name ? `${name} (${hook.name})` : name };
    registered.add(entry);
    return () => void registered.delete(entry);
  }

  async function answer(entry: Registered, payload: unknown, signal?: AbortSignal): Promise<unknown> {
    waiting++;
    try {
      const result = await bounded(() => entry.hook(payload as never), timeout, signal);
      if (result === undefined || (typeof result === "object" && result !== null)) return result;
      throw new Error(`it answered ${typeof result}, not an object`);
    } catch (error) {
      if (signal?.aborted) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      const then = entry.gate ? "the operation is cancelled" : "going on without it";
      events.emit({
        type: "warning",
        warning: { code: "HOOK_FAILED", message: `Hook ${entry.label} failed: ${why}; ${then}.` },
      });
      return entry.gate ? { cancel: true } : undefined;
    } finally {
      waiting--;
    }
  }

  async function* ask<N extends HookName>(name: N, payload: HookPayload<N>, signal?: AbortSignal) {
    for (const entry of [...registered]) {
      if (entry.name !== name || signal?.aborted) continue;
      const result = await answer(entry, payload, signal);
      if (result !== undefined) yield result as HookResult<N>;
    }
  }

  for (const name of Object.keys(hooks) as HookName[]) {
    const given = hooks[name];
    for (const hook of Array.isArray(given) ? given : [given]) if (hook !== undefined) add(name, hook);
  }
  return {
    add,
    ask,
    has: (name) => [...registered].some((entry) => entry.name === name),
    async tell(name, payload) {
      for await (const _ of ask(name, payload));
    },
    get waiting() {
      return waiting > 0;
    },
  };
}

/** What `call` gives; rejects when it takes longer than `timeout` ms or when `signal` aborts first. */
function bounded<T>(call: () => T | Promise<T>, timeout: number, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(() => reject(new Error(`no answer within ${timeout} ms`))), timeout);
    const onAbort = () => done(() => reject(new Error("aborted")));
    const done = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    Promise.resolve()
      .then(call)
      .then(
        (value) => done(() => resolve(value)),
        (error: unknown) => done(() => reject(error)),
      );
  });
}
