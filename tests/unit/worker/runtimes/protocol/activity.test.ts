/** A call of an agent is reported whole once it is over, and its contents are not kept. */
import { describe, expect, it } from "vitest";
import { ActivityReader } from "../../../../../src/worker/runtimes/protocol/activity.js";
import { describeContent } from "../../../../../src/worker/runtimes/protocol/tool-call.js";

const report = (more: object) => ({ sessionUpdate: "tool_call_update", toolCallId: "c", ...more });

describe("a call that an agent reports", () => {
  it.each(["completed", "failed"])(
    "is reported whole when it has %s, and its contents are not kept",
    (status) => {
      const reader = new ActivityReader();
      const content = [{ type: "content", content: { type: "text", text: "out" } }];
      reader.read({ ...report({ title: "Read a", rawInput: { path: "a" } }), sessionUpdate: "tool_call" });
      expect(reader.findCall("c")).toMatchObject({ input: { path: "a" } });
      const told = reader.read(report({ status, content, rawOutput: { text: "whole" } }));
      expect(told).toMatchObject({ call: { content, input: { path: "a" }, output: { text: "whole" } } });
      const kept = reader.findCall("c");
      expect(kept).toMatchObject({ title: "Read a", status, content: [] });
      expect([kept?.input, kept?.output]).toEqual([undefined, undefined]);
    },
  );
});

it("unknown content is shown whole, within the limit of a text", () => {
  const wide = Array.from({ length: 400_000 }, () => 1);
  const nested = JSON.parse(`${"[".repeat(400)}${JSON.stringify(wide)}${"]".repeat(400)}`) as unknown;
  const item = { type: "news", nested };
  expect(describeContent(item)).toBe(JSON.stringify(item));
  expect(describeContent({ type: "news", at: 1 })).toBe('{\n  "type": "news",\n  "at": 1\n}');
});
