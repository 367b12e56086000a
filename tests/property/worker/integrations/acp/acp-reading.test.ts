/**
 * Whatever an agent reports or asks is read or ignored without an exception and shows no control sequence. Each choice that is
 * shown leads back to an id that the agent offered.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ActivityReader } from "../../../../../src/worker/runtimes/protocol/activity.js";
import { createElicitationRequest } from "../../../../../src/worker/prompts/content/elicitation.js";
import {
  createPermissionRequest,
  readPermissionRequest,
} from "../../../../../src/worker/integrations/acp/permission/permission.js";
import { Transcript } from "../../../../../src/worker/runtimes/protocol/transcript.js";

/** Objects of the protocol's keys with anything in them. */
function objects(keys: readonly string[], values: readonly unknown[]) {
  const value = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, fc.jsonValue({ maxDepth: 3 }));
  return fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: keys.length });
}

const update = objects(
  [
    "sessionUpdate",
    "content",
    "entries",
    "toolCallId",
    "title",
    "status",
    "locations",
    "rawInput",
    "cost",
    "used",
    "size",
    "messageId",
    "plan",
  ],
  [
    "tool_call",
    "tool_call_update",
    "plan",
    "plan_update",
    "agent_message_chunk",
    "agent_message",
    "usage_update",
    "notice",
    "state_update",
    "completed",
    "t",
    { type: "text", text: "\u001b[2J" },
    [{ type: "diff", path: "/a", newText: "x" }],
    { amount: 1 },
  ],
);

describe("a report or a request of an agent", () => {
  it("is read or ignored without an exception, and shows no control sequence", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 20 }), (updates) => {
        const reader = new ActivityReader();
        let shown = "";
        const transcript = new Transcript((text) => (shown += text));
        for (const each of updates) {
          const activity = reader.read(each);
          if (activity) transcript.showActivity(activity);
        }
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
      { numRuns: 300 },
    );
  });

  it("is raised only with choices that lead back to an offered id", () => {
    const option = objects(["optionId", "name", "kind"], ["a", "b", "Yes", "allow_once"]);
    const request = objects(["toolCall", "title", "subject", "description"], [{ toolCallId: "t" }, "x"]);
    fc.assert(
      fc.property(request, fc.array(option, { maxLength: 4 }), (params, options) => {
        const read = readPermissionRequest({ ...params, options }, () => undefined);
        if (!read) return;
        const { prompt: question, answer } = createPermissionRequest(read, "/");
        question.choices.forEach((_, at) => {
          expect(answer({ value: String(at + 1) })).toMatchObject({
            result: { outcome: { outcome: "selected", optionId: options[at]?.["optionId"] } },
          });
        });
      }),
      { numRuns: 300 },
    );
  });

  it("that is a form is raised whole or not at all", () => {
    const property = objects(
      ["type", "title", "enum", "oneOf", "items"],
      ["string", "array", "boolean", ["a", "b"], { enum: ["a"] }],
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 3 }), property, { maxKeys: 4 }), (properties) => {
        const asking = createElicitationRequest({
          mode: "form",
          message: "?",
          requestedSchema: { properties },
        });
        const { form } = asking?.prompt.constraints ?? {};
        if (form) expect(form).toHaveLength(Object.keys(properties).length);
      }),
      { numRuns: 300 },
    );
  });
});
