/** Several lines that somebody pastes at the terminal, at the prompt or while a command runs, are theirs, and each command has its own output. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

const PROGRAMS = [
  {
    name: "bash",
    executable: "bash",
    print: (text: string) => `echo "${text}"`,
    slow: 'echo begun; until [ -e go ]; do sleep 0.05; done; echo "ours"',
  },
  {
    name: "python",
    executable: "python3",
    print: (text: string) => `print("${text}")`,
    slow: 'import os, time; print("begun"); any(time.sleep(0.05) for _ in iter(lambda: os.path.exists("go"), True)); print("ours")',
  },
] as const;

const PASTED = ["pasted-1", "pasted-2", "pasted-3"];

const shows = ({ screen }: TestProgram, text: string): boolean =>
  screen.view().lines.some((line) => line.text.trimEnd() === text);

let opened: TestProgram | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

describe.each(PROGRAMS)("in $name", ({ name, executable, print, slow }) => {
  const without = skipped(notInstalled(executable));

  async function expectSound(program: TestProgram): Promise<void> {
    for (const text of ["sound", "still sound"])
      expect(await program.run(print(text))).toMatchObject({
        state: "finished",
        exitCode: 0,
        output: { text: `${text}\n`, isExact: true },
      });
  }

  it.skipIf(without)("lines at the prompt are run before ours", async () => {
    const program = (opened = await openTestProgram(name));
    await program.type(`${PASTED.map(print).join("\r")}\r`);
    expect((await program.run(print("ours"))).output.text).toBe("ours\n");
    await eventually(() => PASTED.every((text) => shows(program, text)));
    await expectSound(program);
  });

  it.skipIf(without)("a paste that nobody has ended keeps ours out", async () => {
    const program = (opened = await openTestProgram(name));
    await program.type(`\x1b[200~${print("pasted-1")}\x1b[201~`);
    expect(await program.run(print("ours"), 1500)).toMatchObject({
      state: "refused",
      note: "somebody is typing at the terminal",
    });
    await program.type("\r");
    await eventually(() => shows(program, "pasted-1"));
    await expectSound(program);
  });

  it.skipIf(without)("lines while a command runs come behind it, and its output is not exact", async () => {
    const program = (opened = await openTestProgram(name));
    const ours = program.run(slow);
    await eventually(() => shows(program, "begun"));
    await program.type(`${PASTED.map(print).join("\r")}\r`);
    writeFileSync(join(program.folder, "go"), "");
    const { output, state } = await ours;
    expect({ state, isExact: output.isExact }).toEqual({ state: "finished", isExact: false });
    expect(output.text).toContain("ours\n");
    await eventually(() => PASTED.every((text) => shows(program, text)));
    await expectSound(program);
  });
});
