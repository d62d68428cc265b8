/** Arguments of a call as an object; the loop has checked them by the schema, another caller may not have. */
export function argumentsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw new Error("The arguments must be an object; see the tool's parameters.");
}

/** The text under `key`; throws where it is missing. */
export function requiredText(args: Readonly<Record<string, unknown>>, key: string): string {
  const value = args[key];
  if (typeof value === "string") return value;
  throw new Error(`The argument ${key} is missing; give it as text.`);
}

/** The text under `key`; undefined where it is missing or blank. */
export function optionalText(args: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = args[key];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The whole number of at least 1 under `key`; undefined where there is none. */
export function optionalCount(args: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = Number(args[key] ?? Number.NaN);
  return Number.isFinite(value) ? Math.max(1, Math.floor(value)) : undefined;
}
