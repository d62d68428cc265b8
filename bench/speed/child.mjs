// One system opens one session in a process of its own: node child.mjs SYSTEM FILE; prints what it took as JSON.
const [, , system, file] = process.argv;
const PI_073 = import.meta.resolve("@mariozechner/pi-coding-agent");
const PI_16 = new URL("../../node_modules/@earendil-works/pi-coding-agent/dist/index.js", import.meta.url).href;

const SYSTEMS = { espalier, "pi 0.73.1": () => pi(PI_073), "pi 1.6.0": () => pi(PI_16) };
const run = await SYSTEMS[system]();
const cpu = process.cpuUsage();
const start = performance.now();
const messages = await run();
const ms = performance.now() - start;
const { user, system: kernel } = process.cpuUsage(cpu);
const peak = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ messages, ms, cpu: (user + kernel) / 1000, peak }));

async function espalier() {
  const { openSession } = await import("../../dist/index.js");
  const { openJsonlStore } = await import("../../dist/stores/jsonl/index.js");
  return async () => {
    const session = await openSession(await openJsonlStore(file, { readOnly: true }));
    return (await session.context()).messages.length;
  };
}

async function pi(entry) {
  const { SessionManager } = await import(new URL("core/session-manager.js", entry).href);
  return () => SessionManager.open(file).buildSessionContext().messages.length;
}
