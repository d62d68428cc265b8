// One system does one thing in a process of its own: node child.mjs SYSTEM FILE [context|tree|explain|compact];
// prints what it took as JSON.
import { statSync, truncateSync } from "node:fs";

const [, , system, file, does = "context"] = process.argv;
const PI_073 = import.meta.resolve("@mariozechner/pi-coding-agent");
const PI_16 = new URL("../../node_modules/@earendil-works/pi-coding-agent/dist/index.js", import.meta.url).href;

const SYSTEMS = { espalier, "pi 0.73.1": () => pi(PI_073), "pi 1.6.0": () => pi(PI_16) };
const run = await SYSTEMS[system]();
const cpu = process.cpuUsage();
const start = performance.now();
const gave = await run();
const ms = performance.now() - start;
const { user, system: kernel } = process.cpuUsage(cpu);
const peak = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ gave, ms, cpu: (user + kernel) / 1000, peak }));

async function espalier() {
  const { openSession } = await import("../../dist/index.js");
  const { openJsonlStore } = await import("../../dist/stores/jsonl/index.js");
  const opened = async (readOnly) => openSession(await openJsonlStore(file, { readOnly }));
  const tasks = {
    context: async () => (await (await opened(true)).context()).messages.length,
    tree: async () => (await (await openJsonlStore(file, { readOnly: true })).tree()).size,
    explain: async () => (await (await opened(true)).explain()).entries.length,
    async compact() {
      const { size } = statSync(file);
      const session = await opened(false);
      // Less than what is live behind the newest compaction, so that there is something to replace.
      session.configure({ "compaction.keepRecentTokens": 2_000 });
      const { status } = await session.compact();
      await session.close();
      // The next one finds the same file.
      truncateSync(file, size);
      return status;
    },
  };
  return tasks[does];
}

async function pi(entry) {
  const { SessionManager } = await import(new URL("core/session-manager.js", entry).href);
  return () => SessionManager.open(file).buildSessionContext().messages.length;
}
