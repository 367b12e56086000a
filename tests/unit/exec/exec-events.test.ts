/** The result of a call is reported once, however often the tool reports it as over. */
import { expect, it } from "vitest";
import { toEvent } from "../../../src/exec/exec-events.js";
import { ActivityReader } from "../../../src/worker/runtimes/protocol/activity.js";

it("the result of a call is reported once, however often it is over", () => {
  const reader = new ActivityReader();
  const told = (update: object): unknown => {
    const activity = reader.read({ toolCallId: "c", ...update });
    return activity && toEvent({ type: "activity", activity });
  };
  expect(told({ sessionUpdate: "tool_call", title: "Read" })).toMatchObject({ type: "call" });
  const over = { sessionUpdate: "tool_call_update", status: "completed" };
  expect(told({ ...over, rawOutput: "text" })).toMatchObject({ type: "result", output: "text" });
  expect(told(over)).toBeNull();
  expect(told({ sessionUpdate: "tool_call_update", rawOutput: "late" })).toMatchObject({ output: "late" });
});
