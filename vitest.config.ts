import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    testTimeout: 60_000,
    pool: "forks",
    // Many tests wait for processes of their own; one worker fewer than cores would leave a core idle.
    maxWorkers: "100%",
  },
});
