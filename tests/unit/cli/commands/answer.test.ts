/**
 * The exit code of `answer` says whether the answer was taken and whether its effect was seen. A version of Node that is too old
 * is refused.
 */
import { describe, expect, it } from "vitest";
import { requireDone } from "../../../../src/cli/commands/answer.js";
import { checkNodeVersion } from "../../../../src/cli/node-version.js";
import { CommandFailed } from "../../../../src/cli/output.js";
import type { InspectedSession } from "../../../../src/client/seen-sessions.js";
import { PROMPT_STATES } from "../../../../src/model/lifecycle.js";

function findExitCode(outcome: Parameters<typeof requireDone>[1]): number {
  try {
    requireDone("k7", outcome);
    return 0;
  } catch (error) {
    if (error instanceof CommandFailed) return error.exitCode;
    throw error;
  }
}

describe("the exit code of answer", () => {
  it("is 0 once the answer was taken, and 1 if it was refused", () => {
    expect(findExitCode({ kind: "claimed", promptId: "p", held: null })).toBe(0);
    expect(findExitCode({ kind: "refused", code: "used", text: "Too late." })).toBe(1);
  });

  it("is 0 only for an effect that was seen, 4 for an uncertain one, 1 for all else", () => {
    const codes = PROMPT_STATES.map((state) => [
      state,
      findExitCode({ kind: "settled", promptId: "p", state, text: "" }),
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      answered: 0,
      uncertain: 4,
      detected: 1,
      pending: 1,
      answering: 1,
      injecting: 1,
      failed: 1,
      withdrawn: 1,
      superseded: 1,
      expired: 1,
    });
  });
});

describe("the text of an accepted answer", () => {
  it.each([
    [null, "Accepted. What became of it is not known yet."],
    [
      { stopped: true, connected: true },
      "Accepted. k7: the session of claude (process 7) has not picked the answer up yet. " +
        "It is stopped: `fg` at its terminal or `kill -CONT 7` continues it.",
    ],
    [
      { stopped: false, connected: false },
      "Accepted. k7: the session of claude (process 7) has not picked the answer up yet. It is not connected.",
    ],
  ])("claims nothing of its way to the tool: %j", (seen, text) => {
    const held = seen && ({ tool: "claude", pid: 7, ...seen } as InspectedSession);
    expect(requireDone("k7", { kind: "claimed", promptId: "p", held }).text).toBe(text);
  });
});

describe("the Node version", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0", "26.0.0"])("%s will do", (version) => {
    expect(checkNodeVersion(version)).toBeNull();
  });

  it.each(["20.18.9", "18.20.0", "9.0.0"])("%s is refused with what to do", (version) => {
    expect(checkNodeVersion(version)).toMatch(/too old.*Install Node/);
  });
});
