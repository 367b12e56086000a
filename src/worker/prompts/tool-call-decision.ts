/** Turns a person's answer into the decision on a tool call: the complete answer or a rejection, never a guess. Pure. */
import { parseForm, type FieldAnswer, type FormField } from "../../model/answer/form.js";
import { DECLINE } from "../../model/answer/reply.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import type { ToolCallRequest } from "./tool-call-request.js";
import { findOwnLabel, type AskedQuestion, type RequestChoice } from "./content/request-questions.js";
import type { GivenAnswer } from "./pending-request.js";
import type { Json } from "../../model/data/json.js";

export interface Behaviour {
  readonly behavior: "allow" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: Json;
  readonly updatedPermissions?: readonly Json[];
}

/** `answer.value` is legal for the prompt that was made of this call. */
export function decideToolCall(call: ToolCallRequest, answer: GivenAnswer): Behaviour | Refusal {
  if (answer.value === DECLINE) return deny(call, answer.text);
  if (call.constraints.form) return decideByForm(call, answer);
  if (call.constraints.multi) return decideByTicks(call, answer.value);
  const choice = call.choices[Number(answer.value) - 1];
  return choice ? decideByChoice(call, choice, answer.text) : createRefusal("option_unknown");
}

function decideByChoice(
  call: ToolCallRequest,
  { effect, takesText }: RequestChoice,
  text: string | undefined,
): Behaviour | Refusal {
  if (takesText === "required" && !text) return createRefusal("text_required");
  switch (effect.by) {
    case "allow":
      return allow({
        ...(call.returnsInput && { updatedInput: call.input }),
        ...(effect.updates.length > 0 && { updatedPermissions: effect.updates }),
      });
    case "deny":
      return deny(call, text);
    case "option":
      return answerQuestions(call, [effect.label]);
    case "words":
      return answerQuestions(call, [text ?? ""]);
  }
}

function decideByTicks(call: ToolCallRequest, value: string): Behaviour | Refusal {
  const indexes = value === "" ? [] : value.split(",").map(Number);
  const labels = indexes.map((index) => call.questions[0]?.options[index - 1]?.label);
  return labels.includes(undefined)
    ? createRefusal("option_unknown")
    : answerQuestions(call, [labels.join(SEVERAL)]);
}

function decideByForm(
  call: ToolCallRequest,
  { value, shownForm = call.constraints.form ?? [] }: GivenAnswer,
): Behaviour | Refusal {
  const parsed = parseForm(shownForm, value);
  if (!parsed.ok) return createRefusal(parsed.problem);
  return answerQuestions(
    call,
    call.questions.map((question, at) =>
      readFieldText(question, shownForm[at], parsed.answer[at]?.[1] ?? ""),
    ),
  );
}

function readFieldText({ options }: AskedQuestion, shown: FormField | undefined, given: FieldAnswer): string {
  const own = (label: string): string => findOwnLabel(options, shown, label);
  return typeof given === "string" ? own(given) : given.map(own).join(SEVERAL);
}

const SEVERAL = ", ";

function answerQuestions(call: ToolCallRequest, texts: readonly string[]): Behaviour {
  const answers = Object.fromEntries(call.questions.map(({ question }, at) => [question, texts[at] ?? ""]));
  return allow({ updatedInput: { ...call.input, answers } });
}

function allow(more: Omit<Behaviour, "behavior">): Behaviour {
  return { behavior: "allow", ...more };
}

/** A reason goes to the model and the turn continues. Without one it equals the dialog's plain No. */
function deny({ noInterrupts }: ToolCallRequest, reason: string | undefined): Behaviour {
  if (reason) return { behavior: "deny", message: reason };
  return { behavior: "deny", message: PLAIN_NO, ...(noInterrupts && { interrupt: true }) };
}

/** Some versions require a message with every No. */
export const PLAIN_NO = "The user said no.";
