import { join } from "node:path";
import { describe, it } from "vitest";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { storeSuite } from "../../../src/testing/index.ts";
import { HEADER, tempFolder } from "./files.ts";

const folder = tempFolder();
let made = 0;

for (const options of [{ fsync: "turn" }, { fsync: "never", blobs: "extract" }] as const) {
  storeSuite({ describe, it }, `jsonl, ${JSON.stringify(options)}`, {
    create: () => openJsonlStore(join(folder, `${made++}.jsonl`), { create: HEADER, ...options }),
    async reopen(store) {
      await store.close();
      return openJsonlStore(store.location, options);
    },
  });
}
