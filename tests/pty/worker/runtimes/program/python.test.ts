/** Python takes its own options, a module or a piece of code as ever, and is in the debugger as soon as its prompt shows that. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";

const CRASH = "def half(n):\n    return n / 0\n\nprint('before')\nhalf(4)\n";

async function withPython(
  args: readonly string[],
  use: (python: TestProgram) => Promise<void>,
): Promise<void> {
  const prepare = (folder: string): void => writeFileSync(join(folder, "crash.py"), CRASH);
  const python = await openTestProgram("python", { prepare, args });
  try {
    await use(python);
  } finally {
    await python.close();
  }
}

it.each([
  [["-c", "x = 42; import sys"], "['-c']"],
  [["-cx = 42; import sys", "a", "-b"], "['-c', 'a', '-b']"],
  [["-i", "-c", "x = 42; import sys", "-m"], "['-c', '-m']"],
  [["-X", "dev", "-u", "-c", "import sys; x = 21 * (1 + sys.flags.dev_mode)"], "['-c']"],
])("runs the code of %j", async (args, argv) =>
  withPython(args, async (python) => {
    expect((await python.run("x, sys.argv")).output.text).toBe(`(42, ${argv})\n`);
  }),
);

it("keeps the interpreter's options and the arguments of a file apart", () =>
  withPython(["-W", "error", "-O", "crash.py", "-x", "y"], async (python) => {
    await eventually(() => python.screen.view().lines.some(({ text }) => text.includes("ZeroDivisionError")));
    const { output } = await python.run("import sys; sys.argv, sys.flags.optimize, sys.warnoptions");
    expect(output.text).toBe("(['crash.py', '-x', 'y'], 1, ['error'])\n");
  }));

it("shows a file's failure as the interpreter does, and debugs it from that file on", () =>
  withPython(["crash.py"], async (python) => {
    await eventually(() => python.screen.view().lines.some(({ text }) => text.includes("ZeroDivisionError")));
    // Rows are joined, because the name of a long folder fills more than one.
    const shown = python.screen.view().lines.map(({ text }) => text);
    const calls = [...shown.join("").matchAll(/File "[^"]*?([\w-]+\.py)", line (\d+)/g)];
    expect(calls.map(([, file, line]) => `${file}:${line}`)).toEqual(["crash.py:5", "crash.py:2"]);
    expect((await python.run("import pdb; pdb.pm()")).output.text).toContain("crash.py(2)half()");
    expect((await python.run("up")).output.text).toContain("crash.py(5)<module>()");
    expect((await python.run("up")).output.text).toBe("*** Oldest frame\n");
  }));

it("is in the debugger from its first prompt on where that is what was started", () =>
  withPython(["-m", "pdb", "crash.py"], async (python) => {
    expect(python.session.current.mode).toBe("pdb");
    const stepped = await python.run("next");
    expect(stepped.mode).toBe("pdb");
    expect(stepped.output.text).toContain("-> print(");
    expect((await python.run("p 6 * 7")).output.text).toBe("42\n");
    expect((await python.run("continue")).output.text).toContain("ZeroDivisionError");
    expect((await python.run("p n")).output.text).toBe("4\n");
  }));

it("is in the debugger that a person has entered, and out of it again", () =>
  withPython([], async (python) => {
    await python.type("breakpoint()\r");
    await eventually(() => python.session.current.mode === "pdb");
    await python.type("continue\r");
    await eventually(() => python.session.current.mode === "main");
    expect((await python.run("6 * 7")).output.text).toBe("42\n");
  }));

it("is not given a command for its debugger where its person leaves that while the command waits", () =>
  withPython([], async (python) => {
    await python.type("breakpoint()\r");
    await eventually(() => python.session.current.mode === "pdb");
    const inDebugger = { timeoutMs: 60_000, mode: "pdb" };
    expect((await python.session.run("p 6 * 7", inDebugger)).output.text).toBe("42\n");
    await python.type("contin");
    const waiting = python.session.run("p 2 + 2", inDebugger);
    await python.type("ue\r");
    expect(await waiting).toMatchObject({
      state: "refused",
      note: "the program has left its mode pdb, in which this was offered",
      mode: "main",
    });
  }));

it("keeps the echo out where a wide character does not fit into the last column", () =>
  withPython([], async (python) => {
    // Behind the prompt of four columns and what stands before it, one of the two lines is at odds with 80 columns.
    for (const fill of ["", "a"]) {
      const { output } = await python.run(`print(len("${fill}${"日本語".repeat(16)}"))`);
      expect(output.text).toBe(`${fill.length + 48}\n`);
      expect(output.isExact).toBe(true);
    }
  }));
