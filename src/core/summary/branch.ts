import type { TokenCounter } from "../context/tokens.ts";
import type { BranchPlan } from "../plan/branch.ts";
import { capSummary } from "./cap.ts";
import { stripEngineParts } from "./merge.ts";
import type { SummaryRequest } from "./request.ts";
import type { Guidance } from "./requests.ts";
import { fileTags } from "./tags.ts";
import { BRANCH_SUMMARY_PREAMBLE } from "./templates.ts";

/** A summary takes at most one part in so many of what it tells of, unless that is very small. */
const WORTH = 3;
const SMALLEST = 500;
const TAGS_SHARE = 0.25;

/** The request for the summary of a branch [M1]; the reply takes at most `maxReply` tokens and a third of the branch. */
export function branchRequest(plan: BranchPlan, maxReply: number, guidance: Guidance = {}): SummaryRequest {
  const maxTokens = Math.max(1, Math.floor(Math.min(maxReply, Math.max(SMALLEST, plan.tokens / WORTH))));
  return { kind: "branch", messages: plan.messages, ...guidance, maxTokens };
}

/**
 * The text to store: the preamble, what the summariser answered within `maxTokens`, and the file tags [M1, F3].
 *
 * "" when the answer holds nothing.
 */
export function branchSummaryText(
  answer: string,
  details: BranchPlan["details"],
  maxTokens: number,
  counter: TokenCounter,
): string {
  const told = capSummary(stripEngineParts(answer), maxTokens, counter);
  if (told === "") return "";
  const tags = fileTags(details, maxTokens * TAGS_SHARE, counter);
  return [BRANCH_SUMMARY_PREAMBLE, told, ...(tags === "" ? [] : [tags])].join("\n\n");
}
