/** The real claude runs with the fake model: its dialog runs nothing until it is answered, and each answer has its effect once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAKE_FILE, timesRun } from "../support/fake-anthropic/scenarios.js";
import { FakeAnthropic } from "../support/fake-anthropic/server.js";
import { type ClaudeCommand, installClaude, prepareClaude } from "../support/real-cli/claude.js";
import { KEYS, RealTerminal } from "../support/real-cli/terminal.js";

const installed = await installClaude();

const INPUT_BOX = /^❯\u00a0/m;
const BASH_DIALOG = /Do you want to proceed\?\s+❯ 1\. Yes[\s\S]+\d\. No\s+Esc to cancel/;

describe.skipIf(!installed.ok)("the real claude with the fake Anthropic API", () => {
  let api: FakeAnthropic;
  let claude: ClaudeCommand;
  let terminal: RealTerminal;

  beforeEach(async () => {
    api = await FakeAnthropic.start();
    claude = prepareClaude({ modules: installed.ok ? installed.modules : "", apiUrl: api.url });
    api.setWorkspace(claude.cwd);
    terminal = new RealTerminal(claude);
    await terminal.waitFor(INPUT_BOX);
    await terminal.submit("please run [[bash]]");
    await terminal.waitFor(BASH_DIALOG);
    await terminal.settled();
  });

  afterEach(async () => {
    await terminal.close();
    await api.close();
    await claude.dispose();
  });

  it("shows the Bash dialog and runs nothing meanwhile", () => {
    expect(terminal.screen).toContain(MAKE_FILE);
    expect(timesRun(claude.cwd)).toBe(0);
  });

  it("runs the command on 1, once", async () => {
    terminal.press("1");
    await terminal.waitFor(/All done\./);
    expect(timesRun(claude.cwd)).toBe(1);
    expect(api.toolResults("bash")).toEqual([expect.objectContaining({ isError: false })]);
  });

  it("does not run the command on Esc, and tells the model so", async () => {
    terminal.press(KEYS.esc);
    await terminal.waitFor(INPUT_BOX);
    // The refusal travels with the next message.
    await terminal.submit("and now [[plain]]");
    await terminal.waitFor(/This is a plain answer\./);
    expect(api.toolResults("bash")).toEqual([expect.objectContaining({ isError: true })]);
    expect(timesRun(claude.cwd)).toBe(0);
  });
});
