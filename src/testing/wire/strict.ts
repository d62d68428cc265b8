import type { WireMessage } from "./format.ts";

/**
 * What a strict provider would refuse in the messages of a request, one sentence each; nothing when it would take them.
 *
 * A user begins and no assistant ends, no message is empty, ids of calls are unique, each call is answered by exactly
 * one result in the message directly after it, and no result stands without its call.
 */
export function refusals(messages: readonly WireMessage[]): string[] {
  const faults: string[] = [];
  const called = new Set<string>();
  if (messages[0]?.role !== "user") faults.push(`the first message is ${messages[0]?.role ?? "missing"}, not user`);
  if (messages.at(-1)?.role === "assistant") faults.push("the last message is the assistant's");
  for (const [at, { role, blocks, toolCalls, results }] of messages.entries()) {
    if (blocks === 0) faults.push(`message ${at} (${role}) is empty`);
    for (const { id } of toolCalls) {
      if (called.has(id)) faults.push(`message ${at} calls ${id} a second time`);
      called.add(id);
    }
    const next = messages[at + 1];
    const answers = next?.role === "results" ? next.results : [];
    for (const { id } of toolCalls) {
      const count = answers.filter((result) => result.id === id).length;
      if (count !== 1) faults.push(`call ${id} of message ${at} has ${count} results directly after it`);
    }
    const calls = messages[at - 1]?.toolCalls ?? [];
    for (const { id } of results) {
      if (!calls.some((call) => call.id === id))
        faults.push(`result ${id} of message ${at} has no call directly before it`);
    }
  }
  return faults;
}
