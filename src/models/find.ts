import { editDistance, type ModelDefinition } from "../core/settings.ts";
import { EspalierError } from "../errors.ts";
import { type Environment, keyMissing, ownServerKey } from "./keys.ts";
import {
  type Api,
  loadApi,
  loadCatalogue,
  loadModels,
  MODEL_APIS,
  type ModelApi,
  PI_API,
  type PiModel,
} from "./pi-ai.ts";

/** Which model is meant, and where it is. */
export interface ModelChoice {
  /** `provider/id`. */
  readonly model: string;
  /** A server of one's own; with it the wire format is needed, unless the model is a known one. */
  readonly baseUrl?: string;
  readonly api?: ModelApi;
  /** The variable that holds the key for it. */
  readonly apiKeyEnv?: string;
  /** Of a model that no table knows; 32,768 when nobody says. */
  readonly contextWindow?: number;
  /** The setting `models`. */
  readonly definitions?: readonly ModelDefinition[];
  readonly env: Environment;
}

type Models = ReturnType<Awaited<ReturnType<typeof loadModels>>["createModels"]>;

/** A model that can be asked. `priced` says that its costs are known; `secrets` must not be shown. */
export interface FoundModel {
  readonly model: PiModel<Api>;
  readonly models: Models;
  readonly apiKey?: string;
  readonly priced: boolean;
  readonly secrets: readonly string[];
}

const DEFAULT_WINDOW = 32_768;
/** Who asks. No attribution, whatever the caller's own says. */
export const IDENTITY = { userAgent: { custom: "espalier" }, attribution: null };
/** What the servers that people run themselves understand. */
const PLAIN_CHAT = {
  supportsStore: false,
  supportsDeveloperRole: false,
  supportsReasoningEffort: false,
  maxTokensField: "max_tokens",
} as const;

/**
 * The model that a choice means: one defined in the settings, one at a URL, or one of the catalogue, in this order.
 *
 * Rejects `MODEL_UNKNOWN` with what is like it, `KEY_MISSING` with the variable to set, `USAGE` for a URL without a wire
 * format, `PACKAGE_MISSING`.
 */
export async function findModel(choice: ModelChoice): Promise<FoundModel> {
  const { provider, id } = parted(choice.model);
  const defined = choice.definitions?.find((row) => row.provider === provider && row.id === id);
  const baseUrl = choice.baseUrl ?? defined?.baseUrl;
  if (baseUrl === undefined) return fromCatalogue(choice, provider, id, defined);
  const known = choice.api || defined?.api ? undefined : (await catalogue(choice.env)).getModel(provider, id);
  const api = choice.api ?? defined?.api ?? MODEL_APIS.find((name) => PI_API[name] === known?.api);
  if (!api) {
    const message = `${choice.model} at ${hostOf(baseUrl)} needs its wire format: --api ${MODEL_APIS.join("|")}.`;
    throw new EspalierError("USAGE", message, { model: choice.model, allowed: MODEL_APIS });
  }
  const apiKey = ownServerKey(choice.model, checkedUrl(baseUrl), choice.apiKeyEnv ?? defined?.apiKeyEnv, choice.env);
  const contextWindow = defined?.contextWindow ?? known?.contextWindow ?? choice.contextWindow ?? DEFAULT_WINDOW;
  const model: PiModel<Api> = {
    name: id,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    maxTokens: Math.floor(contextWindow / 2),
    ...(api === "openai-chat" && { compat: PLAIN_CHAT }),
    ...known,
    ...partsOf(defined),
    id,
    provider,
    api: PI_API[api],
    baseUrl: baseUrl.replace(/\/+$/, ""),
    contextWindow,
  };
  const { createModels, createProvider } = await loadModels();
  const models = createModels({ identity: IDENTITY });
  const auth = { apiKey: { name: "key", resolve: async () => ({ auth: { apiKey }, source: "environment" }) } };
  models.setProvider(createProvider({ id: provider, baseUrl, auth, models: [model], api: await loadApi(api) }));
  const priced = known !== undefined || defined?.cost !== undefined;
  return { model, models, apiKey, priced, secrets: [apiKey] };
}

async function fromCatalogue(
  choice: ModelChoice,
  provider: string,
  id: string,
  defined: ModelDefinition | undefined,
): Promise<FoundModel> {
  const { env } = choice;
  const asked: string[] = [];
  const models = await catalogue(env, asked);
  const known = models.getModel(provider, id) ?? (defined && models.getModels(provider)[0]);
  if (!known) throw unknown(choice.model, models);
  const model: PiModel<Api> = { ...known, ...(defined && { name: id, id, ...partsOf(defined) }) };
  const variable = choice.apiKeyEnv ?? defined?.apiKeyEnv;
  if (variable !== undefined) {
    const apiKey = env[variable]?.trim();
    if (!apiKey) throw keyMissing(choice.model, [variable]);
    return { model, models, apiKey, priced: true, secrets: [apiKey] };
  }
  const found = await models.getAuth(known);
  if (!found) throw keyMissing(choice.model, [...new Set(asked)]);
  const { apiKey, headers = {} } = found.auth;
  const secrets = [apiKey, ...Object.values(headers)].filter((value) => typeof value === "string");
  return { model, models, priced: true, secrets };
}

/** The catalogue over `env`; the variables that it asks for are added to `asked`. */
async function catalogue(env: Environment, asked: string[] = []): Promise<Models> {
  const { builtinModels } = await loadCatalogue();
  const authContext = {
    async env(name: string) {
      asked.push(name);
      return env[name]?.trim() || undefined;
    },
    fileExists: async () => false,
  };
  return builtinModels({ identity: IDENTITY, authContext });
}

/** What a definition says about a model, by pi-ai's names. */
function partsOf(defined: ModelDefinition | undefined): Partial<PiModel<Api>> {
  if (!defined) return {};
  const { contextWindow, maxTokens, reasoning, cost } = defined;
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
    ...(cost && { cost: { cacheRead: 0, cacheWrite: 0, ...cost } }),
  };
}

function parted(name: string): { provider: string; id: string } {
  const [, provider = "", id = ""] = /^([^/]+)\/(.+)$/.exec(name.trim()) ?? [];
  if (id !== "") return { provider, id };
  const message = `"${name}" is no model: write provider/id, as in anthropic/claude-sonnet-4-5.`;
  throw new EspalierError("MODEL_UNKNOWN", message, { model: name });
}

function unknown(name: string, models: Models): EspalierError {
  const { provider, id } = parted(name);
  const ids = models.getModels(provider).map((model) => model.id);
  const providers = models.getProviders().map((known) => known.id);
  const others = 'Others are given by --base-url and --api or in the setting "models".';
  const near = nearest(ids.length > 0 ? id : provider, ids.length > 0 ? ids : providers);
  const message =
    ids.length > 0
      ? `${provider} has no model "${id}" that is known here; like it are ${near.join(", ")}. ${others}`
      : `No provider "${provider}" is known; like it are ${near.join(", ")}. ${others}`;
  return new EspalierError("MODEL_UNKNOWN", message, { model: name, near });
}

function nearest(name: string, known: readonly string[]): string[] {
  return [...known].sort((a, b) => editDistance(name, a) - editDistance(name, b)).slice(0, 3);
}

function checkedUrl(baseUrl: string): string {
  if (URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)) return baseUrl;
  throw new EspalierError("USAGE", "A base URL begins with http:// or https://, as in http://127.0.0.1:11434/v1.", {});
}

/** Without user and password. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "its URL");
