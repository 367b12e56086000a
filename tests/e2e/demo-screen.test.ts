/**
 * In a terminal the demo shows each prompt twice, in the agent's terminal and on a phone, and a key answers on the phone. It ends
 * with the next command.
 */
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";

function startDemo(cols: number, rows: number): RealTerminal {
  const command = { file: process.execPath, args: [MAIN, "demo"], cwd: tmpdir(), env: cleanEnv(tmpdir()) };
  return new RealTerminal(command, { cols, rows });
}

it("shows the same prompt in the terminal and on a phone at 80×24, and says what to run next", async () => {
  const terminal = startDemo(80, 24);
  try {
    await terminal.waitFor(/Question 1 of 5[\s\S]*❯ 1\. Yes[\s\S]*\[ 1\. Yes +\]/);
    terminal.press("\r");
    // The answer of the phone is seen at the terminal beside it: no second terminal is needed.
    await terminal.waitFor(/✅ Yes, by/);
    expect(terminal.screen).toContain("● permission: Yes");
    for (const question of [2, 3, 4, 5]) {
      await terminal.waitFor(new RegExp(`Question ${question} of 5`));
      terminal.press("\r");
    }
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toMatch(/targets +Linux, Windows/);
    expect(terminal.screen).toMatch(/^ {2}\S.* setup$/m);
  } finally {
    await terminal.close();
  }
});

it("shows every button of the first question at 60×20, and says what to run next when it is left", async () => {
  const terminal = startDemo(60, 20);
  try {
    await terminal.waitFor(/❯ 1\. Yes[\s\S]*\[ 1\. Yes +\][\s\S]*\[ 3\. No +\]/);
    terminal.press("q");
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toMatch(/^ {2}\S.* setup$/m);
  } finally {
    await terminal.close();
  }
});
