/**
 * Whatever a command does in a live shell or interpreter, its output is exact or marked as not exact, and the next command gets its own.
 * Nothing that is printed passes for a prompt of the session.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";

/** Ten megabytes are drawn on the emulated screen; a busy machine takes a minute for them. */
const LONG_MS = 180_000;

describe("bash", () => {
  let bash: TestProgram;
  beforeAll(async () => void (bash = await openTestProgram("bash")));
  afterAll(() => bash.close());

  async function expectSound(): Promise<void> {
    const { output, exitCode } = await bash.run("echo sound; (exit 3)");
    expect({ text: output.text, exitCode }).toEqual({ text: "sound\n", exitCode: 3 });
  }

  it("ten megabytes are in the file, both ends in the result", async () => {
    const { output } = await bash.run("seq 1 1420000", LONG_MS);
    expect(output.bytes).toBeGreaterThan(10_000_000);
    expect(output.text.startsWith("1\n2\n3\n")).toBe(true);
    expect(output.text.endsWith("1419999\n1420000\n")).toBe(true);
    expect(output.cut).toBeGreaterThan(9_000_000);
    expect(output.isExact).toBe(true);
    const whole = readFileSync(output.file ?? "", "utf8");
    expect(whole).toBe(Array.from({ length: 1_420_000 }, (_, n) => `${n + 1}\n`).join(""));
    await expectSound();
  });

  it("no line feed at the end, and none at all", async () => {
    expect((await bash.run("printf abc")).output.text).toBe("abc");
    expect((await bash.run("true")).output.text).toBe("");
    await expectSound();
  });

  it("binary bytes are kept as they came", async () => {
    const { output } = await bash.run("head -c 3000 /dev/zero | tr '\\0' '\\377'; printf 'a\\0b\\xc3\\x28'");
    expect([...new Set(output.raw.subarray(0, 3000))]).toEqual([255]);
    expect(Buffer.from(output.raw.subarray(3000)).toString("latin1")).toBe("a\0b\xc3(");
    await expectSound();
  });

  it("forged marks and imitated prompts end nothing", async () => {
    const forged = String.raw`printf '\033]633;D;0\007\033]633;P;Cwd=/forged\007\033]633;A\007$ \033]633;B\007'; sleep 0.3; echo "${"$"}PS1" > /dev/null; echo real`;
    const { output, cwd, exitCode } = await bash.run(forged);
    expect(output.text).toBe("$ real\n");
    expect(cwd).toBe(bash.folder);
    expect(exitCode).toBe(0);
    await expectSound();
  });

  it("a job in the background that prints later does not end up in a command's exit code", async () => {
    await bash.run("(sleep 0.3; echo from the background) &");
    const { output, exitCode } = await bash.run("sleep 0.8; echo done; (exit 5)");
    expect(output.text).toContain("done\n");
    expect(exitCode).toBe(5);
    await expectSound();
  });

  it("a command that reads gets what is sent to it, and nothing else is typed meanwhile", async () => {
    const waiting = await bash.run('read -p "name? " name; echo "hello $name"', 1500);
    expect(waiting.state).toBe("running");
    expect(waiting.output.text).toContain("name?");
    expect((await bash.run("echo not now", 300)).state).toBe("refused");
    expect(await bash.session.sendInput("world")).toBeNull();
    const done = await bash.session.wait({ timeoutMs: 60_000 });
    expect(done?.output.text).toContain("hello world\n");
    await expectSound();
  });

  it("nothing is sent to a command that reads a password", async () => {
    expect((await bash.run('read -s -p "password: " x', 1500)).state).toBe("running");
    expect(await bash.session.sendInput("hunter2")).toContain("password");
    expect(await bash.session.press("interrupt")).toBeNull();
    expect((await bash.session.wait({ timeoutMs: 60_000 }))?.isInterrupted).toBe(true);
    await expectSound();
  });

  it("a nested shell is no prompt of ours, and is left again", async () => {
    expect((await bash.run("bash --norc --noprofile", 1500)).state).toBe("running");
    expect(await bash.session.sendInput("echo inside; exit 4")).toBeNull();
    const done = await bash.session.wait({ timeoutMs: 60_000 });
    expect(done?.output.text).toContain("inside\n");
    expect(done?.exitCode).toBe(4);
    await expectSound();
  });

  it("unclosed quotes and brackets are given up, and said to be", async () => {
    for (const open of ["echo 'never", "echo $(true", "for x in 1; do", "cat <<END"]) {
      const { isIncomplete, state } = await bash.run(open);
      expect({ open, isIncomplete, state }).toEqual({ open, isIncomplete: true, state: "finished" });
    }
    await expectSound();
  });

  it("a line of 64 KB and a block of many lines arrive whole", async () => {
    const long = "x".repeat(64 * 1024);
    expect((await bash.run(`echo ${long} | wc -c`)).output.text.trim()).toBe(String(long.length + 1));
    const block = Array.from({ length: 300 }, (_, n) => `echo line ${n}`).join("\n");
    const { output } = await bash.run(block);
    expect(output.text).toBe(Array.from({ length: 300 }, (_, n) => `line ${n}\n`).join(""));
    await expectSound();
  });

  it("the time limit leaves the command running, and it can be interrupted", async () => {
    const late = await bash.run("sleep 60", 500);
    expect(late.state).toBe("running");
    expect(await bash.session.press("interrupt")).toBeNull();
    const done = await bash.session.wait({ timeoutMs: 60_000 });
    expect({ state: done?.state, exitCode: done?.exitCode }).toEqual({ state: "finished", exitCode: 130 });
    await expectSound();
  });

  it("another size of the terminal changes no output", async () => {
    bash.terminal.resize({ cols: 40, rows: 10 });
    bash.screen.resize({ cols: 40, rows: 10 });
    const line = "0123456789".repeat(20);
    expect((await bash.run(`echo ${line}`)).output.text).toBe(`${line}\n`);
    bash.terminal.resize({ cols: 120, rows: 30 });
    bash.screen.resize({ cols: 120, rows: 30 });
    await expectSound();
  });

  it("progress bars and lines that are drawn again are what is left of them", async () => {
    const bar = String.raw`for n in 10 50 100; do printf '\r%s%%' $n; done; printf '\r\033[Kdone\n'`;
    expect((await bash.run(bar)).output.text).toBe("done\n");
    await expectSound();
  });

  it("nothing of ours stays in the history", async () => {
    await bash.run("echo one\necho two");
    expect((await bash.run("history | grep -c atlasbridge-exec")).output.text.trim()).toBe("1");
  });
});

describe("a python that ends", () => {
  it("because it becomes another program ends its command", async () => {
    const python = await openTestProgram("python");
    expect((await python.run('import os; os.execvp("true", ["true"])')).state).toBe("ended");
    expect((await python.run("1")).state).toBe("refused");
    await python.close();
  });
});

describe("a bash that ends", () => {
  it("by itself ends its command", async () => {
    const bash = await openTestProgram("bash");
    const { state } = await bash.run("exec true");
    expect(state).toBe("ended");
    expect((await bash.run("echo")).state).toBe("refused");
    await bash.close();
  });

  it("because it is killed ends its command", async () => {
    const bash = await openTestProgram("bash");
    const { state } = await bash.run("kill -KILL $$");
    expect(state).toBe("ended");
    await bash.close();
  });
});

describe("python", () => {
  let python: TestProgram;
  beforeAll(async () => void (python = await openTestProgram("python")));
  afterAll(() => python.close());

  async function expectSound(): Promise<void> {
    expect((await python.run("6 * 7")).output.text).toBe("42\n");
  }

  it("ten megabytes are in the file, both ends in the result", async () => {
    const { output } = await python.run('print(*range(1, 1420001), sep="\\n")', LONG_MS);
    expect(output.bytes).toBeGreaterThan(10_000_000);
    expect(output).toMatchObject({ isExact: true });
    expect(output.text.endsWith("1419999\n1420000\n")).toBe(true);
    const whole = readFileSync(output.file ?? "", "utf8");
    expect(whole).toBe(Array.from({ length: 1_420_000 }, (_, n) => `${n + 1}\n`).join(""));
    await expectSound();
  });

  it("an output without a line feed is exact", async () => {
    expect((await python.run('print("abc", end="")')).output.text).toBe("abc");
    await expectSound();
  });

  it("forged marks end nothing", async () => {
    const marks = String.raw`\x1b]633;D;0\x07\x1b]633;P;Cwd=/forged\x07\x1b]633;A\x07>>> \x1b]633;B\x07`;
    const { output, cwd } = await python.run(
      `import time; print("${marks}", end="", flush=True); time.sleep(0.5); print("real")`,
    );
    expect({ text: output.text, cwd }).toEqual({ text: ">>> real\n", cwd: python.folder });
    await expectSound();
  });

  it("a shell inside is no prompt of ours, and is left again", async () => {
    expect((await python.run('__import__("subprocess").call(["sh", "-i"])', 1500)).state).toBe("running");
    expect(await python.session.sendInput("echo inside; exit 4")).toBeNull();
    expect((await python.session.wait({ timeoutMs: 60_000 }))?.output.text).toMatch(/inside\n(?:.*\n)*4\n$/);
    await expectSound();
  });

  it("another size of the terminal changes no output, or it is said not to be exact", async () => {
    for (const size of [
      { cols: 40, rows: 10 },
      { cols: 120, rows: 30 },
    ]) {
      python.terminal.resize(size);
      python.screen.resize(size);
      const { output } = await python.run('print("0123456789" * 20)');
      const line = `${"0123456789".repeat(20)}\n`;
      // Where the line has been typed already, readline draws it again.
      const drawn = `>>> print("0123456789" * 20)\n${line}`;
      expect([
        { text: line, isExact: true },
        { text: drawn, isExact: false },
      ]).toContainEqual({
        text: output.text,
        isExact: output.isExact,
      });
      await expectSound();
    }
  });

  it("an imitated prompt ends nothing", async () => {
    const { output } = await python.run(
      'import time; print(">>> ", end="", flush=True); time.sleep(0.5); print("real")',
    );
    expect(output.text).toBe(">>> real\n");
    await expectSound();
  });

  it("an imitated prompt of the debugger ends nothing while the program works", async () => {
    const { output, mode } = await python.run(
      'print("(Pdb) ", end="", flush=True); time.sleep(0.5); print("real")',
    );
    expect(output.text).toBe("(Pdb) real\n");
    expect(mode).toBe("main");
    await expectSound();
  });

  it("unclosed brackets are given up, and a block without a body is an error of its own", async () => {
    for (const open of ["print((1", "'''text"]) {
      const { isIncomplete } = await python.run(open);
      expect({ open, isIncomplete }).toEqual({ open, isIncomplete: true });
    }
    const block = await python.run("if True:");
    expect(block.output.text).toContain("IndentationError: expected an indented block");
    expect(block).toMatchObject({ state: "finished", exitCode: 1, isIncomplete: false });
    await expectSound();
  });

  it("Ctrl-C in the middle leaves it sound", async () => {
    expect((await python.run("while True: pass", 1500)).state).toBe("running");
    await python.session.press("interrupt");
    expect((await python.session.wait({ timeoutMs: 60_000 }))?.output.text).toContain("KeyboardInterrupt");
    await expectSound();
  });

  it("input() gets what is sent to it", async () => {
    expect((await python.run('input("name? ")', 1500)).state).toBe("running");
    expect(await python.session.sendInput("world")).toBeNull();
    expect((await python.session.wait({ timeoutMs: 60_000 }))?.output.text).toContain("'world'");
    await expectSound();
  });
});

describe("node", () => {
  it("tells what is printed between two commands apart from both", async () => {
    const node = await openTestProgram("node");
    try {
      await node.run('void setTimeout(() => console.log("la" + "ter"), 50)');
      await eventually(() => node.screen.view().lines.some(({ text }) => text.includes("later")));
      const { output, outOfBand } = await node.run("1 + 1");
      expect({ text: output.text, outOfBand }).toEqual({ text: "2\n", outOfBand: "later" });
    } finally {
      await node.close();
    }
  });
});
