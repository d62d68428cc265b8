/** Those who write summaries. Put together they are one: `fallbackSummarizer([llmSummarizer(model)], { last: … })`. */
export { embeddedSummarizer } from "./embedded.ts";
export { type FallbackOptions, fallbackSummarizer } from "./fallback.ts";
export { type LlmOptions, llmSummarizer } from "./llm.ts";
export { remoteSummarizer } from "./remote.ts";
export { secretFinder } from "./secrets/find.ts";
export { redactingModel } from "./secrets/redacting.ts";
