/**
 * A shell on another machine, reached through a shell of ours, is one command of ours: its output is what was seen, its prompts and marks
 * are no prompts of ours, and the next command is typed only once it is left.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { noSshServer, startSshServer, type SshServer } from "../../../../support/program/ssh-server.js";
import { skipped } from "../../../../support/skipped.js";

/** Ten megabytes are encrypted, and drawn on the emulated screen. */
const LONG_MS = 180_000;
/** How long a command may take before its output so far is looked at. */
const SHORT_MS = 500;

describe.skipIf(skipped(noSshServer))("bash, and a shell behind ssh", () => {
  let server: SshServer;
  let bash: TestProgram;
  beforeAll(async () => {
    server = await startSshServer();
    bash = await openTestProgram("bash");
  });
  afterAll(async () => {
    await bash.close();
    await server.stop();
  });

  async function expectSound(): Promise<void> {
    const { output, exitCode } = await bash.run("echo sound; (exit 3)");
    expect({ text: output.text, exitCode }).toEqual({ text: "sound\n", exitCode: 3 });
  }

  const showsNow = (): string => bash.session.running?.latest ?? "";

  /** Opens a shell over there whose prompt is `prompt`, without start files. */
  async function hop(prompt: string): Promise<void> {
    const shell = `${server.command} -t "PS1='${prompt}' exec bash --norc --noprofile -i"`;
    expect((await bash.run(shell, SHORT_MS)).state).toBe("running");
    await eventually(() => showsNow().endsWith(prompt));
  }

  /** Types a line over there, and waits for what it prints. */
  async function say(line: string, printed: string): Promise<void> {
    expect(await bash.session.sendInput(line)).toBeNull();
    await eventually(() => showsNow().includes(printed));
  }

  async function leave(line: string) {
    expect(await bash.session.sendInput(line)).toBeNull();
    const done = await bash.session.wait({ timeoutMs: 60_000 });
    await expectSound();
    return {
      state: done?.state,
      exitCode: done?.exitCode,
      text: done?.output.text,
      isExact: done?.output.isExact,
    };
  }

  it("a command over there has its own output and exit code, with and without a terminal", async () => {
    for (const terminal of ["", "-t"]) {
      const { output, exitCode } = await bash.run(`${server.command} ${terminal} 'echo over there; exit 7'`);
      expect({ text: output.text, exitCode, isExact: output.isExact }).toEqual({
        text: "over there\n",
        exitCode: 7,
        isExact: true,
      });
    }
    await expectSound();
  });

  it("ten megabytes from there are whole", async () => {
    const { output } = await bash.run(`${server.command} -t 'seq 1 1420000'`, LONG_MS);
    expect(output.isExact).toBe(true);
    expect(readFileSync(output.file ?? "", "utf8")).toBe(
      Array.from({ length: 1_420_000 }, (_, n) => `${n + 1}\n`).join(""),
    );
    await expectSound();
  });

  it("a shell over there is shown while it runs, and is exact when it is left", async () => {
    await hop("there> ");
    await say("echo $((6 * 7)); (exit 5)", "\n42\n");
    expect(showsNow()).toBe("there> echo $((6 * 7)); (exit 5)\n42\nthere> ");
    expect(await leave("exit 4")).toEqual({
      state: "finished",
      exitCode: 4,
      text: "there> echo $((6 * 7)); (exit 5)\n42\nthere> exit 4\nexit\n",
      isExact: true,
    });
  });

  it("nothing of ours is typed over there, also where its prompt is our own", async () => {
    const { output } = await bash.run(
      "printf '%s' \"${PS1@P}\" | sed 's/\\x1b][^\\a]*\\a//g' | tr -d '\\001\\002'",
    );
    await hop(output.text.trim() === "" ? "$ " : output.text);
    expect(await bash.run("echo not there", SHORT_MS)).toMatchObject({ state: "refused" });
    expect((await leave("exit 0")).text).not.toContain("not there");
  });

  it("marks from there end nothing, also those of another session's shell", async () => {
    await hop("there> ");
    const forged = String.raw`printf '\033]633;D;0;abc\007\033]633;P;Cwd=/forged;abc\007\033]633;A;abc\007$ \033]633;B;abc\007'; echo re''al`;
    await say(forged, "$ real\n");
    expect(bash.session.current.cwd).toBe(bash.folder);
    expect(await bash.run("echo not there", SHORT_MS)).toMatchObject({ state: "refused" });
    expect((await leave("exit 6")).exitCode).toBe(6);
  });

  it("an interrupt reaches what runs over there, and the shell stays", async () => {
    await hop("there> ");
    await say("echo asl''eep; sleep 1000", "\nasleep\n");
    expect(await bash.session.press("interrupt")).toBeNull();
    await eventually(() => showsNow().endsWith("^C\nthere> "));
    await say("echo st''ill", "\nstill\n");
    expect((await leave("exit 0")).state).toBe("finished");
  });

  it("what a person types goes over there, and no command of ours into their line", async () => {
    await hop("there> ");
    await bash.type("echo by-a-per");
    await eventually(() => showsNow().includes("by-a-per"));
    expect(await bash.session.sendInput("echo ours")).toContain("begun a line");
    await bash.type("son\r");
    await eventually(() => showsNow().includes("\nby-a-person\n"));
    expect((await leave("exit 0")).text).not.toContain("ours");
  });

  it("another size of the terminal reaches the other side, and changes no output", async () => {
    await hop("there> ");
    const size = { cols: 47, rows: 11 };
    bash.terminal.resize(size);
    bash.screen.resize(size);
    await say("echo si''ze $(stty size)", "size 11 47");
    await leave("exit 0");
    bash.terminal.resize({ cols: 80, rows: 24 });
    bash.screen.resize({ cols: 80, rows: 24 });
  });

  it("a connection that breaks ends the command with ssh's own code", async () => {
    await hop("there> ");
    // The parent of the shell over there serves this connection.
    expect(await bash.session.sendInput("kill -KILL $PPID")).toBeNull();
    expect(await bash.session.wait({ timeoutMs: 60_000 })).toMatchObject({
      state: "finished",
      exitCode: 255,
    });
    await expectSound();
  });

  it("a job over there that prints later stays in its own command", async () => {
    await bash.run(`${server.command} 'sleep 0.3; echo later' &`);
    const { output, exitCode } = await bash.run("wait; echo done; (exit 5)");
    expect(output.text).toContain("later\n");
    expect(exitCode).toBe(5);
    await expectSound();
  });
});
