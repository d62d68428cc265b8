/**
 * How far a match can be trusted: `exact` names the context and its limit, `phrase` is a provider's own wording,
 * `weak` is wording that others use for something else.
 */
export type Reliability = "exact" | "phrase" | "weak";

/** One wording that means: the request does not fit into the context [T4]. */
export interface OverflowRow {
  readonly provider: string;
  readonly sample: string;
  /** Groups `limit`, `sent`, `output` and `total` (sent + output) are read as tokens. */
  readonly pattern: RegExp;
  readonly reliability: Reliability;
  /** The wording means this only from such a provider. */
  readonly only?: RegExp;
}

/**
 * Every known wording of an overflow, the first match rules [T4].
 *
 * Gaps in the patterns are bounded and stay in their line, so that no text makes them slow.
 */
export const OVERFLOW_ROWS: readonly OverflowRow[] = [
  {
    provider: "Anthropic",
    sample: "prompt is too long: 213462 tokens > 200000 maximum",
    pattern: /prompt is too long(?:: (?<sent>\d[\d,]*) tokens > (?<limit>\d[\d,]*))?/i,
    reliability: "exact",
  },
  {
    provider: "Anthropic, with the reply",
    sample: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
    pattern: /exceed context limit: (?<sent>\d[\d,]*) ?\+ ?(?<output>\d[\d,]*) ?> ?(?<limit>\d[\d,]*)/i,
    reliability: "exact",
  },
  {
    provider: "Bedrock",
    sample: "ValidationException: Input is too long for requested model.",
    pattern: /input is too long for requested model/i,
    reliability: "phrase",
  },
  {
    provider: "OpenAI",
    sample: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    pattern: /exceeds the context window/i,
    reliability: "phrase",
  },
  {
    provider: "vLLM",
    sample:
      "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 4000 input tokens (8000 > 8192 - 4000).",
    pattern:
      /is too large: (?<output>\d[\d,]*)\. This model's maximum context length is (?<limit>\d[\d,]*) tokens and your request has (?<sent>\d[\d,]*) input tokens/i,
    reliability: "exact",
  },
  {
    provider: "OpenAI-compatible",
    sample: "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    pattern: /exceeds (?:the )?(?:model'?s )?maximum context length of (?<limit>\d[\d,]*)/i,
    reliability: "exact",
  },
  {
    provider: "OpenAI-compatible, in parentheses",
    sample: "Input length (265330) exceeds model's maximum context length (262144).",
    pattern:
      /(?:input length \((?<sent>\d[\d,]*)\) )?exceeds (?:the )?(?:model'?s )?maximum context length ?\((?<limit>\d[\d,]*)\)/i,
    reliability: "exact",
  },
  {
    provider: "LiteLLM",
    sample: "litellm.ContextWindowExceededError: Context Window exceeded for given call.",
    pattern: /context ?window ?exceeded/i,
    reliability: "phrase",
  },
  {
    provider: "Google",
    sample: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    pattern:
      /input token count (?:\((?<sent>\d[\d,]*)\) |of (?:\d[\d,]*) )?exceeds the maximum(?: number of tokens allowed \(?(?<limit>\d[\d,]*))?/i,
    reliability: "exact",
  },
  {
    provider: "xAI",
    sample: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    pattern: /maximum prompt length is (?<limit>\d[\d,]*)(?: tokens)?(?: but the request contains (?<sent>\d[\d,]*))?/i,
    reliability: "exact",
  },
  {
    provider: "Groq",
    sample: "Please reduce the length of the messages or completion.",
    pattern: /reduce the length of the messages/i,
    reliability: "phrase",
  },
  {
    provider: "OpenRouter",
    sample:
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131072 in the output).",
    pattern:
      /maximum context length is (?<limit>\d[\d,]*) tokens(?:[^\n]{0,20}you requested (?:about )?(?<total>\d[\d,]*) tokens(?: \((?<sent>\d[\d,]*) (?:of text input|in the messages),[^)\n]{0,40}? (?<output>\d[\d,]*) in the (?:output|completion))?)?/i,
    reliability: "exact",
  },
  {
    provider: "Poolside",
    sample: "Input length 140000 exceeds the maximum allowed input length of 131040 tokens.",
    pattern: /(?:input length (?<sent>\d[\d,]*) )?exceeds (?:the )?maximum allowed input length of (?<limit>\d[\d,]*)/i,
    reliability: "exact",
  },
  {
    provider: "Together",
    sample: "The input (140000 tokens) is longer than the model's context length (131072 tokens).",
    pattern:
      /input \((?<sent>\d[\d,]*) tokens\) is longer than the model'?s context length(?: \((?<limit>\d[\d,]*) tokens\))?/i,
    reliability: "exact",
  },
  {
    provider: "Copilot",
    sample: "prompt token count of 130123 exceeds the limit of 128000",
    pattern: /(?:token count of (?<sent>\d[\d,]*) )?exceeds the limit of (?<limit>\d[\d,]*)/i,
    reliability: "phrase",
  },
  {
    provider: "Ollama",
    sample: "prompt too long; exceeded max context length by 4021 tokens",
    pattern: /exceeded (?:max )?context length|prompt filled the context window/i,
    reliability: "phrase",
  },
  {
    provider: "llama.cpp, structured",
    sample: '{"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}',
    pattern:
      /exceed_context_size_error(?:[^}\n]{0,60}"n_prompt_tokens": ?(?<sent>\d+)[^}\n]{0,20}"n_ctx": ?(?<limit>\d+))?/i,
    reliability: "exact",
  },
  {
    provider: "llama.cpp",
    sample: "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
    pattern:
      /(?:request \((?<sent>\d[\d,]*) tokens\) )?exceeds the available context size(?: \((?<limit>\d[\d,]*) tokens\))?/i,
    reliability: "exact",
  },
  {
    provider: "llama.cpp, requested tokens",
    sample: "Requested tokens (5021) exceed context window of 4096",
    pattern:
      /requested tokens(?: \((?<sent>\d[\d,]*)\))?(?: are)? (?:exceeds?|greater than)[^\n]{0,40}(?:context|n_ctx)(?:[^\d\n]{0,12}(?<limit>\d[\d,]*))?/i,
    reliability: "exact",
  },
  {
    provider: "llama.cpp, too large",
    sample: "input is too large to fit into n_ctx; increase it",
    pattern: /(?:prompt|input)(?: is)? too (?:long|large)[^\n]{0,40}(?:context|n_ctx)/i,
    reliability: "phrase",
  },
  {
    provider: "LM Studio",
    sample: "The number of tokens to keep from the initial prompt is greater than the context length.",
    pattern: /greater than the context length/i,
    reliability: "phrase",
  },
  {
    provider: "MiniMax",
    sample: "invalid params, context window exceeds limit (2013)",
    pattern: /context window exceeds limit/i,
    reliability: "phrase",
  },
  {
    provider: "Kimi",
    sample: "Your request exceeded model token limit: 262144 (requested: 291351)",
    pattern: /exceeded model token limit(?:: (?<limit>\d[\d,]*)(?: \(requested: (?<sent>\d[\d,]*))?)?/i,
    reliability: "exact",
  },
  {
    provider: "Mistral",
    sample: "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    pattern:
      /(?:prompt contains (?<sent>\d[\d,]*) tokens[^\n]{0,40})?too large for model with (?<limit>\d[\d,]*) maximum context length/i,
    reliability: "exact",
  },
  {
    provider: "DS4",
    sample: "Prompt has 140000 tokens, but the configured context size is 131072 tokens",
    pattern:
      /prompt has (?<sent>\d[\d,]*) tokens?, but (?:the )?configured context size is (?<limit>\d[\d,]*) tokens?/i,
    reliability: "exact",
  },
  {
    provider: "z.ai, finish reason",
    sample: "Provider finish_reason: model_context_window_exceeded",
    pattern: /model_context_window_exceeded/i,
    reliability: "exact",
  },
  {
    provider: "z.ai",
    sample: '{"code":"1261","message":"Prompt too long"}',
    pattern: /prompt too long/i,
    reliability: "phrase",
  },
  {
    provider: "z.ai, China",
    sample: '{"code":"1261","message":"Prompt exceeds max length"}',
    pattern: /prompt exceeds max length/i,
    reliability: "phrase",
  },
  {
    provider: "DashScope",
    sample: "Range of input length should be [1, 129024]",
    pattern: /range of input length should be(?: \[\d+, ?(?<limit>\d[\d,]*)\])?/i,
    reliability: "exact",
  },
  {
    provider: "message count",
    sample: "Chat history exceeds the 1000-message limit",
    pattern: /chat history exceeds the \d[\d,]*-message limit/i,
    reliability: "phrase",
  },
  {
    provider: "any, by code",
    sample: '{"error":{"code":"context_length_exceeded"}}',
    pattern: /context[_ ](?:length|window)[_ ]exceeded/i,
    reliability: "phrase",
  },
  {
    provider: "any, token limit",
    sample: "Token limit exceeded.",
    pattern: /token limit exceeded/i,
    reliability: "weak",
  },
  {
    provider: "any, too many tokens",
    sample: "The request holds too many tokens.",
    pattern: /too many tokens/i,
    reliability: "weak",
  },
  {
    provider: "local servers",
    sample: "context size of this server was exceeded",
    pattern: /context (?:window|length|size)[^\n]{0,40}(?:exceeded|overflow|too small)/i,
    reliability: "weak",
  },
  {
    provider: "Cerebras",
    sample: "400 status code (no body)",
    pattern: /\b4(?:00|13)\b(?: status code)? ?\(no body\)/i,
    reliability: "weak",
    only: /cerebras/i,
  },
];
