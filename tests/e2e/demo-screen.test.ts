/**
 * In a terminal the demo shows each prompt twice, in the agent's terminal and on a phone, and a key answers on the phone. It ends
 * with the next command.
 */
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { MAIN } from "../support/hub-home.js";
import { RealTerminal } from "../support/real-cli/terminal.js";
import { cleanEnv } from "../support/real-cli/workspace.js";

it("shows the same prompt in the terminal and on a phone at 80×24, and says what to run next", async () => {
  const command = { file: process.execPath, args: [MAIN, "demo"], cwd: tmpdir(), env: cleanEnv(tmpdir()) };
  const terminal = new RealTerminal(command, { cols: 80, rows: 24 });
  try {
    await terminal.waitFor(/Question 1 of 5[\s\S]*❯ 1\. Yes[\s\S]*\[ 1\. Yes +\]/);
    terminal.press("\r");
    await terminal.waitFor(/✅ Yes, by[\s\S]*● permission: Yes/);
    for (const question of [2, 3, 4, 5]) {
      await terminal.waitFor(new RegExp(`Question ${question} of 5`));
      terminal.press("\r");
    }
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toMatch(/targets +Linux, Windows/);
    expect(terminal.screen).toMatch(/setup$/m);
  } finally {
    await terminal.close();
  }
});
