/** The debug log gets the state that a session's worker observes, without anything that the tool asked. */
import { describe, expect, it } from "vitest";
import { asId, type SessionId } from "../../../../src/model/ids.js";
import type { Log, LogFields } from "../../../../src/observe/log.js";
import { logSnapshot } from "../../../../src/hub/sessions/log-snapshot.js";
import { sessionSnapshot } from "../../../support/session-snapshot.js";

const SESSION = asId<SessionId>("s1");

function openTestLog(isDebug: boolean) {
  const lines: [string, string, LogFields][] = [];
  const write: Log = (level, message, fields = {}) => void lines.push([level, message, fields]);
  return { lines, log: Object.assign(write, { isDebug }) };
}

const linkTo = (answer: () => Promise<unknown>) => ({ call: answer }) as never;

describe("a session in the debug log", () => {
  it("is written with its state and health, and without what its tool asked", async () => {
    const { lines, log } = openTestLog(true);
    const snapshot = sessionSnapshot({
      promptCount: 4,
      troubles: ["output_held"],
      answeredUnasked: ["rm -rf"],
    });
    await logSnapshot(
      log,
      linkTo(() => Promise.resolve(snapshot)),
      SESSION,
      "a session delivered an answer",
    );
    expect(lines).toEqual([
      [
        "debug",
        "a session delivered an answer",
        expect.objectContaining({
          sessionId: SESSION,
          promptCount: 4,
          ptyAlive: true,
          troubles: ["output_held"],
        }),
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain("rm -rf");
  });

  it("is not even asked for where the log is less detailed", async () => {
    const { lines, log } = openTestLog(false);
    await logSnapshot(
      log,
      linkTo(() => Promise.reject(new Error("asked"))),
      SESSION,
      "why",
    );
    expect(lines).toEqual([]);
  });

  it("that does not respond is told as such", async () => {
    const { lines, log } = openTestLog(true);
    await logSnapshot(
      log,
      linkTo(() => Promise.reject(new Error("silent"))),
      SESSION,
      "why",
    );
    expect(lines[0]).toMatchObject(["debug", "a session could not be observed", { error: "Error: silent" }]);
  });
});
