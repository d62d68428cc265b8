import {
  compact,
  prepareCompaction,
} from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/compaction/index.js";
import { entries, KEEP_TOKENS, piModel } from "../conversation.mjs";

/** pi's compaction of the conversation: what the history holds afterwards besides what is kept. */
export async function compacted(baseUrl) {
  const settings = { enabled: true, reserveTokens: 16_384, keepRecentTokens: KEEP_TOKENS };
  const { summary } = await compact(prepareCompaction(entries, settings), piModel(baseUrl), "key");
  return { summary };
}
