import { checkPlanFresh } from "../core/commit/fresh.ts";
import { projectContext } from "../core/context/project.ts";
import { estimateContext } from "../core/context/tokens.ts";
import type { CompactionPlan } from "../core/plan/plan.ts";
import { EspalierError } from "../errors.ts";
import type { CompactionOutcome } from "./outcome.ts";
import { readBoard } from "./pin-board.ts";
import type { SessionState } from "./state.ts";
import { verifierOf } from "./verify.ts";

/** A compaction that was previewed; edit a copy of its text and commit it, or drop it [V5]. */
export type CompactionPreview = Extract<CompactionOutcome, { status: "preview" }>;

/**
 * The compaction that `preview` becomes on the path as it is now, with `summary` as its text where that is given [V5].
 *
 * An edited text is verified like any other: pins and file lists are written anew, citations checked, losses counted.
 * `build` throws `PLAN_STALE` when the preview does not fit any more [K2]. Rejects `ENTRY_INVALID` for an empty text.
 */
export async function fromPreview(
  state: SessionState,
  { entry: was, result }: CompactionPreview,
  summary?: string,
): Promise<{ readonly status: "ready"; readonly plan: CompactionPlan; readonly build: () => CompactionPreview }> {
  const { counter } = state.host;
  const { plan } = result;
  if (summary !== undefined && summary.trim() === "") {
    throw new EspalierError("ENTRY_INVALID", `The edited summary of ${was.id} is empty; nothing was stored.`, {
      id: was.id,
    });
  }
  const verified =
    summary === undefined || summary === was.summary
      ? undefined
      : verifierOf(plan, await readBoard(state), state.settings, counter).edited(summary);
  const build = (): CompactionPreview => {
    const arrived = checkPlanFresh(plan, state.path());
    const firstKeptEntryId = plan.firstKeptEntryId ?? arrived[0] ?? was.id;
    const place = { ...was, parentId: state.tipId, firstKeptEntryId };
    const entry = verified
      ? { ...place, summary: verified.text, details: { ...was.details, ...detailsOf(verified, was.details?.espalier) } }
      : place;
    const tokensBefore = estimateContext(state.projection().messages, counter);
    const after = projectContext([...state.path(), entry]);
    const tokensAfter = estimateContext(after.messages, counter);
    const found = verified ?? result;
    const { loss, pins, citations } = found;
    const warnings = [...(verified?.warnings ?? result.warnings)];
    return {
      status: "preview",
      entry: { ...entry, tokensAfter },
      result: { ...result, after: after.messages, tokensBefore, tokensAfter, loss, pins, citations, warnings },
    };
  };
  return { status: "ready", plan, build };
}

function detailsOf(
  { loss, citations, snapshot }: ReturnType<ReturnType<typeof verifierOf>["edited"]>,
  espalier: unknown,
): Record<string, unknown> {
  const own = typeof espalier === "object" && espalier !== null ? espalier : {};
  return { loss, citations, edited: true, espalier: { ...own, ...snapshot } };
}
