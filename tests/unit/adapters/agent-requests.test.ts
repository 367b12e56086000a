/** Requests for permission of gemini and qwen are raised as a plan and as questions where their adapter files say so. */
import { describe, expect, it } from "vitest";
import { gemini } from "../../../adapters/gemini.js";
import { qwen } from "../../../adapters/qwen.js";

describe("what an agent asks by requests for permission", () => {
  it("is a plan of gemini's by its title", () => {
    const isPlan = gemini.agentRequests?.isPlan;
    expect(isPlan?.("Requesting plan approval for: plan.md")).toBe(true);
    expect(isPlan?.("cat 'Requesting plan approval for: plan.md'")).toBe(false);
  });

  it("are questions of qwen's model beside its call", () => {
    const readQuestions = qwen.agentRequests?.readQuestions;
    const questions = [{ question: "Which?" }];
    expect(readQuestions?.({ toolCall: { _meta: { qwenQuestions: questions } } })).toBe(questions);
    for (const params of [{}, { toolCall: null }, { toolCall: { _meta: "x" } }, { toolCall: { _meta: {} } }])
      expect(readQuestions?.(params)).toBeUndefined();
  });
});
