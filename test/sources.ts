import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The repository's root, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Texts of the files below `folder` whose names end in `suffix`, by path relative to `folder`. */
export function filesBelow(folder: string, suffix: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!item.isFile() || !item.name.endsWith(suffix)) continue;
    const at = `${item.parentPath}/${item.name}`;
    files.set(at.slice(folder.length).replace(/^\//, ""), readFileSync(at, "utf8"));
  }
  return files;
}
