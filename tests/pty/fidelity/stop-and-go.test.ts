/** Ctrl-Z, `fg`, `bg`, `kill` and stop signals act on a run as on any other job of the user's shell (ADR 8). */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isAlive, runAround } from "../../support/rig/processes.js";
import { RealTerminal } from "../../support/real-cli/terminal.js";
import { environment, until } from "../support/tools.js";
import { KEY, noShell, RUN, RUN_ARGUMENTS, type ShellWindow, withWindow } from "./support/shell-window.js";
import { notLinux, skipped } from "../../support/skipped.js";

/** The settings that line editing of the shell stands on, as `stty -g` of a fresh command finds them. */
const settings = (window: ShellWindow) => window.answer("stty -g");

async function pidIn(window: ShellWindow, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await window.until(pattern))![1]);
}

describe.skipIf(skipped(noShell ?? notLinux)).concurrent("a run in a shell", () => {
  it("stops on Ctrl-Z like its tool, gives the terminal back, and goes on with fg", () =>
    withWindow(async (window) => {
      const before = await settings(window);
      window.enter(`${RUN} sh -c 'echo ready; read -r a; echo "got $a"; read -r b; exit 7'`);
      await window.until(/ready\r\n/);
      window.type(KEY.ctrlZ);
      expect(await window.prompt(148)).toMatch(/Stopped/);
      expect(await settings(window)).toBe(before);
      await window.bringBack();
      window.enter("hello");
      await window.until(/got hello\r\n/);
      window.type(KEY.ctrlZ);
      await window.prompt(148);
      await window.bringBack();
      window.enter("");
      await window.prompt(7);
      expect(await settings(window)).toBe(before);
    }));

  it("stops with a tool that stops itself, by either signal, and wakes it", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'echo one; kill -STOP $$; echo two; kill -TSTP 0; echo three'`);
      expect(await window.prompt(148)).toMatch(/one\r\n[^]*Stopped/);
      window.enter("fg");
      expect(await window.prompt(148)).toMatch(/two\r\n[^]*Stopped/);
      window.enter("fg");
      expect(await window.prompt(0)).toMatch(/three\r\n/);
    }));

  it("leaves Ctrl-Z to a shell inside", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} bash --norc --noprofile`);
      await window.prompt();
      window.enter("sleep 30 & sh -c 'echo inside; exec sleep 31'");
      await window.until(/inside\r\n/);
      window.type(KEY.ctrlZ);
      await window.prompt(148);
      expect(await window.answer("jobs | grep -c sleep")).toContain("2\n");
      expect(
        await window.answer('kill %1 %2; wait %1 %2; test -n "$ATLASBRIDGE_SESSION" && echo still inside'),
      ).toMatch(/still inside/);
      // `suspend` stops the inner shell itself: then the outer one has the terminal.
      window.enter("suspend");
      await window.prompt(148);
      expect(await window.answer("echo [$ATLASBRIDGE_SESSION]")).toBe("[]");
      await window.bringBack();
      window.enter("exit 5");
      await window.prompt(5);
    }));

  it("is ended by kill while it is stopped, and while it was sent to the background", () =>
    withWindow(async (window) => {
      for (const meanwhile of ["true", "bg"]) {
        window.enter(`${RUN} sh -c 'echo "pid $$."; exec sleep 60'`);
        const tool = await pidIn(window, /pid (\d+)\./);
        window.type(KEY.ctrlZ);
        await window.prompt(148);
        await window.answer(meanwhile);
        await window.answer("kill %1; wait");
        await until(() => !isAlive(tool));
        await until(async () => !/Stopped|Running/.test(await window.answer("jobs")));
      }
    }));

  it("that is started in the background waits for its turn, and starts its tool with fg", () =>
    withWindow(async (window) => {
      const before = await settings(window);
      window.enter(`${RUN} sh -c 'echo started; read -r a; echo "got $a"' &`);
      await window.prompt();
      await until(async () => /Stopped/.test(await window.answer("jobs")));
      expect(await settings(window)).toBe(before);
      expect(window.text).not.toContain("started\r\n");
      await window.bringBack();
      await window.until(/started\r\n/);
      window.enter("word");
      await window.until(/got word\r\n/);
      await window.prompt(0);
    }));

  it("learns the size that its terminal got while it was stopped", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'trap "stty size" WINCH CONT; echo ready; while :; do sleep 0.05; done'`);
      await window.until(/ready\r\n/);
      window.type(KEY.ctrlZ);
      await window.prompt();
      window.terminal.resize({ cols: 101, rows: 33 });
      window.enter("fg");
      await window.until(/33 101\r\n/);
      window.type(KEY.ctrlC);
      await window.prompt(130);
    }));

  it("passes SIGTSTP on to its tool, which may handle it", () =>
    withWindow(async (window) => {
      window.enter(
        `${RUN} bash -c 'trap "echo not now" TSTP; echo "pid $$."; while :; do read -rt 0.1; done'`,
      );
      const tool = await pidIn(window, /pid (\d+)\./);
      process.kill(runAround(tool)!, "SIGTSTP");
      await window.until(/not now\r\n/);
      window.type(KEY.ctrlC);
      await window.prompt(130);
    }));

  it("stops on SIGTSTP with its tool", () =>
    withWindow(async (window) => {
      const before = await settings(window);
      window.enter(`${RUN} sh -c 'echo "pid $$."; read -r a; exit 3'`);
      const tool = await pidIn(window, /pid (\d+)\./);
      process.kill(runAround(tool)!, "SIGTSTP");
      await window.prompt(148);
      expect(await settings(window)).toBe(before);
      await window.bringBack();
      window.enter("");
      await window.prompt(3);
    }));

  it("that was stopped by SIGSTOP makes its terminal raw again, and its tool is notified", () =>
    withWindow(async (window) => {
      window.enter(
        `${RUN} sh -c 'trap "echo continued" CONT; echo "pid $$."; while ! read -r a; do :; done; exit 3'`,
      );
      const tool = await pidIn(window, /pid (\d+)\./);
      process.kill(runAround(tool)!, "SIGSTOP");
      await window.prompt(147);
      window.enter("fg");
      await window.until(/continued\r\n/);
      expect(await hasRawMode(window)).toBe(true);
      window.enter("");
      await window.prompt(3);
    }));

  const vim = ["/usr/bin/vim", "/usr/bin/vim.tiny"].find((file) => existsSync(file));
  it.skipIf(skipped(vim ? null : "there is no vim"))(
    "with vim in it: the shell's screen comes back, and then vim's",
    () =>
      withWindow(async (window) => {
        window.enter(`${RUN} ${vim} -u NONE -n -c 'set t_RV= t_u7='`);
        await window.until(/~/);
        window.type(`iabc${KEY.escape}`);
        await window.until(/abc/);
        window.type(KEY.ctrlZ);
        const left = await window.prompt(148);
        expect(left).toContain("\x1b[?1049l");
        window.enter("fg");
        await window.until(/\x1b\[\?1049h[^]*abc/);
        window.type(":q!\r");
        await window.prompt(0);
      }),
  );
});

async function hasRawMode(window: ShellWindow): Promise<boolean> {
  const { TtyFacts } = await import("../../../src/worker/process/facts/tty-facts.js");
  const { canonical, echo } = await new TtyFacts(window.terminal).read();
  return canonical === false && echo === false;
}

describe("a run that no shell could continue", () => {
  it("goes on at once when its tool stops", async () => {
    // It leads the session of its terminal, as in a window that was opened for it.
    const [file, ...args] = RUN_ARGUMENTS;
    const command = { file, args: [...args, "sh", "-c", "echo one; kill -STOP $$; echo two; exec cat"] };
    const outer = new RealTerminal({ ...command, cwd: process.cwd(), env: environment() });
    await outer.waitFor(/two/);
    await outer.close();
  });
});
