/** The pure functions below the front door, for those who bring their own loop and store. */
export { compactionEntry } from "./commit/compaction-entry.ts";
export { checkPlanFresh } from "./commit/fresh.ts";
export { bpeCounter } from "./context/bpe.ts";
export { explain } from "./context/explain.ts";
export { createLiveScan } from "./context/live.ts";
export { buildSessionContext, projectContext } from "./context/project.ts";
export { convertToLlm } from "./context/render.ts";
export { chars4, estimateContext, estimateMessage, scriptCounter } from "./context/tokens.ts";
export { extractSummary } from "./extract/extract.ts";
export { prepareCompaction } from "./plan/compaction.ts";
export { findCutPoint } from "./plan/cut-point.ts";
export { Tree } from "./session/tree.ts";
export { DEFAULT_SETTINGS, resolveSettings, SETTINGS } from "./settings.ts";
export { mergeSummary, stripEngineParts } from "./summary/merge.ts";
export { shortRequest, summaryRequests } from "./summary/requests.ts";
export { serializeConversation } from "./summary/transcript.ts";
export { decide, limits } from "./trigger/decide.ts";
export { measureContext } from "./trigger/measure.ts";
