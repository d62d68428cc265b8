import type { BranchSummaryEntry, SummaryDetails, SummaryMethod } from "../session/entry.ts";
import type { Usage } from "../session/message.ts";

/** Everything that a new branch summary entry says. */
export interface BranchFacts {
  readonly summary: string;
  /** The leaf of the branch, null for the root. */
  readonly fromId: string | null;
  /** The new leaf, or the tip where a branch is imported. */
  readonly parentId: string | null;
  readonly stamp: { readonly id: string; readonly timestamp: string };
  readonly details: SummaryDetails;
  readonly method: SummaryMethod;
  readonly model?: string;
  readonly usage?: Usage;
  /** What `details.espalier` says beside method and model. */
  readonly move: BranchMove;
}

/**
 * How a branch summary of ours came to stand where it does, read by `back` [B6].
 *
 * `imported`: the leaf stayed, so that nothing can be taken back. `resumes`: where the search for an older move goes on
 * when that is not `fromId`.
 */
export interface BranchMove {
  readonly imported?: boolean;
  readonly resumes?: string | null;
}

/** The branch summary entry to append [B4, S3]. */
export function branchSummaryEntry(facts: BranchFacts): BranchSummaryEntry {
  const { stamp, method, model, usage, move } = facts;
  const fromExtension = method === "hook";
  return {
    type: "branch_summary",
    id: stamp.id,
    parentId: facts.parentId,
    timestamp: stamp.timestamp,
    fromId: facts.fromId ?? "root",
    summary: facts.summary,
    details: { ...facts.details, espalier: { method, ...(model && { model }), ...move } },
    fromExtension,
    fromHook: fromExtension,
    ...(usage && { usage }),
  };
}

/** What a branch summary says of its move, read without trust. */
export function branchMoveOf({ details }: BranchSummaryEntry): BranchMove {
  const said = (details as { espalier?: unknown } | undefined)?.espalier;
  const { imported, resumes } = (typeof said === "object" && said !== null ? said : {}) as Record<string, unknown>;
  return {
    ...(imported === true && { imported }),
    ...((typeof resumes === "string" || resumes === null) && { resumes }),
  };
}
