import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { Session } from "../../engine/session.ts";
import { createEditTool } from "./files/edit.ts";
import { createReadTool } from "./files/read.ts";
import { openWorkspace } from "./files/workspace.ts";
import { createWriteTool } from "./files/write.ts";
import { type Ask, createPermission } from "./permission/permission.ts";
import { createRecallTool } from "./recall.ts";
import { createBashTool } from "./shell/bash.ts";
import type { Environment } from "./shell/environment.ts";
import { createTurns } from "./turns.ts";

export { createCompactTool } from "./compact.ts";
export type { Ask, PermissionAnswer, PermissionRequest } from "./permission/permission.ts";
export type { Environment } from "./shell/environment.ts";

export interface ToolOptions {
  /** The folder that the tools work in and stay in. */
  readonly cwd: string;
  /** Where `recall` looks. */
  readonly session: Pick<Session, "recall">;
  /** Rules for what need not be asked: `write`, `edit`, `bash`, `bash(npm test)`, `bash(git status*)`, `write(src/**)`. */
  readonly allow?: readonly string[];
  /** Nothing is asked. */
  readonly allowAll?: boolean;
  /** Further folders that paths may lead to. */
  readonly roots?: readonly string[];
  /** Asks the user; without it what no rule allows is denied. */
  readonly ask?: Ask;
  /** Variables for commands, over those of this process; undefined takes one away. */
  readonly env?: Environment;
  /** Names of variables that commands don't get, `*` for any characters, as `*_API_KEY`. */
  readonly hideEnv?: readonly string[];
}

/**
 * The tools `read`, `write`, `edit`, `bash` and `recall` for pi's agent loop.
 *
 * Throws `SETTING_INVALID` for what is no rule, a `TypeError` when `cwd` does not exist.
 */
export function createTools({ cwd, session, roots, env, hideEnv, allow, allowAll, ask }: ToolOptions): AgentTool[] {
  const workspace = openWorkspace({ cwd, ...(roots && { roots }) });
  const permit = createPermission({
    cwd: workspace.cwd,
    ...(allow && { allow }),
    ...(allowAll !== undefined && { allowAll }),
    ...(ask && { ask }),
  });
  const work = { workspace, permit, inTurn: createTurns() };
  return [
    createReadTool(workspace),
    createWriteTool(work),
    createEditTool(work),
    createBashTool({ cwd: workspace.cwd, permit, ...(env && { env }), ...(hideEnv && { hideEnv }) }),
    createRecallTool(session),
  ];
}
