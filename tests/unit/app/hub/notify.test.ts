/**
 * The hub calls the person at this machine for a new prompt by bell, OSC 9 or notify-send, as the key `notify` says, and not in
 * quiet hours. No secret and no control sequence is in the call.
 */
import { describe, expect, it } from "vitest";
import { createNotifier, type NotifierParts } from "../../../../src/app/hub/notify.js";

const NOON = new Date(2026, 0, 5, 12, 0).getTime();
const HOUR_MS = 3_600_000;

function desk(now = NOON) {
  const written: string[] = [];
  const commands: (readonly string[])[] = [];
  const port: NotifierParts = {
    write: (text) => written.push(text),
    run: (command, args) => commands.push([command, ...args]),
    now: () => now,
  };
  return { written, commands, port };
}

const question = (over: object = {}) => ({
  tool: "claude",
  type: "multiple_choice" as const,
  excerpt: "Run <it> & go?",
  createdAt: new Date(NOON + 1).toISOString(),
  ...over,
});

describe("when a prompt is raised", () => {
  it("the person is called in every way that is configured, and in no other", () => {
    const { written, commands, port } = desk();
    createNotifier({ notify: ["bell", "osc9", "notify-send"], quiet_hours: null }, port)(question());
    expect(written).toEqual(["\u0007", "\u001b]9;AtlasBridge, claude asks: Run <it> & go?\u0007"]);
    expect(commands).toEqual([
      ["notify-send", "--app-name=AtlasBridge", "--", "AtlasBridge, claude asks", "Run &lt;it&gt; &amp; go?"],
    ]);
    const silent = desk();
    createNotifier({ notify: [], quiet_hours: null }, silent.port)(question());
    expect([silent.written, silent.commands]).toEqual([[], []]);
  });

  it("the call holds no control sequence, no secret and no second line", () => {
    const { written, port } = desk();
    const excerpt = "a\u0007\u001b]0;owned\u001b\\\nb\u202e token=abcdefghijklmnop";
    createNotifier({ notify: ["osc9"], quiet_hours: null }, port)(question({ excerpt }));
    const inner = written.join("").slice("\u001b]9;".length, -1);
    expect(inner).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(inner).not.toContain("abcdefghijklmnop");
    const secret = desk();
    createNotifier({ notify: ["osc9"], quiet_hours: null }, secret.port)(question({ type: "secret" }));
    expect(secret.written.join("")).not.toContain("Run");
  });

  it("the person is called in the quiet hours for prompts of urgent classes alone", () => {
    const { written, port } = desk();
    const quiet_hours = { from: "11:00", to: "13:00", urgent: ["destructive" as const] };
    const call = createNotifier({ notify: ["bell"], quiet_hours }, port);
    call(question({ classes: ["permission"] }));
    expect(written).toEqual([]);
    call(question({ classes: ["permission", "destructive"] }));
    expect(written).toEqual(["\u0007"]);
  });

  it("nobody is called in the quiet hours, nor for an earlier prompt", () => {
    const { written, port } = desk();
    createNotifier({ notify: ["bell"], quiet_hours: { from: "11:00", to: "13:00" } }, port)(question());
    const before = new Date(NOON - HOUR_MS).toISOString();
    createNotifier({ notify: ["bell"], quiet_hours: null }, port)(question({ createdAt: before }));
    expect(written).toEqual([]);
  });

  it("where there is no terminal the desktop is still called", () => {
    const { commands, port } = desk();
    createNotifier(
      { notify: ["bell", "notify-send"], quiet_hours: null },
      { ...port, write: null },
    )(question());
    expect(commands).toHaveLength(1);
  });
});
