// Draws docs/picture.svg: the first screens of what `npm start` really prints. Run after a build: node scripts/picture.mjs
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const COLUMNS = 100;
const COLOURS = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#8b949e",
};
const CELL = { width: 8.43, height: 19 };
const EDGE = 20;
const SHOWN = 66;

const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: "", COLUMNS: String(COLUMNS) };
const printed = execFileSync(process.execPath, ["dist/cli/main.js", "demo"], { cwd: ROOT, env, encoding: "utf8" });
const all = printed.trimEnd().split("\n");
const lines = [...all.slice(0, SHOWN), `\x1b[2m  … ${all.length - SHOWN} more lines\x1b[22m`];

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The runs of one line: text and how it is shown. Codes are closed on the line that opens them. */
function runsOf(line) {
  const look = { bold: false, dim: false, colour: undefined };
  return line.split(/(\x1b\[\d+m)/).flatMap((part) => {
    const code = /^\x1b\[(\d+)m$/.exec(part)?.[1];
    if (code === undefined) return part === "" ? [] : [{ text: part, ...look }];
    if (code === "1") look.bold = true;
    else if (code === "2") look.dim = true;
    else if (code === "22") look.bold = look.dim = false;
    else look.colour = COLOURS[code];
    return [];
  });
}

function spanOf({ text, bold, dim, colour }) {
  const style = [colour && `fill="${colour}"`, bold && 'font-weight="bold"', dim && 'opacity="0.6"'].filter(Boolean);
  return style.length === 0 ? escaped(text) : `<tspan ${style.join(" ")}>${escaped(text)}</tspan>`;
}

const width = Math.ceil(COLUMNS * CELL.width) + 2 * EDGE;
const height = lines.length * CELL.height + 2 * EDGE;
const rows = lines.map((line, row) => {
  const y = EDGE + (row + 0.8) * CELL.height;
  return `<text x="${EDGE}" y="${y.toFixed(1)}" xml:space="preserve">${runsOf(line).map(spanOf).join("")}</text>`;
});
writeFileSync(
  `${ROOT}docs/picture.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="What npm start prints">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${rows.join("\n")}
</g>
</svg>
`,
);
