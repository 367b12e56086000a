/** `doctor` counts for each tool what was read otherwise than its own requests say, by the adapter file that is used now. */
import { describe, expect, it } from "vitest";
import { checkReadings } from "../../../src/doctor/adapters.js";
import type { LoggedReading } from "../../../src/observe/reading-log.js";
import { shippedAdapter } from "../worker/detection/screens.js";

const adapter = shippedAdapter("claude");
const reading = (differences: readonly string[], more: Partial<LoggedReading> = {}): LoggedReading => ({
  at: "2026-11-25T22:00:00.000Z",
  tool: "claude",
  adapter: adapter.version,
  rule: "bash",
  differences,
  ...more,
});
const check = (...readings: readonly LoggedReading[]) =>
  checkReadings(readings, [{ name: "claude", adapter }]);

describe("how dialogs were read", () => {
  it("is not told of a tool without requests of its own", () => {
    expect(check(reading([], { tool: "other" }))).toEqual([]);
  });

  it("is well where every dialog was read as its request says", () => {
    expect(check(reading([]), reading([]))).toEqual([
      {
        name: "reading:claude",
        state: "ok",
        found: "2 of 2 dialogs were read as the tool's own requests say",
        action: null,
      },
    ]);
  });

  it("names the kinds of differences, and what to do", () => {
    const [finding] = check(reading([]), reading(["type", "choices"]), reading(["choices"]));
    expect(finding).toMatchObject({
      state: "warn",
      action: expect.stringContaining("capture.disagreements") as string,
    });
    expect(finding?.found).toContain("1 of 3 dialogs");
    expect(finding?.found).toContain("type 1, choices 2; the last on 2026-11-25");
  });

  it("does not count what an earlier adapter file read", () => {
    expect(check(reading(["unread"], { adapter: "0.9.0" }))).toEqual([]);
  });
});
