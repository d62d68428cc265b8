// A store of your own: entries as rows of a database, here an array of strings. Reading is left to the store in memory;
// what a store must keep to is checked by the suite that all stores pass.
import assert from "node:assert/strict";
import { type Entry, openSession, type SessionStore } from "espalier";
import { createMemoryStore } from "espalier/stores/memory";
import { storeSuite } from "espalier/testing";

type Table = string[];

function openTable(table: Table): SessionStore {
  const entries = table.map((row) => JSON.parse(row) as Entry);
  const memory = createMemoryStore({ entries, location: "table" });
  return {
    ...memory,
    supports: { durable: true, locks: false },
    position: memory.position,
    get warnings() {
      return memory.warnings;
    },
    async append(batch) {
      // Refused batches throw before anything is stored; a real one writes inside a transaction.
      await memory.append(batch);
      table.push(...batch.map((entry) => JSON.stringify(entry)));
    },
    rewrite: undefined,
    originals: undefined,
  };
}

const tables = new Map<SessionStore, Table>();
const open = (table: Table) => {
  const store = openTable(table);
  tables.set(store, table);
  return store;
};
const tests: [string, () => Promise<void>][] = [];
storeSuite({ describe: (_, body) => body(), it: (name, body) => tests.push([name, body]) }, "table", {
  create: async () => open([]),
  reopen: async (store) => open(tables.get(store) ?? []),
});
for (const [name, body] of tests) await body().catch((cause) => assert.fail(`${name}: ${cause}`));
console.log(`${tests.length} promises of a store kept`);
assert(tests.length > 10);

const table: Table = [];
const session = await openSession(openTable(table));
await session.append({ role: "user", content: "Kept in a table." });
assert.equal(table.length, 1);
await session.close();
