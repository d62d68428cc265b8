import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    // Many tests run processes of their own; on a busy machine they add up.
    testTimeout: 240_000,
    pool: "forks",
    // No test leaves anything behind in its process, and loading the modules again for each file takes as long as the tests.
    isolate: false,
    // Many tests wait for processes of their own; one worker fewer than cores would leave a core idle.
    maxWorkers: "100%",
  },
});
