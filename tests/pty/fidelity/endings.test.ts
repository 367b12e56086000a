/** The user's terminal is as before after every end of a run, and the shell gets the tool's exit code or signal. */
import { makeFileFolder } from "../../support/temporary-folder.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Screen } from "../../../src/worker/screen/screen.js";
import { isAlive, runAround } from "../../support/rig/processes.js";
import { until } from "../support/tools.js";
import { KEY, noShell, RUN, type ShellWindow, withWindow } from "./support/shell-window.js";
import { notLinux, skipped } from "../../support/skipped.js";

const folder = makeFileFolder("endings");

/** A bug in us, some time after the tool has started. */
const CRASH = join(folder, "crash.mjs");
writeFileSync(CRASH, 'setTimeout(() => process.once("SIGUSR2", () => { throw new Error("a bug"); }));\n');

/** A full-screen tool in full swing: every mode switched, its terminal raw. */
const DRAWS = String.raw`printf "\033[?1049h\033[?1000h\033[?1006h\033[?1004h\033[?2004h\033[?1h\033=\033[?25l\033[>1u\033[1;31m"; stty raw -echo; printf "pid %s.\r\n" $$; exec sleep 60`;
const DRAWS_ON = DRAWS.replace("exec sleep 60", "trap '' TERM HUP; while :; do sleep 1; done");
const TIDIES_UP = DRAWS.replace(
  "exec sleep 60",
  String.raw`printf "\033[<u\033[?25h\033>\033[?1l\033[?2004l\033[?1004l\033[?1006l\033[?1000l\033[?1049l\033[m"; exit 7`,
);

/** Runs a tool that prints its number; resolves with it. */
async function startTool(window: ShellWindow, script: string, before = ""): Promise<number> {
  writeFileSync(join(folder, `${script.length}.sh`), script);
  window.enter(`${before} ${RUN} sh ${join(folder, `${script.length}.sh`)}`);
  return Number(/pid (\d+)\./.exec(await window.until(/pid (\d+)\./))![1]);
}

/** Modes that a shell would not have left, seen by a terminal that was there all the time. */
function leftModes({ text }: ShellWindow): string {
  const screen = new Screen({ cols: 80, rows: 24 });
  screen.write(Buffer.from(text, "latin1"));
  return screen.undoModes();
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 } as const;
type SignalName = keyof typeof SIGNALS;

describe.skipIf(skipped(noShell ?? notLinux)).concurrent("the terminal is as it was", () => {
  const endings: readonly [string, SignalName, string, "tool" | "us"][] = [
    ["SIGKILL to the tool", "SIGKILL", DRAWS, "tool"],
    ["SIGTERM to the tool", "SIGTERM", DRAWS, "tool"],
    ["SIGHUP to us", "SIGHUP", DRAWS, "us"],
    ["SIGINT to us", "SIGINT", DRAWS, "us"],
    ["SIGQUIT to us", "SIGQUIT", DRAWS, "us"],
    ["SIGTERM to us", "SIGTERM", DRAWS, "us"],
  ];
  it.each(endings)("after %s", (_, signal, script, whom) =>
    withWindow(async (window) => {
      const before = await window.answer("stty -g");
      const tool = await startTool(window, script);
      process.kill(whom === "tool" ? tool : runAround(tool)!, signal);
      await window.prompt(128 + SIGNALS[signal]);
      expect(await window.answer("stty -g")).toBe(before);
      expect(leftModes(window)).toBe("");
      await until(() => !isAlive(tool));
    }),
  );

  it("after SIGTERM to us, when the tool is deaf to it and has to be killed", () =>
    withWindow(async (window) => {
      const before = await window.answer("stty -g");
      const tool = await startTool(window, DRAWS_ON);
      process.kill(runAround(tool)!, "SIGTERM");
      await window.prompt(128 + SIGNALS.SIGKILL);
      expect(await window.answer("stty -g")).toBe(before);
      expect(leftModes(window)).toBe("");
    }));

  it("after a bug of ours, with its message on the shell's screen", () =>
    withWindow(async (window) => {
      const before = await window.answer("stty -g");
      const tool = await startTool(window, DRAWS, `NODE_OPTIONS="--import file://${CRASH}"`);
      process.kill(runAround(tool)!, "SIGUSR2");
      const shown = await window.prompt();
      expect(shown.indexOf("a bug")).toBeGreaterThan(shown.indexOf("\x1b[?1049l"));
      expect(await window.answer("stty -g")).toBe(before);
      expect(leftModes(window)).toBe("");
      await until(() => !isAlive(tool));
    }));

  it("after the tool's own end, with nothing added to what it said", () =>
    withWindow(async (window) => {
      const before = await window.answer("stty -g");
      await startTool(window, TIDIES_UP);
      expect(await window.prompt(7)).toBe(`\r\n${TIDIED}[7]$ `);
      expect(await window.answer("stty -g")).toBe(before);
    }));

  it("after a tool that left a mode on, except for that mode", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'printf "\\033[?1000hdone\\r\\n"'`);
      await window.prompt(0);
      expect(leftModes(window)).toContain("\x1b[?1000l");
    }));
});

const TIDIED = "\x1b[<u\x1b[?25h\x1b>\x1b[?1l\x1b[?2004l\x1b[?1004l\x1b[?1006l\x1b[?1000l\x1b[?1049l\x1b[m";

describe.skipIf(skipped(noShell)).concurrent("a tool in a run", () => {
  it("that ends at once has all its output written, in the form that its terminal gives it", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} printf 'one\\ntwo'`);
      expect(await window.prompt(0)).toMatch(/\r\none\r\ntwo\[0\]\$ $/);
      window.enter(`${RUN} true`);
      await window.prompt(0);
      window.enter(`${RUN} false`);
      await window.prompt(1);
    }));

  it("that leaves children behind ends, and they go on as they would without us", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'sleep 77 <&- >&- 2>&- & echo "pid $!."'`);
      const child = Number(/pid (\d+)\./.exec(await window.prompt(0))![1]);
      expect(isAlive(child)).toBe(true);
      process.kill(child, "SIGKILL");
    }));

  it("that does not read its input delays nothing", () =>
    withWindow(async (window) => {
      window.enter(`${RUN} sh -c 'stty raw -echo; printf "pid %s." $$; exec sleep 60'`);
      const tool = Number(/pid (\d+)\./.exec(await window.until(/pid (\d+)\./))![1]);
      window.type("typed in vain ".repeat(20_000));
      process.kill(tool, "SIGTERM");
      await window.until(/\[143\]\$ /);
    }));

  it("is interrupted and quit by keys while its terminal is in line mode", () =>
    withWindow(async (window) => {
      for (const [key, code] of [
        [KEY.ctrlC, 130],
        ["\x1c", 131],
      ] as const) {
        window.enter(`ulimit -c 0; ${RUN} sh -c 'echo ready; exec sleep 60'`);
        await window.until(/ready\r\n/);
        window.type(key);
        await window.prompt(code);
      }
      window.enter(`${RUN} sh -c 'echo ready; cat; echo through'`);
      await window.until(/ready\r\n/);
      window.type(KEY.ctrlD);
      expect(await window.prompt(0)).toContain("through");
    }));

  it.skipIf(skipped(notLinux))("gets its own signals, and no debugger of ours is opened", () =>
    withWindow(async (window) => {
      const words = `trap "echo one" USR1; echo "pid $$."; while :; do sleep 0.05; done`;
      window.enter(`${RUN} sh -c '${words}'`);
      const tool = Number(/pid (\d+)\./.exec(await window.until(/pid (\d+)\./))![1]);
      process.kill(runAround(tool)!, "SIGUSR1");
      await window.until(/one\r\n/);
      process.kill(runAround(tool)!, "SIGUSR2");
      expect(await window.prompt(140)).not.toContain("Debugger");
    }),
  );

  it("finds the settings of the user's terminal", () =>
    withWindow(async (window) => {
      await window.answer("stty -ixon erase ^H intr ^Y");
      const bare = await window.answer("stty -a");
      expect(await window.answer(`${RUN} stty -a`)).toBe(bare);
      expect(bare).toMatch(/-ixon/);
    }));
});
