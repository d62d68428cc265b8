import { type Row, SETTINGS } from "./table.ts";

/** A JSON Schema, as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

interface Group {
  readonly [name: string]: Row | Group;
}

/**
 * The JSON Schema of a settings file, for editors [E1].
 *
 * Draft 2020-12; every key with its type, limits, default and sentence. Unknown keys are left to the program's warning.
 */
export function settingsSchema(): JsonSchema {
  const properties = schemaOf(groups()).properties as JsonSchema;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Espalier settings",
    type: "object",
    properties: { $schema: { type: "string" }, ...properties },
  };
}

function groups(): Group {
  const root: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(SETTINGS)) {
    const names = key.split(".");
    const last = names.pop() as string;
    let group = root;
    for (const name of names) {
      group[name] ??= {};
      group = group[name] as Record<string, unknown>;
    }
    group[last] = row;
  }
  return root as Group;
}

function schemaOf(group: Group): JsonSchema {
  const properties = Object.entries(group).map(([name, part]) => [
    name,
    isRow(part) ? rowSchema(part) : schemaOf(part),
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

const isRow = (part: Row | Group): part is Row => typeof part.kind === "string";

function rowSchema(row: Row): JsonSchema {
  const description = row.unit ? `${row.sentence} In ${row.unit}.` : row.sentence;
  const common = { description, ...(row.default !== undefined && { default: row.default }) };
  switch (row.kind) {
    case "boolean":
      return { type: "boolean", ...common };
    case "choice":
      return { enum: row.choices, ...common };
    case "text":
      return { type: "string", minLength: 1, ...common };
    case "names":
      return { type: "array", items: { type: "string", minLength: 1 }, ...common };
    case "models":
      return { type: "array", items: MODEL, ...common };
    case "overrides":
      return { type: "object", additionalProperties: { type: "object" }, ...common };
    case "integer":
    case "number":
      return { type: row.kind, minimum: row.min, ...(row.max !== undefined && { maximum: row.max }), ...common };
  }
}

const MODEL: JsonSchema = {
  type: "object",
  required: ["provider", "id"],
  properties: {
    provider: { type: "string" },
    id: { type: "string" },
    baseUrl: { type: "string" },
    api: { enum: ["openai-chat", "openai-responses", "anthropic", "google"] },
    apiKeyEnv: { type: "string" },
    contextWindow: { type: "integer", minimum: 1 },
    maxTokens: { type: "integer", minimum: 1 },
    reasoning: { type: "boolean" },
    cost: { type: "object" },
  },
};
