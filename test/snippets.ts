import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./sources.ts";

/** A piece of TypeScript that uses the package as its users do: `import … from "espalier"`. `name` has no extension. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};

/**
 * Compiles snippets against the built package and gives the complaints of the compiler, and a function that runs one.
 *
 * The files stand in dist for the time of the test, inside the package, so that it resolves its own name. Each run has
 * a folder of its own that holds the example session as `session.jsonl`.
 */
export function compile(snippets: readonly Snippet[]) {
  if (!existsSync(`${ROOT}dist/index.d.ts`)) throw new Error("The package is not built: npm run build.");
  const folder = mkdtempSync(`${ROOT}dist/snippets-`);
  const sources = snippets.map(({ name, code }) => {
    const path = join(folder, `${name}.mts`);
    writeFileSync(path, code);
    return path;
  });
  const program = ts.createProgram(sources, OPTIONS);
  const complaints = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file?.fileName.split("/").at(-1) ?? "";
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  program.emit();
  return {
    complaints,
    run: (name: string) => runNode(join(folder, `${name}.mjs`)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** What a script printed, and why it failed; `error` is empty when it ended well. */
function runNode(script: string): { output: string; error: string } {
  const cwd = mkdtempSync(join(tmpdir(), "espalier-snippet-"));
  copyFileSync(`${ROOT}examples/session/espalier.jsonl`, join(cwd, "session.jsonl"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd, encoding: "utf8" });
  rmSync(cwd, { recursive: true });
  return { output: stdout, error: status === 0 ? "" : stderr || `exit ${status}` };
}
