/** Without a terminal the demo answers its own prompts, proves the effect of every answer, and removes all its files. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TIMEOUT_FACTOR } from "../../src/worker/prompts/limits.js";
import { makeTestFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

it("the demo answers itself, proves every effect, and leaves nothing behind", async () => {
  const folder = makeTestFolder("demo");
  // On a machine with more work than cores an effect is seen late, and is then no less an effect.
  const env = { ...process.env, TMPDIR: folder, [TIMEOUT_FACTOR]: "10" };
  const { stdout } = await run(process.execPath, ["dist/main.js", "demo", "--auto"], { env });
  for (const step of ["permission", "overwrite", "targets", "name", "secret"]) expect(stdout).toContain(step);
  expect(stdout.match(/typed after [\d.]+ s, confirmed after [\d.]+ s/g)).toHaveLength(4);
  expect(stdout).toMatch(/refused after [\d.]+ s, answered at the terminal after [\d.]+ s/);
  expect(stdout).not.toMatch(/the agent got: *(?:nothing)?$/m);
  expect(stdout).toMatch(/^ {2}.*setup$/m);
  expect(stdout).toContain("Every answer had its effect.");
  expect(readdirSync(folder)).toEqual([]);
});
