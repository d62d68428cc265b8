/** What a tool does to the files that its arguments name. */
export type FileEffect = "read" | "modified";

/** Tools that touch files, by name in lower case without `_`, `-` and the prefix of an MCP server [F1]. */
export const FILE_TOOLS: ReadonlyMap<string, FileEffect> = new Map([
  ...effect("read", ["read", "readfile", "readtextfile", "readmediafile", "readmanyfiles", "readmultiplefiles"]),
  ...effect("read", ["view", "viewfile", "viewimage", "openfile", "notebookread"]),
  ...effect("modified", ["write", "writefile", "createfile", "writetofile", "appendfile"]),
  ...effect("modified", ["edit", "editfile", "multiedit", "multieditfile", "notebookedit", "replace", "replaceinfile"]),
  ...effect("modified", ["strreplace", "searchreplace", "insert", "applydiff", "deletefile"]),
]);

/** Editors that do several things; the argument `command` says which. */
export const EDITOR_TOOLS: ReadonlySet<string> = new Set([
  "strreplaceeditor",
  "strreplacebasededittool",
  "filewriteeditor",
  "fileeditor",
]);

export const EDITOR_COMMANDS: ReadonlyMap<string, FileEffect> = new Map([
  ...effect("read", ["view"]),
  ...effect("modified", ["create", "str_replace", "insert", "undo_edit", "delete"]),
]);

/** Tools whose text may hold a patch between `*** Begin Patch` and `*** End Patch`. */
export const PATCH_TOOLS: ReadonlySet<string> = new Set([
  "applypatch",
  "patch",
  "shell",
  "shellcommand",
  "execcommand",
  "localshell",
  "containerexec",
  "bash",
]);

/** Arguments that name one file or a list of them. */
export const PATH_KEYS: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "filepath",
  "notebook_path",
  "notebookPath",
  "target_file",
  "absolute_path",
  "file",
  "filename",
  "paths",
  "file_paths",
];

/** Arguments that hold a list of objects, each of which may name a file. */
export const LIST_KEYS: readonly string[] = ["edits", "files"];

/** The name under which `FILE_TOOLS` lists a tool: `mcp__fs__read_file` and `ReadFile` are both `readfile`. */
export function toolKey(name: string): string {
  return (name.split(/__|\./).at(-1) ?? name).replace(/[_-]/g, "").toLowerCase();
}

function effect(kind: FileEffect, names: readonly string[]): [string, FileEffect][] {
  return names.map((name) => [name, kind]);
}
