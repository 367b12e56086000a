/** An answer to `ask_human` reaches the agent as its choice, as text or as a No, and an answer that fits no choice is refused. */
import { describe, expect, it } from "vitest";
import { parseLegalValue } from "../../../../../src/model/answer/reply.js";
import { createAskHumanRequest } from "../../../../../src/worker/integrations/mcp/ask-human.js";
import type { AskArguments } from "../../../../../src/worker/integrations/mcp/tools.js";

/** What the agent gets for what a person gives, through the rules that every answer goes through. */
function given(asked: Omit<AskArguments, "question">, value: string, text?: string): unknown {
  const { prompt: question, answer } = createAskHumanRequest({ question: "Which?", ...asked });
  const legal = parseLegalValue(question, value, text);
  if (!legal.ok) return legal.rejection.code;
  const answered = answer({ value: legal.value, ...(text !== undefined && { text }) });
  return "result" in answered ? answered.result : answered.code;
}

const AB = { choices: ["a", "b"] };

describe("the answer to an agent's question", () => {
  it.each<[string, unknown, Omit<AskArguments, "question">, string, string?]>([
    ["is the choice", { status: "answered", answer: "b" }, AB, "2"],
    ["is a No to the question", { status: "declined" }, AB, "3"],
    ["is no word that merely looks like a choice", "option_unknown", AB, "a"],
    ["is no choice that is not there", "option_unknown", AB, "4"],
    [
      "is in own words, where the agent takes them",
      { status: "answered", answer: "c" },
      { ...AB, allow_text: true },
      "3",
      "c",
    ],
    ["is not without words there", "text_required", { ...AB, allow_text: true }, "3"],
    ["has no words where the agent takes none", "text_not_taken", AB, "1", "because"],
    [
      "is several choices",
      { status: "answered", answer: "a, b", answers: ["a", "b"] },
      { ...AB, multiple: true },
      "2,1",
    ],
    ["is none of several", { status: "answered", answer: "", answers: [] }, { ...AB, multiple: true }, ""],
    ["declines several", { status: "declined" }, { ...AB, multiple: true }, "decline"],
    ["is text of several lines", { status: "answered", answer: "one\ntwo" }, {}, "one\ntwo"],
    ["declines text", { status: "declined" }, {}, "decline"],
    ["holds nothing that a terminal acts on", "control_characters", {}, "x\u001b[2J"],
  ])("%s", (_, expected, asked, value, text) => {
    expect(given(asked, value, text)).toEqual(expected);
  });
});
