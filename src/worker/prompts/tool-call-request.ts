/** Makes a prompt of a hook call that waits for a decision. Several agents share this format of a call. */
import { AGENT_TEXT_MAX } from "../../model/answer/reply.js";
import { formatInput } from "./content/request-content.js";
import {
  createForm,
  createOptionChoice,
  readQuestions,
  formatQuestions,
  createSingleChoices,
  type RequestChoice,
  type AskedQuestion,
} from "./content/request-questions.js";
import type {
  CompiledHooks,
  DrawnTest,
  HookCallRule,
  PreviewedCall,
} from "../adapter-format/compiled/compiled-hooks.js";
import type { StampedPrompt } from "../detection/stamp.js";
import { createRequestPrompt } from "./pending-request.js";
import { isObject, toText, type Json } from "../../model/data/json.js";
import { matches } from "../adapter-format/pattern.js";
import { readSuggestions } from "./content/suggestion.js";

export interface ToolCallRequest extends StampedPrompt {
  readonly event: string;
  readonly choices: readonly RequestChoice[];
  readonly input: Json;
  readonly questions: readonly AskedQuestion[];
  readonly returnsInput: boolean;
  readonly noInterrupts: boolean;
  readonly drawn: DrawnTest;
}

const OTHER_TOOLS: HookCallRule = {
  tool: ".",
  as: "permission",
  safetyClass: "permission",
  question: "Allow {tool}?",
  content: [],
  choices: null,
  returnsInput: false,
  drawn: { by: "values" },
};

export type CallRules = Pick<CompiledHooks, "calls" | "modes" | "noInterrupts">;

/** Null when the call cannot be shown and answered: then only the tool's own dialog remains. */
export function readToolCall(hooks: CallRules, event: string, body: Json): ToolCallRequest | null {
  const tool = toText(body["tool_name"]);
  const input = body["tool_input"];
  if (tool === null || !isObject(input)) return null;
  const rule = hooks.calls.find((each) => matches(each.tool, tool)) ?? OTHER_TOOLS;
  const questions = rule.as === "questions" ? readQuestions(input) : [];
  if (questions === null) return null;
  const asked =
    questions.length > 0
      ? describeQuestions(questions)
      : describePermission(rule, hooks, body, { tool, input });
  const cwd = toText(body["cwd"]);
  const prompt = createRequestPrompt({
    ...asked,
    rule: `hook:${event}`,
    safetyClass: rule.safetyClass,
    call: { tool, input, ...(cwd !== null && { cwd }) },
  });
  return {
    ...prompt,
    choices: asked.choices,
    event,
    input,
    questions,
    returnsInput: rule.returnsInput,
    noInterrupts: hooks.noInterrupts,
    drawn: rule.drawn,
  };
}

/** The same from a call that is only a preview; its name and input are found by their paths. */
export function readPreviewedCall(
  hooks: CompiledHooks,
  event: string,
  preview: PreviewedCall,
  body: Json,
): ToolCallRequest | null {
  const input = readPath(body, preview.input);
  const fields = preview.fields;
  const chosen =
    isObject(input) && fields
      ? Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name)))
      : input;
  return readToolCall(hooks, event, { ...body, tool_name: readPath(body, preview.tool), tool_input: chosen });
}

function readPath(body: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}

interface CallPromptParts extends Pick<
  ToolCallRequest,
  "promptType" | "question" | "choices" | "constraints"
> {
  readonly text: string;
}

const NO: RequestChoice = {
  label: "No",
  intent: "reject_once",
  takesText: "optional",
  effect: { by: "deny" },
};

function describePermission(
  rule: HookCallRule,
  hooks: CallRules,
  body: Json,
  { tool, input }: { readonly tool: string; readonly input: Json },
): CallPromptParts {
  const choices = rule.choices ? createDeclaredChoices(rule.choices) : createSuggestedChoices(body, hooks);
  return {
    promptType: "multiple_choice",
    question: rule.question.replaceAll("{tool}", tool),
    choices,
    constraints: { minChoice: 1, maxChoice: choices.length },
    text: formatInput(input, rule.content),
  };
}

function createSuggestedChoices(body: Json, { modes }: CallRules): RequestChoice[] {
  const suggested = readSuggestions(body["permission_suggestions"], modes).map(
    ({ label, update }): RequestChoice => ({
      label,
      intent: "allow_always",
      effect: { by: "allow", updates: [update] },
    }),
  );
  return [{ label: "Yes", intent: "allow_once", effect: { by: "allow", updates: [] } }, ...suggested, NO];
}

function createDeclaredChoices(choices: NonNullable<HookCallRule["choices"]>): RequestChoice[] {
  return choices.map(({ label, intent, mode }) => {
    if (intent.startsWith("reject")) return { ...NO, label, intent };
    const updates = mode === null ? [] : [{ type: "setMode", mode, destination: "session" }];
    return { label, intent, effect: { by: "allow", updates } };
  });
}

function describeQuestions(questions: readonly AskedQuestion[]): CallPromptParts {
  const text = formatQuestions(questions);
  const [only, ...others] = questions;
  if (!only || others.length > 0) return { ...describeForm(questions), text };
  const { question, multi } = only;
  const choices = multi ? only.options.map(createOptionChoice) : createSingleChoices(only);
  const range = { minChoice: 1, maxChoice: choices.length };
  const constraints = multi ? { ...range, multi: true, declinable: true } : range;
  return { promptType: "multiple_choice", question, choices, constraints, text };
}

function describeForm(questions: readonly AskedQuestion[]): Omit<CallPromptParts, "text"> {
  const form = createForm(questions);
  return {
    promptType: "free_text",
    question: `${questions.length} questions: answer with one line for each`,
    choices: [],
    constraints: { form, multiline: true, maxLength: AGENT_TEXT_MAX, declinable: true },
  };
}
