import { constants } from "node:fs";
import { access, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, fileFault } from "../fault.ts";
import { checkAborted } from "../interrupt.ts";
import { draftName, sweepDrafts } from "./draft.ts";
import type { Place, Workspace } from "./workspace.ts";

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Nothing; puts `text` in the place of a file, or makes the file and its folders.
 *
 * The file appears whole or not at all: a draft beside it takes its name, with the mode of the old one. Rejects where the
 * place is no regular file or may not be written.
 */
export async function replaceFile(
  workspace: Workspace,
  { path, shown }: Place,
  text: string,
  signal?: AbortSignal,
): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, draftName());
  try {
    await mkdir(folder, { recursive: true });
    const mode = await modeOf(path, shown);
    await workspace.confirm(folder);
    await sweepDrafts(folder);
    const file = await open(draft, NEW_FILE, mode ?? 0o666);
    try {
      await file.writeFile(text, "utf8");
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
    await workspace.confirm(folder);
    checkAborted(signal);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw fileFault(error, shown, "Nothing was written.");
  }
}

async function modeOf(path: string, shown: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) {
      throw new Error(
        `${shown} is ${found.isDirectory() ? "a folder" : "not a regular file"}; give the path of a file.`,
      );
    }
    await access(path, constants.W_OK);
    return found.mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
