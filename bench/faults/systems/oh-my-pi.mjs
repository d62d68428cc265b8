import { compact, prepareCompaction } from "../../node_modules/@oh-my-pi/pi-agent-core/src/compaction/index.ts";
import { buildModel } from "../../node_modules/@oh-my-pi/pi-catalog/src/build.ts";
import { entries, KEEP_TOKENS, piModel } from "../conversation.mjs";

/** oh-my-pi's compaction of the conversation; needs Bun. */
export async function compacted(baseUrl) {
  const settings = { enabled: true, reserveTokens: 16_384, keepRecentTokens: KEEP_TOKENS, remoteEnabled: false };
  const { summary } = await compact(prepareCompaction(entries, settings), buildModel(piModel(baseUrl)), "key");
  return { summary };
}
