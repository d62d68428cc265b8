import type { Spent } from "../core/summary/request.ts";
import type { NewEntry } from "./state.ts";

/** The `usage` entry of a request that came to nothing; its model is named `provider/id` [M12]. */
export function spentItem(kind: "compaction" | "branch_summary", { model, usage }: Spent): NewEntry {
  const slash = model.indexOf("/");
  return {
    type: "usage",
    kind,
    provider: model.slice(0, Math.max(0, slash)),
    model: model.slice(slash + 1),
    usage,
  };
}
