/** Only the words for a finished turn count as its success; any other end is described. */
import { expect, it } from "vitest";
import {
  describeEarlyEnd,
  describeSilence,
} from "../../../../../src/worker/runtimes/protocol/turn-ending.js";

it.each(["end_turn", "stop_sequence"])("%s is a normal end", (reason) => {
  expect(describeEarlyEnd(reason)).toBeNull();
});

it.each([
  [null, "It ended without a reason: it is not known whether the task is done."],
  ["weird", 'It ended by "weird": it is not known whether the task is done.'],
  ["toString", 'It ended by "toString": it is not known whether the task is done.'],
  ["", 'It ended by "": it is not known whether the task is done.'],
  ["cancelled", "Cancelled."],
])("the end %j is no proof of a finished task", (reason, words) => {
  expect(describeEarlyEnd(reason)).toBe(words);
});

it("a cancelled silence names its time limit and the setting", () => {
  expect(describeSilence(300_000, "adapters.acp.timeout")).toContain(
    "silent for 5 min (adapters.acp.timeout)",
  );
  expect(describeSilence(1500, "exec.timeout")).toContain("silent for 1.5 s (exec.timeout)");
});
