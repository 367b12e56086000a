/** Ctrl-Z and `fg` at the questions of `setup` and in `watch`, also where a starter such as npx stands between them and the shell. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skipped } from "../../support/skipped.js";
import { KEY, noShell, RUN_ARGUMENTS, type ShellWindow, withWindow } from "./support/shell-window.js";

const [NODE, MAIN] = RUN_ARGUMENTS;
const HIDDEN = /Paste the bot token here \(it is not shown\): $/;
const SERVER = /Is it your server\? \[y\/N\] (?:\x1b\[\d+G)?$/;
const TOKEN = "123456789:AAsecret-token_0123456789abcdefghijk";

/** Nobody listens there, and nothing is sent before the question about it. */
const ADDRESS = "channels:\n  telegram:\n    api_root: http://127.0.0.1:9\n";

/** What the shell starts and waits for. */
const STARTERS = {
  itself: (command: string) => command,
  "a starter around it": (command: string) => `sh -c '${command}; exit $?'`,
};

async function inHome(
  work: (window: ShellWindow, own: (words: string) => string) => Promise<void>,
  config = ADDRESS,
) {
  const home = mkdtempSync(join(tmpdir(), "atb-stop-"));
  writeFileSync(join(home, "config.yaml"), config);
  try {
    const own = (words: string) => `${NODE} ${MAIN} ${words}`;
    await withWindow((window) => work(window, own), { cols: 140, rows: 60 }, { ATLASBRIDGE_HOME: home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** `fg` shows the command again, and then the command shows itself. */
async function bringBack(window: ShellWindow, sign: RegExp): Promise<void> {
  window.enter("fg");
  await window.until(new RegExp(`fg\\r\\n[^]*${sign.source}`));
}

describe.skipIf(skipped(noShell)).concurrent("at Ctrl-Z", () => {
  it.each(Object.entries(STARTERS))("a question stops and goes on when the shell started %s", (_, start) =>
    inHome(async (window, own) => {
      const before = await window.answer("stty -g");
      window.enter(start(own("setup")));
      await window.until(HIDDEN);
      window.type(TOKEN.slice(0, 5));
      window.type(KEY.ctrlZ);
      await window.prompt(148);
      expect(await window.answer("stty -g")).toBe(before);
      await bringBack(window, HIDDEN);
      window.enter(TOKEN);
      await window.until(SERVER);
      window.type(KEY.ctrlZ);
      await window.prompt(148);
      expect(await window.answer("stty -g")).toBe(before);
      await bringBack(window, SERVER);
      window.type("x");
      window.type(KEY.ctrlZ);
      await window.prompt(148);
      await bringBack(window, /Is it your server\? \[y\/N\] x/);
      window.enter("");
      await window.until(/Nothing was sent there/);
      expect(await window.prompt()).not.toMatch(/bug:/);
      expect(window.text).not.toContain(TOKEN.slice(5));
      expect(await window.answer("stty -g")).toBe(before);
    }),
  );

  it("a hidden question does not stop below a starter that would not stop, and stays hidden", () =>
    inHome(async (window, own) => {
      window.enter(`bash -c 'trap : TSTP; ${own("setup")}; exit $?'`);
      await window.until(HIDDEN);
      window.type(KEY.ctrlZ);
      window.enter(TOKEN);
      await window.until(SERVER);
      window.type(KEY.ctrlC);
      await window.prompt();
      expect(window.text).not.toContain(TOKEN);
    }));

  it("a question that was stopped by another signal is hidden again", () =>
    inHome(async (window, own) => {
      window.enter(`sh -c 'echo "pid $$."; exec ${own("setup")}'`);
      const pid = Number(/pid (\d+)/.exec(await window.until(/pid \d+\.[^]*it is not shown\): $/))![1]);
      process.kill(pid, "SIGSTOP");
      await window.prompt(147);
      await bringBack(window, HIDDEN);
      window.enter(TOKEN);
      await window.until(SERVER);
      window.type(KEY.ctrlC);
      await window.prompt();
      expect(window.text).not.toContain(TOKEN);
    }));

  it.each(Object.entries(STARTERS))("`watch` gives its screen back and draws anew: %s", (_, start) =>
    inHome(async (window, own) => {
      const before = await window.answer("stty -g");
      window.enter(start(own("watch")));
      await window.until(/\x1b\[\?1049h[^]*hub/);
      window.type(KEY.ctrlZ);
      expect(await window.prompt(148)).toContain("\x1b[?1049l");
      expect(await window.answer("stty -g")).toBe(before);
      await bringBack(window, /\x1b\[\?1049h[^]*hub/);
      window.type("q");
      await window.until(/\x1b\[\?1049l/);
      await window.prompt(0);
      expect(await window.answer("stty -g")).toBe(before);
    }, ""),
  );
});
