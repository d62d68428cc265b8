import { EspalierError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** For servers of one's own; a provider's usual variable is never sent to another host. */
const OWN_SERVER_KEY = "ESPALIER_API_KEY";
/** Most client libraries refuse an empty key. */
const NO_KEY = "none";

/**
 * The key for a server of one's own: from the variable named, else `ESPALIER_API_KEY`; none is needed on loopback.
 *
 * Throws `KEY_MISSING`, naming the variable.
 */
export function ownServerKey(model: string, baseUrl: string, variable: string | undefined, env: Environment): string {
  const key = env[variable ?? OWN_SERVER_KEY]?.trim();
  if (key) return key;
  if (variable === undefined && isLoopback(baseUrl)) return NO_KEY;
  throw keyMissing(model, [variable ?? OWN_SERVER_KEY]);
}

/** The error for a key that is not in the environment. */
export function keyMissing(model: string, variables: readonly string[]): EspalierError {
  const names = variables.length > 0 ? variables.join(" or ") : "the provider's variable";
  return new EspalierError("KEY_MISSING", `There is no key for ${model}: set ${names} in the environment.`, {
    model,
    variables,
  });
}

/** `text` with each of `secrets` replaced: what a server sends back may quote the key that it was sent. */
export function withoutKeys(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) if (secret.length > 5) masked = masked.replaceAll(secret, "[key]");
  // OpenAI's own form of a masked key still shows its ends.
  return masked.replace(/\b(?:sk|key|AIza)[-\w]*\*{3,}[-\w]*/g, "[key]");
}

/** True for a URL of this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  );
}
