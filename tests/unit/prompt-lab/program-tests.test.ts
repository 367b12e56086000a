/** What `adapter test` is given and cannot run, it says. */
import { expect, it } from "vitest";
import { testPrograms } from "../../../prompt-lab/check/program-tests.js";

it("an agent's file is skipped, with the reason", async () => {
  expect(await testPrograms(["adapters/claude.yaml"], true, () => Promise.resolve(null))).toMatchObject([
    { problems: [], skipped: "it is an agent's file, which has no contract tests: adapter check" },
  ]);
});
