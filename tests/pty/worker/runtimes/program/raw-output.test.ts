/** The bytes that are kept of a command's output are all that it printed, and nothing that its shell printed around it. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { removeAddedReturns } from "../../../../../src/cli/console/added-returns.js";
import type { CommandResult } from "../../../../../src/worker/runtimes/program/output/command-result.js";
import { openTestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

function readBytes({ output: { raw, rawFile } }: CommandResult): string {
  return Buffer.from(removeAddedReturns(rawFile === null ? raw : readFileSync(rawFile))).toString("latin1");
}

describe.each(["bash", "zsh", "fish", "dash"])("in %s", (shell) => {
  it.skipIf(skipped(notInstalled(shell)))("they are those of the command", async () => {
    const opened = await openTestProgram(shell);
    try {
      expect(readBytes(await opened.run(String.raw`printf 'a\tb\000\377\n10%%\r20%%'`))).toBe(
        "a\tb\0\xff\n10%\r20%",
      );
      const long = Array.from({ length: 30_000 }, (_, n) => `${n + 1}\n`).join("");
      const result = await opened.run("seq 1 30000");
      expect(result.output.cut).toBeGreaterThan(0);
      expect(readBytes(result)).toBe(long);
      expect(readBytes(await opened.run("no-such-command-anywhere"))).toMatch(/no-such-command-anywhere/);
      expect(readBytes(await opened.run("true"))).toBe("");
    } finally {
      await opened.close();
    }
  });
});

afterEach(() => vi.unstubAllEnvs());

const SHELLS = ["bash", "zsh", "fish"].filter((shell) => !skipped(notInstalled(shell)));

/** Under tmux fish asks for reports of focus, and each terminal has its own plain colours, or no title. */
describe.each(["screen", "tmux-256color", "linux", "rxvt-unicode-256color", "xterm-256color"])(
  "under %s",
  (term) => {
    it.each(SHELLS)("%s and what it prints around a command are told apart", async (shell) => {
      vi.stubEnv("TERM", term);
      vi.stubEnv("TMUX", "/tmp/no-tmux,1,0");
      const opened = await openTestProgram(shell);
      try {
        expect(readBytes(await opened.run("printf abc"))).toBe("abc");
        const own = String.raw`\033[?2004l\033[?1004l\033[30m\rabc`;
        expect(readBytes(await opened.run(`printf '${own}'`))).toBe("\x1b[?2004l\x1b[?1004l\x1b[30m\rabc");
      } finally {
        await opened.close();
      }
    });
  },
);

describe.each([
  ["python", "python3", "print('x', end=''); print('y')", "xy\n"],
  ["gdb", "gdb", String.raw`printf "a\tb\n"`, "a\tb\n"],
  ["sqlite3", "sqlite3", "select 'a' || char(9) || 'b';", "a\tb\n"],
])("in %s", (name, executable, command, printed) => {
  it.skipIf(skipped(notInstalled(executable)))("the prompt is none of them", async () => {
    const opened = await openTestProgram(name);
    try {
      const result = await opened.run(command);
      expect(readBytes(result)).toBe(printed);
      expect(result.output.bytes).toBe(result.output.raw.length);
    } finally {
      await opened.close();
    }
  });
});
