/** Without a terminal the demo answers its own prompts, proves the effect of every answer, and removes all its files. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const homes = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("atlasbridge-demo-"));

it("the demo answers itself, proves every effect, and leaves nothing behind", async () => {
  const before = homes();
  const { stdout } = await run(process.execPath, ["dist/main.js", "demo", "--auto"]);
  for (const step of ["permission", "overwrite", "targets", "name", "secret"]) expect(stdout).toContain(step);
  expect(stdout.match(/typed after [\d.]+ s, confirmed after [\d.]+ s/g)).toHaveLength(4);
  expect(stdout).toMatch(/refused after [\d.]+ s, answered at the terminal after [\d.]+ s/);
  expect(stdout).toMatch(/^ {2}.*setup$/m);
  expect(stdout).toContain("Every answer had its effect.");
  expect(homes().filter((name) => !before.includes(name))).toEqual([]);
});
