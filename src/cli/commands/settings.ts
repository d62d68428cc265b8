import { settingsSchema } from "../../core/settings/schema.ts";
import { allowedValues, SETTINGS, type SettingKey } from "../../core/settings.ts";
import type { Command } from "../answer.ts";
import { thousands } from "../render/number.ts";
import { titleLine } from "../render/page.ts";
import { plain } from "../render/plain.ts";
import { table } from "../render/table.ts";
import { hereAndNow, projectFile, userFile, variableOf } from "../settings.ts";

/** Shows the effective settings, where each comes from, and where else it could be set [E1, E2]. */
export const settings: Command = async ({ flags, settings: { settings, origins } }) => {
  if (flags.schema) {
    const schema = settingsSchema();
    return {
      document: schema,
      warnings: [],
      *lines() {
        yield JSON.stringify(schema, null, 2);
      },
    };
  }
  const keys = Object.keys(SETTINGS) as SettingKey[];
  const here = hereAndNow();
  const files = { user: userFile(here), project: projectFile(here) ?? null };
  return {
    document: {
      settings: keys.map((key) => ({
        key,
        value: settings[key] ?? null,
        origin: origins[key],
        allowed: allowedValues(key),
        variable: variableOf(key),
      })),
      files,
    },
    warnings: [],
    *lines(screen) {
      yield titleLine(screen, "Effective settings", "defaults < user file < project file < environment < flags");
      yield "";
      const columns = [
        { title: "setting" },
        { title: "value", align: "right" },
        { title: "from" },
        { title: "what it does", fills: true, tint: "dim" },
      ] as const;
      const rows = keys.map((key) => [key, shown(settings[key]), plain(origins[key]), SETTINGS[key].sentence]);
      yield* table(screen, columns, rows, (cells, column) =>
        column === 2 && cells[2] !== "default" ? "green" : undefined,
      );
      yield "";
      yield `  user file     ${plain(files.user)}`;
      yield `  project file  ${files.project ? plain(files.project) : ".espalier/settings.json (none found from here up)"}`;
      yield `  environment   ${variableOf("compaction.keepRecentTokens")}=8000 and so on, one variable a setting`;
    },
  };
};

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(named).join(", ");
  if (typeof value === "object" && value !== null) return byPattern(value);
  return typeof value === "number" ? thousands(value) : value === undefined ? "–" : plain(String(value));
}

function byPattern(overrides: object): string {
  const patterns = Object.keys(overrides);
  return patterns.length === 0 ? "–" : plain(patterns.join(", "));
}

const named = (item: unknown): string => {
  const { provider, id } = item as { provider?: unknown; id?: unknown };
  return plain(typeof item === "string" ? item : `${provider}/${id}`);
};
