/** A program, or what it has started, that somebody else kills in the middle of a command: that is said, and nothing is typed to nobody. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import {
  findMissing,
  INTERPRETERS,
  openInterpreter,
  type Interpreter,
} from "../../../../support/program/interpreters.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, notLinux, skipped } from "../../../../support/skipped.js";

const NONE = ["", ""] as const;
const SHELLS = ["bash", "zsh", "fish", "dash"];

const PROGRAMS: readonly Omit<Interpreter, "sound">[] = [
  ...Object.values(INTERPRETERS),
  ...SHELLS.map((name) => ({ name, endless: "sleep 1000" })),
];

for (const interpreter of PROGRAMS)
  it.skipIf(skipped(findMissing({ ...interpreter, sound: NONE }) ?? notLinux))(
    `${interpreter.name} that is killed in the middle of a command ends it, and takes no other`,
    async () => {
      const program = await openInterpreter({ ...interpreter, sound: NONE });
      try {
        expect((await program.run(interpreter.endless, 1000)).state).toBe("running");
        const tool = await findTool(program);
        const isShell = SHELLS.includes(interpreter.name);
        const child = isShell ? await findChild(tool) : null;
        process.kill(tool, "SIGKILL");
        expect(await program.session.wait({ timeoutMs: 60_000 })).toMatchObject({
          state: "ended",
          exitCode: null,
          isInterrupted: false,
        });
        expect(await program.run("1")).toMatchObject({ state: "refused", note: "the program has ended" });
        expect(await program.session.sendInput("1")).toBe("no command of yours is running");
        if (child !== null) endOrphan(child);
      } finally {
        await program.close();
      }
    },
  );

/** What a killed shell leaves behind, nobody else would end. It may have ended with its terminal. */
function endOrphan(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

/** The child of the process, once there is one. */
async function findChild(pid: number): Promise<number> {
  let found: number | undefined;
  await eventually(() => {
    found = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .find((each) => readParent(each) === pid);
    return found !== undefined;
  });
  return found ?? 0;
}

/** The shell that does job control for it leads its terminal. */
function findTool({ terminal }: TestProgram): Promise<number> {
  return findChild(terminal.pid);
}

function readParent(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]);
  } catch {
    return -1;
  }
}

for (const name of SHELLS)
  describe.skipIf(skipped(notInstalled(name) ?? notLinux))(name, () => {
    let shell: TestProgram;
    beforeAll(async () => void (shell = await openTestProgram(name)));
    afterAll(() => shell.close());

    it("tells what killed its command by the exit code", async () => {
      expect((await shell.run("sleep 1000", 2000)).state).toBe("running");
      process.kill(await findChild(await findTool(shell)), "SIGKILL");
      expect(await shell.session.wait({ timeoutMs: 60_000 })).toMatchObject({
        state: "finished",
        exitCode: 137,
        isInterrupted: false,
      });
      expect((await shell.run("echo sound")).output.text).toBe("sound\n");
    });
  });
