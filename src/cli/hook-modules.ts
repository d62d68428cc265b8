import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { EspalierError } from "../errors.ts";
import type { Hook, HookName, Hooks } from "../ports/hooks.ts";

const NAMES: ReadonlySet<string> = new Set<HookName>([
  "session_before_compact",
  "session.compacting",
  "session_compact",
  "session_compact_failed",
  "session_before_tree",
  "session_tree",
]);

/**
 * The hooks of modules that the user's settings name, in their order [H1, H2].
 *
 * A module exports an object of hooks by their names, as `default` or `hooks`. Paths are absolute or begin with `~/`.
 * Rejects `SETTING_INVALID` for a module that can't be loaded or exports something else.
 */
export async function loadHooks(modules: readonly string[]): Promise<Hooks> {
  const hooks: Record<string, Hook<HookName>[]> = {};
  for (const module of modules) {
    for (const [name, given] of Object.entries(await exported(module))) {
      if (!NAMES.has(name)) throw wrong(module, `it exports "${name}", which is no hook`);
      for (const hook of Array.isArray(given) ? given : [given]) {
        if (typeof hook !== "function") throw wrong(module, `its ${name} is no function`);
        hooks[name] ??= [];
        hooks[name].push(hook as Hook<HookName>);
      }
    }
  }
  return hooks as Hooks;
}

async function exported(module: string): Promise<Record<string, unknown>> {
  const path = module.replace(/^~(?=\/)/, homedir());
  if (!isAbsolute(path)) throw wrong(module, "its path is not absolute");
  let loaded: { default?: unknown; hooks?: unknown };
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw wrong(module, cause instanceof Error ? cause.message : String(cause), cause);
  }
  const hooks = loaded.default ?? loaded.hooks;
  if (typeof hooks !== "object" || hooks === null) throw wrong(module, "it exports no object of hooks");
  return hooks as Record<string, unknown>;
}

function wrong(module: string, why: string, cause?: unknown): EspalierError {
  const message = `hooks.modules: ${module} cannot be used: ${why}. Correct the setting or the module.`;
  return new EspalierError("SETTING_INVALID", message, { module }, cause);
}
