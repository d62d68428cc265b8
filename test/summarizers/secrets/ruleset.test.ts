import { expect, it, vi } from "vitest";
import { secretFinder } from "../../../src/summarizers/secrets/find.ts";

it("[M3] where the ruleset is not installed it is said what to install, and nothing can be sent", async () => {
  vi.doMock("@secretlint/core", () => {
    throw new Error("Cannot find package");
  });
  await expect(secretFinder()).rejects.toMatchObject({
    code: "PACKAGE_MISSING",
    message: expect.stringContaining("npm install @secretlint/core"),
  });
  vi.doUnmock("@secretlint/core");
});
