/** A prompt at the terminal of a tool that is talked to is answered by one key, or on the line, and only after it could be read. */
import { describe, expect, it } from "vitest";
import type { PromptEvent } from "../../../../../src/model/prompt.js";
import { createRejection, type Rejection } from "../../../../../src/model/answer/rejection.js";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { AnswerKeys } from "../../../../../src/worker/session/repl/answer-keys.js";
import { promptEvent } from "../../../../support/prompts.js";

/** No less than what a key must wait after its question came up. */
const CALM_MS = 400;

function keys(refusal: Rejection | null = null) {
  const clock = new ManualClock();
  const answers: string[] = [];
  const said: string[] = [];
  let changes = 0;
  let notify = (): void => undefined;
  const tool = {
    currentPrompt: null as PromptEvent | null,
    answerHere: (_: unknown, value: string) => {
      answers.push(value);
      return refusal;
    },
    onPromptChange: (listener: () => void) => (notify = listener),
  };
  const answerKeys = new AnswerKeys({ tool, clock, say: (text) => said.push(text) });
  answerKeys.start(() => (changes += 1));
  const ask = (event: PromptEvent | null): void => {
    tool.currentPrompt = event;
    notify();
  };
  return { answerKeys, answers, ask, clock, said, changes: () => changes };
}

const choices = (count: number): PromptEvent["choices"] => {
  const [first] = promptEvent().choices;
  return Array.from({ length: count }, (_, at) => ({ ...first!, label: `choice ${at}` }));
};

describe("a question at the terminal of a tool that is talked to", () => {
  it("is answered by one key where the choices are few, and on the line where they are not", () => {
    const { answerKeys, ask } = keys();
    const chooseWay = (over: Partial<PromptEvent>): unknown => {
      ask(promptEvent(over));
      return answerKeys.inputMode;
    };
    expect(answerKeys.inputMode).toBeNull();
    expect(chooseWay({ promptType: "multiple_choice", choices: choices(9) })).toBe("key");
    expect(chooseWay({ promptType: "multiple_choice", choices: choices(10) })).toBe("line");
    expect(
      chooseWay({ promptType: "multiple_choice", choices: choices(3), constraints: { multi: true } }),
    ).toBe("line");
    expect(chooseWay({ promptType: "free_text", choices: [] })).toBe("line");
  });

  it("does not take a digit that is part of typed text", () => {
    const { answerKeys, answers, ask, clock } = keys();
    ask(promptEvent());
    clock.advance(CALM_MS * 2);
    answerKeys.press(" ");
    clock.advance(CALM_MS - 1);
    answerKeys.press("2");
    expect(answers).toEqual([]);
    clock.advance(1);
    answerKeys.press("1");
    expect(answers).toEqual(["1"]);
  });

  it("does not take a key that was typed before anybody could read it", () => {
    const { answerKeys, answers, ask, clock } = keys();
    ask(promptEvent());
    clock.advance(CALM_MS - 1);
    answerKeys.press("1");
    expect(answers).toEqual([]);
    clock.advance(1);
    answerKeys.press("1");
    expect(answers).toEqual(["1"]);
  });

  it("has an age that a repeated report of the same prompt does not renew", () => {
    const { answerKeys, answers, ask, clock, changes } = keys();
    const event = promptEvent();
    ask(event);
    clock.advance(CALM_MS);
    ask(event);
    answerKeys.press("2");
    ask(promptEvent({ promptId: "another" as PromptEvent["promptId"] }));
    answerKeys.press("3");
    expect(answers).toEqual(["2"]);
    expect(changes()).toBe(3);
  });

  it("takes no other key for an answer", () => {
    const { answerKeys, answers, ask, clock } = keys();
    ask(promptEvent());
    clock.advance(CALM_MS);
    for (const key of ["0", "y", "\r", "12", ""]) answerKeys.press(key);
    expect(answers).toEqual([]);
  });

  it("tells why an answer was not taken, and takes none when nothing is asked", () => {
    const { answerKeys, answers, ask, said } = keys(createRejection("option_unknown"));
    answerKeys.take("7");
    expect(answers).toEqual([]);
    ask(promptEvent());
    answerKeys.take("7");
    expect(said).toEqual([createRejection("option_unknown").text]);
  });
});
