/** Whether a tool was ended, or ended by itself, as its exit says it. */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/observe/clock.js";
import { TerminalDriver } from "../../../../src/worker/answer/terminal-driver.js";
import type { Terminal } from "../../../../src/worker/process/terminal.js";
import { Screen } from "../../../../src/worker/screen/screen.js";

async function wasEnded(exit: Awaited<Terminal["exited"]>): Promise<boolean> {
  const exited = Promise.resolve(exit);
  const terminal: Partial<Terminal> = { exited };
  const driver = new TerminalDriver(terminal as Terminal, new Screen({ cols: 80, rows: 24 }), systemClock, {
    detect: () => null,
    detectState: () => null,
    hasEmptyComposer: () => false,
    typedAt: () => -Infinity,
    foregroundGroup: () => null,
    isEnding: () => false,
  });
  await exited;
  return driver.wasEnded();
}

describe("a tool that is gone", () => {
  it.each([
    ["with no failure", 0, null, false],
    ["with a failure", 1, null, false],
    ["with 128", 128, null, false],
    ["with the code of a signal", 143, null, true],
    ["with the code of the last signal", 192, null, true],
    ["with a code of its own, as gemini does to be started anew", 199, null, false],
    ["by a signal", null, 9, true],
  ] as const)("%s", async (_, exitCode, signal, ended) => {
    expect(await wasEnded({ exitCode, signal, signalName: null })).toBe(ended);
  });
});
