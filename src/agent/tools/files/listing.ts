import { opendir } from "node:fs/promises";
import { count } from "../answer.ts";
import { checkAborted } from "../interrupt.ts";

const MOST_READ = 20_000;
const MOST_SHOWN = 500;

/** The names in a folder, sorted, folders with a slash at the end; bounded, and says what is left out. */
export async function listFolder(path: string, signal?: AbortSignal): Promise<string> {
  const names: string[] = [];
  let isWhole = true;
  for await (const item of await opendir(path)) {
    checkAborted(signal);
    if (names.length === MOST_READ) {
      isWhole = false;
      break;
    }
    const name = /[\x00-\x1f\x7f]/.test(item.name) ? JSON.stringify(item.name) : item.name;
    names.push(item.isDirectory() ? `${name}/` : item.isSymbolicLink() ? `${name} (link)` : name);
  }
  if (names.length === 0) return "(empty folder)";
  names.sort();
  const shown = names.slice(0, MOST_SHOWN).join("\n");
  if (!isWhole)
    return `${shown}\n[${count(MOST_SHOWN, "name")} of more than ${count(MOST_READ, "name")}; use bash to list others]`;
  if (names.length <= MOST_SHOWN) return shown;
  return `${shown}\n[${count(MOST_SHOWN, "name")} of ${names.length.toLocaleString("en-US")}; use bash to list others]`;
}
