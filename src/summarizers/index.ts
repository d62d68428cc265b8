/** Those who write summaries. Put together they are one: `fallbackSummarizer([llmSummarizer(model)], { last: … })`. */
export { embeddedSummarizer } from "./embedded.ts";
export { type FallbackOptions, fallbackSummarizer } from "./fallback.ts";
export { type LlmOptions, llmSummarizer } from "./llm.ts";
