/** Which program file is meant by a name, and which executable is then started. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolvePaths } from "../../../src/config/paths.js";
import { prepareConsole } from "../../../src/console/prepare-console.js";
import { ManualClock } from "../../../src/observe/clock.js";
import { findProgramFile } from "../../../src/plugins/adapters/programs.js";

it.each([
  ["python3", "python"],
  ["/opt/bin/python3", "python"],
  ["irb", "ruby"],
  ["perldb", "perl"],
  ["sh", "dash"],
  ["tclsh8.6", "tclsh"],
  ["pdb", "pdb"],
])("%s means %s", async (name, program) => {
  expect((await findProgramFile(name, resolvePaths())).program.name).toBe(program);
});

it.each([
  ["pdb", ["python3"], "python3"],
  ["perldb", ["perl"], "perl"],
  ["sh", ["dash"], "dash"],
  ["sh", ["dash", "sh"], "sh"],
])("for %s where %s is installed, %s is started", async (name, installed, started) => {
  const folder = mkdtempSync(join(tmpdir(), "program-names-"));
  for (const each of installed) {
    writeFileSync(join(folder, each), "#!/bin/sh\n");
    chmodSync(join(folder, each), 0o755);
  }
  const paths = { ...resolvePaths(), dataDir: folder, consolesDir: join(folder, "consoles") };
  const prepared = await prepareConsole(
    { cwd: folder, environment: { PATH: folder }, paths, clock: new ManualClock() },
    { command: [name], console: true, askToRun: () => Promise.resolve(null) },
  );
  prepared.dispose();
  rmSync(folder, { recursive: true });
  expect([join(folder, started), started]).toContain(prepared.command[0]);
});
