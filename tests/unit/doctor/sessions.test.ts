/** `doctor` names each running session that is not healthy, and counts the others. */
import { describe, expect, it } from "vitest";
import type { ObservedSession, Snapshot } from "../../../src/client/seen-sessions.js";
import { checkSessions } from "../../../src/doctor/hub.js";
import { sessionSnapshot } from "../../support/session-snapshot.js";

const session = (over: Partial<ObservedSession> = {}): ObservedSession => ({
  sessionId: "0123456789",
  tool: "claude",
  label: null,
  cwd: "/home/ara/app",
  pid: 7,
  state: "working",
  said: null,
  connected: true,
  stopped: false,
  openPrompts: 0,
  inside: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: null,
  snapshot: sessionSnapshot({ promptCount: 2 }),
  ...over,
});

describe("doctor's look at sessions", () => {
  it("is left out while none runs", () => {
    expect(checkSessions([])).toEqual([]);
  });

  it("counts the healthy ones and their prompts", () => {
    expect(checkSessions([session(), session()])).toMatchObject([
      { name: "sessions", state: "ok", found: expect.stringMatching(/^2 healthy.*4 prompts/) as string },
    ]);
  });

  it.each([
    ["is stopped", "warn", { stopped: true, snapshot: null }],
    ["is not connected", "warn", { connected: false, snapshot: null }],
    ["is too old for the hub", "warn", { state: "not_relayed", connected: false, snapshot: null }],
    ["does not respond", "fail", { snapshot: null }],
    ["is closed", "fail", { snapshot: sessionSnapshot({ troubles: ["output_held", "closed"] }) }],
    ["takes no output", "warn", { snapshot: sessionSnapshot({ troubles: ["output_held"] }) }],
  ] as const)("names one that %s", (words, state, over) => {
    const findings = checkSessions([session(over), session()]);
    expect(findings).toHaveLength(2);
    expect(findings[1]).toMatchObject({ name: "session:01234567", state });
    expect(findings[1]?.found).toContain(words.replace("is closed", "input is closed"));
  });

  it("claims nothing of a worker that does not check its health", () => {
    const older = JSON.parse(JSON.stringify({ ...sessionSnapshot(), troubles: undefined })) as Snapshot;
    expect(checkSessions([session({ snapshot: older })])).toEqual([]);
  });
});
