/** What the contract tests of pdb and tclsh cannot show: a program of the person's own, their start file, an interrupt, an end of input. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

const CRASH = "import sys\n\ndef half(n):\n    return n / 0\n\nprint(sys.argv[1:])\nhalf(4)\n";
const LOOP = "import time\nprint('it runs')\nwhile True:\n    time.sleep(0.01)\n";

async function withFiles(
  name: string,
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  use: (program: TestProgram) => Promise<void>,
): Promise<void> {
  const prepare = (folder: string): void => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  };
  const program = await openTestProgram(name, { prepare, args });
  try {
    await use(program);
  } finally {
    await program.close();
  }
}

it.skipIf(skipped(notInstalled("python3")))(
  "pdb follows a script to where it fails, and starts it again",
  () =>
    withFiles("pdb", ["crash.py", "-x"], { "crash.py": CRASH }, async (pdb) => {
      expect(await pdb.run("break half")).toMatchObject({ exitCode: 0, mode: "main" });
      const stopped = await pdb.run("continue");
      expect(stopped).toMatchObject({ exitCode: 0, mode: "main", isProven: true });
      expect(stopped.output.text).toContain("['-x']\n");
      const failed = await pdb.run("continue");
      expect(failed).toMatchObject({ exitCode: 1, mode: "post-mortem" });
      expect(failed.output.text).toContain("ZeroDivisionError");
      expect((await pdb.run("p n")).output.text).toBe("4\n");
      expect(await pdb.run("continue")).toMatchObject({ mode: "main" });
    }),
);

it.skipIf(skipped(notInstalled("python3")))("pdb stops a script that runs at an interrupt", () =>
  withFiles("pdb", ["loop.py"], { "loop.py": LOOP }, async (pdb) => {
    expect(await pdb.run("continue", 500)).toMatchObject({ state: "running" });
    await eventually(() => pdb.screen.view().lines.some(({ text }) => text.includes("it runs")));
    await pdb.session.press("interrupt");
    expect(await pdb.session.wait({ timeoutMs: 30_000 })).toMatchObject({ state: "finished", mode: "main" });
    expect((await pdb.run("p 6 * 7")).output.text).toBe("42\n");
  }),
);

it.skipIf(skipped(notInstalled("tclsh")))(
  "tclsh reads the person's start file, and ends at the end of input",
  () =>
    withFiles("tclsh", [], { ".tclshrc": "set mine 7\n" }, async (tclsh) => {
      expect(await tclsh.run("expr {$mine * 6}")).toMatchObject({ exitCode: 0, isProven: true });
      expect((await tclsh.run('puts "a\\nb"; list $argv0 $argc $argv')).output.text).toBe(
        "a\nb\ntclsh 0 {}\n",
      );
      await tclsh.type("\x04");
      await tclsh.terminal.exited;
    }),
);
