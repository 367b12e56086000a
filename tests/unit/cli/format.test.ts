/** The commands print a prompt, a session, the hub and a duration as text that shows the whole content and the true state. */
import { describe, expect, it } from "vitest";
import type { InspectedSession } from "../../../src/client/seen-sessions.js";
import {
  formatHub,
  formatOverview,
  formatPrompt,
  formatSessionLine,
  describeAnswerNotPickedUp,
} from "../../../src/cli/format.js";
import { describeNoOpenPrompts, NO_SHORT_ID } from "../../../src/model/no-open-prompts.js";
import type { HubStatus, ListedPrompt } from "../../../src/wire/listings.js";

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

const prompt = (over: Partial<ListedPrompt> = {}): ListedPrompt => ({
  shortId: "k7",
  promptId: "p1",
  sessionId: "s1",
  tool: "claude",
  type: "multiple_choice",
  safetyClass: "permission",
  confidence: "high",
  excerpt: "Do you want to proceed?",
  content: { text: "rm -rf build\nrm -rf dist", cut: null, hidden: null },
  choices: [
    { index: 1, label: "Yes", intent: "allow_once" },
    { index: 2, label: "No", intent: "reject_once" },
  ],
  defaultChoice: 1,
  state: "pending",
  createdAt: ago(120_000),
  expiresAt: new Date(NOW + 28 * 60_000).toISOString(),
  ...over,
});

const session = (over: Partial<InspectedSession> = {}): InspectedSession => ({
  sessionId: "0123456789",
  tool: "claude",
  label: null,
  cwd: "/home/ara/app",
  pid: 7,
  state: "waiting",
  said: null,
  connected: true,
  stopped: false,
  openPrompts: 1,
  inside: null,
  startedAt: ago(3_600_000),
  endedAt: null,
  ...over,
});

describe("a prompt as text", () => {
  it("shows the whole content, every choice and the default", () => {
    expect(formatPrompt(prompt(), NOW)).toEqual([
      "k7  claude · permission · confidence high · 2 min ago · expires in 28 min",
      "    Do you want to proceed?",
      "    rm -rf build",
      "    rm -rf dist",
      "    ❯ 1  Yes",
      "      2  No",
    ]);
  });

  it("says what is answered at the deadline where nobody did", () => {
    expect(formatPrompt(prompt({ expiryAnswer: "No" }), NOW)[0]).toContain(
      "expires in 28 min, then answered: No (not while paused)",
    );
  });

  it("says that it is refused at the deadline where nobody answers", () => {
    expect(formatPrompt(prompt({ refusedLate: true }), NOW)[0]).toMatch(/expires in 28 min, then refused$/);
  });

  it("says that content is missing, and how much", () => {
    const lines = formatPrompt(
      prompt({ content: { text: "rm", cut: { missing: "12 lines" }, hidden: null } }),
      NOW,
    );
    expect(lines).toContain("    ✂ It is not shown completely: 12 lines");
  });

  it("does not say the question twice and names what may be answered where there are no choices", () => {
    const lines = formatPrompt(
      prompt({
        type: "yes_no",
        choices: [],
        content: { text: "Do you want to proceed?", cut: null, hidden: null },
      }),
      NOW,
    );
    expect(lines.slice(1)).toEqual(["    Do you want to proceed?", "    answer: y or n"]);
  });

  it("does not say that there are no prompts while an ended one may still wait", () => {
    const ended = (shortId: string) => ({ shortId, state: "expired" as const });
    expect(describeNoOpenPrompts([], [])).toBe("No open prompts.");
    expect(describeNoOpenPrompts([ended("k7")], [])).toBe(
      "No prompt is open. k7 (expired) may still wait at its terminal: check there.",
    );
    expect(describeNoOpenPrompts([ended(NO_SHORT_ID)], [])).toBe(
      "No prompt is open. A prompt whose record was put aside may still wait at its terminal: check there.",
    );
    const many = describeNoOpenPrompts(["a1", "b2", "c3", "d4", "e5", "f6", "g7"].map(ended), []);
    expect(many).toMatch(
      /^No prompt is open\. 2 older, c3 \(expired\), .* may still wait at their terminals/,
    );
  });

  it("does not say that there are no prompts while the screen of a session cannot be read", () => {
    const line = (over: Parameters<typeof session>[0]) =>
      describeNoOpenPrompts([], [session({ tool: "sh", ...over })]);
    expect(line({})).toBe("No open prompts.");
    expect(line({ state: "screen_lost" })).toBe(
      "No prompt is open. sh: its screen cannot be read; check the terminal.",
    );
    expect(line({ stopped: true, label: "api" })).toContain(
      "sh (api): its AtlasBridge process is stopped; check the terminal.",
    );
    expect(line({ connected: false })).toContain("sh: it is not connected; check the terminal.");
    expect(line({ connected: false, state: "not_relayed" })).toContain(
      "sh: its AtlasBridge is too old for the hub; check the terminal.",
    );
    const five = describeNoOpenPrompts(
      [],
      Array.from({ length: 5 }, () => session({ connected: false })),
    );
    expect(five).toMatch(/The same holds for 2 more\.$/);
  });

  it("says the state of a settled one instead of its deadline", () => {
    expect(formatPrompt(prompt({ state: "withdrawn" }), NOW)[0]).toContain("· withdrawn · 2 min ago");
  });
});

describe("sessions and hub as text", () => {
  it("name the tool, what it does and whether it asks", () => {
    expect(formatSessionLine(session(), NOW)).toBe(
      "01234567  claude · waiting · 1 open · process 7 · for 1 h · /home/ara/app",
    );
  });

  it("say that an idle tool asked something in its last message", () => {
    const idle = { state: "idle", said: "Done. Shall I go on?", openPrompts: 0 } as const;
    expect(formatSessionLine(session(idle), NOW)).toContain(
      "claude · idle, its last message asks a question · process 7",
    );
  });

  it("say of an ended session when it ended and how long it ran", () => {
    const line = formatSessionLine(session({ endedAt: ago(60_000), connected: false, openPrompts: 0 }), NOW);
    expect(line).toBe("01234567  claude · ended 1 min ago · process 7 · for 59 min · /home/ara/app");
  });

  it("do not say of a lost session that its tool ended", () => {
    const line = formatSessionLine(session({ endedAt: ago(60_000), ending: "lost", connected: false }), NOW);
    expect(line).toContain("claude · lost 1 min ago");
  });

  it("say of a session whose process is stopped how it goes on, and nothing of what its tool did last", () => {
    expect(formatSessionLine(session({ stopped: true }), NOW)).toBe(
      "01234567  claude · stopped: `fg` at its terminal or `kill -CONT 7` continues it · 1 open · process 7 · for 1 h · /home/ara/app",
    );
  });

  it("say of a session that is not connected nothing of what its tool did last", () => {
    expect(formatSessionLine(session({ connected: false }), NOW)).toBe(
      "01234567  claude · not connected · 1 open · process 7 · for 1 h · /home/ara/app",
    );
    expect(formatSessionLine(session({ connected: false, stopped: true }), NOW)).toContain(
      "continues it · 1 open · not connected ·",
    );
  });

  it.each([
    [{ stopped: true }, "It is stopped: `fg` at its terminal or `kill -CONT 7` continues it."],
    [{}, "It does not respond."],
    [{ connected: false }, "It is not connected."],
  ])("say why an answer is not taken: %j", (over, why) => {
    expect(describeAnswerNotPickedUp("k7", session(over))).toBe(
      `k7: the session of claude (process 7) has not picked the answer up yet. ${why} Still waiting.`,
    );
  });

  it("say what is wrong with a channel and what to do about it", () => {
    const hub: HubStatus = {
      pid: 9,
      version: "1.0.0",
      protocol: 1,
      startedAt: ago(5_000),
      sessions: 1,
      openPrompts: 0,
      unanswered: [],
      paused: true,
      unreached: "telegram: the token is refused",
      disk: { usedBytes: 0, limitBytes: 1, full: false },
      channels: [
        {
          id: "telegram",
          state: "failed",
          reason: "the token is refused",
          action: "make a new one",
          since: ago(4_000),
          approvers: ["Ara", "Bo"],
          refused: [{ place: "1001", reason: "400 chat not found" }],
        },
        {
          id: "slack",
          state: "starting",
          reason: null,
          action: null,
          since: null,
          approvers: [],
          refused: [],
        },
        {
          id: "cli",
          state: "connected",
          reason: null,
          action: null,
          since: ago(5_000),
          approvers: ["you"],
          refused: [],
        },
      ],
    };
    const unreachedPrompts = { count: 7, shortIds: ["k7", "m3"] };
    expect(formatHub({ ...hub, unreachedPrompts }, NOW).at(-1)).toBe(
      "⚠ 7 open prompts (k7, m3, …): nobody away from this machine who may answer is reached; `atlasbridge prompts` says why",
    );
    expect(formatHub({ ...hub, unreachedPrompts: { count: 0, shortIds: [] } }, NOW)).toEqual(
      formatHub(hub, NOW),
    );
    const reloadProblem = "/home/ara/policy.yaml:7:10: expected a number";
    expect(formatHub({ ...hub, reloadProblem }, NOW).slice(1, 4)).toEqual([
      "⚠ the last reload was refused, and what the hub read before still holds (configuration and rules):",
      `    ${reloadProblem}`,
      "    Correct it, then: atlasbridge hub reload",
    ]);
    expect(formatHub(hub, NOW)).toEqual([
      "hub · process 9 · version 1.0.0 · up for 5 s · 1 session · 0 prompts open · PAUSED: no answers are accepted",
      "telegram · failed for 4 s: the token is refused → make a new one · Ara, Bo may answer",
      "    ⚠ messages do not arrive in chat 1001: 400 chat not found",
      "slack · starting · nobody may answer there",
      "cli (commands on this machine) · connected for 5 s · you may answer",
      "⚠ prompts reach nobody away from this machine: telegram: the token is refused",
    ]);
  });
});

describe("a clock that was set", () => {
  const EIGHT = "2026-01-01 11:00 UTC (the clock was set meanwhile)";
  const AHEAD = "2026-01-01 15:00 UTC (the clock was set meanwhile)";

  it("gives a prompt no age, but the time that the clock showed then", () => {
    const created = { createdAt: ago(3_600_000), clockSetSince: ["createdAt"] };
    expect(formatPrompt(prompt(created), NOW)[0]).toContain(`· at ${EIGHT} · expires in 28 min`);
    expect(formatPrompt(prompt({ createdAt: ago(-3 * 3_600_000) }), NOW)[0]).toContain(`· at ${AHEAD} ·`);
  });

  it("gives a session neither an age nor a duration", () => {
    const set = { startedAt: ago(3_600_000), clockSetSince: ["startedAt"] };
    expect(formatSessionLine(session(set), NOW)).toContain(`· since ${EIGHT} ·`);
    const ended = formatSessionLine(session({ ...set, endedAt: ago(60_000) }), NOW);
    expect(ended).toContain("· ended 1 min ago ·");
    expect(ended).toContain(`· since ${EIGHT} ·`);
    const ahead = session({ startedAt: ago(60_000), endedAt: ago(-3 * 3_600_000) });
    expect(formatSessionLine(ahead, NOW)).toContain(`· ended at ${AHEAD} ·`);
  });

  it("gives the hub and its channels no time for which they have been up", () => {
    const channel = { id: "cli", state: "connected", reason: null, action: null } as const;
    const lines = formatHub(
      {
        pid: 9,
        version: "1.0.0",
        protocol: 1,
        startedAt: ago(3_600_000),
        clockSetSince: ["startedAt"],
        sessions: 0,
        openPrompts: 0,
        unanswered: [],
        paused: false,
        unreached: null,
        disk: { usedBytes: 0, limitBytes: 1, full: false },
        channels: [{ ...channel, since: ago(-3 * 3_600_000), approvers: [], refused: [] }],
      },
      NOW,
    );
    expect(lines[0]).toContain(`· up since ${EIGHT} ·`);
    expect(lines[1]).toContain(`cli (commands on this machine) · connected since ${AHEAD} ·`);
  });

  it("gives no age to a hub that was stopped at a time that is still to come", () => {
    const stopped = { at: NOW + 3 * 3_600_000, sessions: [] };
    expect(formatOverview({ hub: null, sessions: [], stopped, problem: null }, NOW)[0]).toBe(
      `No hub is running: it was stopped at ${AHEAD}. The next \`atlasbridge run\` starts one.`,
    );
  });
});
