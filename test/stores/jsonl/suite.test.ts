import { join } from "node:path";
import { describe, it } from "vitest";
import { openJsonlStore } from "../../../src/stores/jsonl/index.ts";
import { storeSuite } from "../../../src/testing/index.ts";
import { HEADER, tempFolder } from "./files.ts";

const folder = tempFolder();
let made = 0;

for (const fsync of ["turn", "never"] as const) {
  storeSuite({ describe, it }, `jsonl, fsync ${fsync}`, {
    create: () => openJsonlStore(join(folder, `${made++}.jsonl`), { create: HEADER, fsync }),
    async reopen(store) {
      await store.close();
      return openJsonlStore(store.location, { fsync });
    },
  });
}
