/** The scenarios of the fake model lead the real claude to the dialogs that the other suites count on. */
import { afterEach, describe, expect, it } from "vitest";
import { timesRun } from "../support/fake-anthropic/scenarios.js";
import { FakeAnthropic } from "../support/fake-anthropic/server.js";
import {
  type ClaudeCommand,
  type ClaudeOptions,
  installClaude,
  prepareClaude,
} from "../support/real-cli/claude.js";
import { KEYS, RealTerminal } from "../support/real-cli/terminal.js";

const installed = await installClaude();

const INPUT_BOX = /^❯\u00a0/m;
const BUSY = /esc to interrupt/;
const IDLE = /\? for shortcuts/;
const PROCEED = /Do you want to proceed\?\s+❯ 1\. Yes/;

/** Every scenario, and what the real claude has on its screen then. */
const cases: readonly [scenario: string, screen: RegExp, options?: Partial<ClaudeOptions>][] = [
  ["bash", PROCEED],
  ["bash-long", PROCEED],
  ["write", /Do you want to create new-file\.ts\?\s+❯ 1\. Yes/],
  ["edit", /Do you want to make this edit to app\.py\?\s+❯ 1\. Yes/],
  ["webfetch", /Do you want to allow Claude to fetch this content\?\s+❯ 1\. Yes/],
  ["mcp", /ops — Deploy Tool[\s\S]+Do you want to proceed\?\s+❯ 1\. Yes/, { mcp: true }],
  ["ask", /Which database should we use\?\s+❯ 1\. PostgreSQL/],
  ["ask-multi", /Which features do you want to enable\?\s+❯ 1\. \[ \] Auth/],
  ["plan", /Add a retry helper[\s\S]+❯ 1\. Yes, and use auto mode/, { permissionMode: "plan" }],
  ["plain", /This is a plain answer\.[\s\S]+\? for shortcuts/],
  ["plain-question", /continue\? \(y\/n\)[\s\S]+\? for shortcuts/],
  ["lookalikes", /❯ 1\. Yes[\s\S]+\(yes\/no\)[\s\S]+\? for shortcuts/],
  ["lookalikes-slow", /Password:[\s\S]+esc to interrupt/],
  ["slow", /Paragraph 2\.[\s\S]+esc to interrupt/],
  ["overloaded", /retrying in [\s\S]+esc to interrupt/],
];

describe.skipIf(!installed.ok)("the scenarios of the fake model, in the real claude", () => {
  const api: FakeAnthropic[] = [];
  let claude: ClaudeCommand;
  let terminal: RealTerminal;

  async function play(scenario: string, options: Partial<ClaudeOptions> = {}): Promise<FakeAnthropic> {
    const fake = await FakeAnthropic.start();
    api.push(fake);
    claude = prepareClaude({ modules: installed.ok ? installed.modules : "", apiUrl: fake.url, ...options });
    fake.setWorkspace(claude.cwd);
    terminal = new RealTerminal(claude);
    await terminal.waitFor(INPUT_BOX);
    await terminal.submit(`please run [[${scenario}]]`);
    return fake;
  }

  afterEach(async () => {
    await terminal.close();
    await Promise.all(api.splice(0).map((fake) => fake.close()));
    await claude.dispose();
  });

  it.each(cases)("%s shows what it should", async (scenario, screen, options) => {
    await play(scenario, options);
    await terminal.waitFor(screen);
  });

  it("hold keeps the tool working until it is released", async () => {
    const fake = await play("hold");
    await terminal.waitFor(/Continue\? \(y\/n\)/);
    expect(terminal.screen).toMatch(BUSY);
    fake.release();
    await terminal.waitFor(IDLE);
  });

  it("asks twice for two calls in one message that look the same", async () => {
    const fake = await play("bash-twins");
    await answerYesTwice();
    expect(fake.toolResults("bash-twins").map((result) => result.isError)).toEqual([false, false]);
  });

  it("asks again when the same call comes again", async () => {
    const fake = await play("bash-again");
    await answerYesTwice();
    expect(fake.toolResults("bash-again").map((result) => result.isError)).toEqual([false, false]);
  });

  it("Esc at the first of two stacked dialogs refuses both calls", async () => {
    const fake = await play("bash-two");
    await terminal.waitFor(/touch first\.txt[\s\S]+❯ 1\. Yes/);
    await terminal.settled();
    terminal.press(KEYS.esc);
    await terminal.waitFor(INPUT_BOX);
    await terminal.submit("and now [[plain]]");
    await terminal.waitFor(/This is a plain answer\./);
    expect(fake.toolResults("bash-two").map((result) => result.isError)).toEqual([true, true]);
  });

  /** The two dialogs are the same to the eye; only the folder tells that the first answer had its effect. */
  async function answerYesTwice(): Promise<void> {
    for (const times of [1, 2]) {
      await terminal.waitFor(PROCEED);
      await terminal.settled();
      terminal.press("1");
      await expect.poll(() => timesRun(claude.cwd)).toBe(times);
    }
    await terminal.waitFor(/All done\./);
  }
});
