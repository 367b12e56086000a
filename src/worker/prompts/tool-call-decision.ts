/** A person's answer as the decision on a tool call: the whole answer, or a refusal. Never a guess. Pure. */
import { parseForm, type FieldAnswer, type FormField } from "../../model/answer/form.js";
import { DECLINE } from "../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import type { ToolCallRequest } from "./tool-call-request.js";
import type { AskedQuestion, RequestChoice } from "./content/request-questions.js";
import type { GivenAnswer } from "./pending-request.js";
import type { Json } from "../../model/data/json.js";

/** What the tool is to do, as it is written in every answer to such a call. */
export interface Behaviour {
  readonly behavior: "allow" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: Json;
  readonly updatedPermissions?: readonly Json[];
}

/** `answer.value` is legal for the prompt that was made of this call. */
export function behaviourFor(ask: ToolCallRequest, answer: GivenAnswer): Behaviour | Rejection {
  if (answer.value === DECLINE) return denied(ask, answer.text);
  if (ask.constraints.form) return formDecision(ask, answer);
  if (ask.constraints.multi) return tickedDecision(ask, answer.value);
  const choice = ask.choices[Number(answer.value) - 1];
  return choice ? choiceDecision(ask, choice, answer.text) : createRejection("option_unknown");
}

function choiceDecision(
  ask: ToolCallRequest,
  { effect, takesText }: RequestChoice,
  text: string | undefined,
): Behaviour | Rejection {
  if (takesText === "required" && !text) return createRejection("text_required");
  switch (effect.by) {
    case "allow":
      return allowed({
        ...(ask.returnsInput && { updatedInput: ask.input }),
        ...(effect.updates.length > 0 && { updatedPermissions: effect.updates }),
      });
    case "deny":
      return denied(ask, text);
    case "option":
      return answered(ask, [effect.label]);
    case "words":
      return answered(ask, [text ?? ""]);
  }
}

function tickedDecision(ask: ToolCallRequest, value: string): Behaviour | Rejection {
  const indexes = value === "" ? [] : value.split(",").map(Number);
  const labels = indexes.map((index) => ask.questions[0]?.options[index - 1]?.label);
  return labels.includes(undefined)
    ? createRejection("option_unknown")
    : answered(ask, [labels.join(SEVERAL)]);
}

function formDecision(
  ask: ToolCallRequest,
  { value, shownForm = ask.constraints.form ?? [] }: GivenAnswer,
): Behaviour | Rejection {
  const parsed = parseForm(shownForm, value);
  if (!parsed.ok) return createRejection(parsed.problem);
  return answered(
    ask,
    ask.questions.map((question, at) => fieldText(question, shownForm[at], parsed.answer[at]?.[1] ?? "")),
  );
}

/** Shown labels may be redacted; the tool gets its own. */
function fieldText({ options }: AskedQuestion, shown: FormField | undefined, given: FieldAnswer): string {
  const own = (label: string): string =>
    options[shown?.options.findIndex((option) => option.label === label) ?? -1]?.label ?? label;
  return typeof given === "string" ? own(given) : given.map(own).join(SEVERAL);
}

/** As the tool itself writes several options of one question. */
const SEVERAL = ", ";

/** One text for each question, in order. */
function answered(ask: ToolCallRequest, texts: readonly string[]): Behaviour {
  const answers = Object.fromEntries(ask.questions.map(({ question }, at) => [question, texts[at] ?? ""]));
  return allowed({ updatedInput: { ...ask.input, answers } });
}

function allowed(more: Omit<Behaviour, "behavior">): Behaviour {
  return { behavior: "allow", ...more };
}

/** A reason goes to the model, and the turn goes on. Without one it is the dialog's own No. */
function denied({ noInterrupts }: ToolCallRequest, reason: string | undefined): Behaviour {
  if (reason) return { behavior: "deny", message: reason };
  return { behavior: "deny", message: PLAIN_NO, ...(noInterrupts && { interrupt: true }) };
}

/** Some versions want words with every No. */
export const PLAIN_NO = "The user said no.";
