/**
 * A hook call that waits for a decision → what people are asked. The format is the one that several
 * agents share: `tool_name`, `tool_input`, `cwd`, `permission_suggestions`. Pure.
 */
import type { Constraints, PromptContent, PromptType, SafetyClass } from "../../model/prompt.js";
import type { Fingerprint } from "../../model/ids.js";
import { AGENT_TEXT_MAX } from "../../model/answer/reply.js";
import { inputText } from "./content/request-content.js";
import {
  formOf,
  optionChoice,
  questionsIn,
  questionsText,
  singleChoices,
  type RequestChoice,
  type AskedQuestion,
} from "./content/request-questions.js";
import type {
  CompiledHooks,
  DrawnTest,
  HookCallRule,
  PreviewedCall,
} from "../adapter-format/compiled/compiled-hooks.js";
import { computeFingerprint } from "../detection/layout/fingerprint.js";
import { isObject, toText, type Json } from "../../model/data/json.js";
import { matches } from "../adapter-format/pattern.js";
import { suggestionsIn } from "./content/suggestion.js";

export interface ToolCallRequest {
  readonly event: string;
  readonly rule: string;
  readonly promptType: PromptType;
  readonly safetyClass: SafetyClass;
  readonly score: number;
  readonly question: string;
  readonly choices: readonly RequestChoice[];
  readonly highlighted: null;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  readonly fingerprint: Fingerprint;
  readonly input: Json;
  /** Empty: it is no question but a permission. */
  readonly questions: readonly AskedQuestion[];
  readonly returnsInput: boolean;
  readonly noInterrupts: boolean;
  readonly drawn: DrawnTest;
}

/** A structured source is certain. */
const SCORE = 1;

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

/** What an adapter file knows of calls that are asked about. */
export type CallRules = Pick<CompiledHooks, "calls" | "modes" | "noInterrupts">;

/** Null when the call is none that can be shown and answered: then the tool's own dialog is all there is. */
export function readToolCall(hooks: CallRules, event: string, body: Json): ToolCallRequest | null {
  const tool = toText(body["tool_name"]);
  const input = body["tool_input"];
  if (tool === null || !isObject(input)) return null;
  const rule = hooks.calls.find((each) => matches(each.tool, tool)) ?? OTHER_TOOLS;
  const questions = rule.as === "questions" ? questionsIn(input) : [];
  if (questions === null) return null;
  const asked =
    questions.length > 0 ? asQuestions(questions) : asPermission(rule, hooks, body, { tool, input });
  const cwd = toText(body["cwd"]);
  const content = { text: asked.text, cut: null, call: { tool, input, ...(cwd !== null && { cwd }) } };
  const known = { rule: `hook:${event}`, question: asked.question, choices: asked.choices, content };
  return {
    ...known,
    event,
    promptType: asked.promptType,
    constraints: asked.constraints,
    safetyClass: rule.safetyClass,
    score: SCORE,
    highlighted: null,
    fingerprint: computeFingerprint({ ...known, drawn: asked.text }),
    input,
    questions,
    returnsInput: rule.returnsInput,
    noInterrupts: hooks.noInterrupts,
    drawn: rule.drawn,
  };
}

/** The same from a call that only tells, wherever the tool puts name and input. */
export function readPreviewedCall(
  hooks: CompiledHooks,
  event: string,
  told: PreviewedCall,
  body: Json,
): ToolCallRequest | null {
  const input = within(body, told.input);
  const fields = told.fields;
  const chosen =
    isObject(input) && fields
      ? Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name)))
      : input;
  return readToolCall(hooks, event, { ...body, tool_name: within(body, told.tool), tool_input: chosen });
}

function within(body: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}

interface Asked extends Pick<ToolCallRequest, "promptType" | "question" | "choices" | "constraints"> {
  readonly text: string;
}

const NO: RequestChoice = {
  label: "No",
  intent: "reject_once",
  takesText: "optional",
  effect: { by: "deny" },
};

function asPermission(
  rule: HookCallRule,
  hooks: CallRules,
  body: Json,
  { tool, input }: { readonly tool: string; readonly input: Json },
): Asked {
  const choices = rule.choices ? declaredChoices(rule.choices) : suggestedChoices(body, hooks);
  return {
    promptType: "multiple_choice",
    question: rule.question.replaceAll("{tool}", tool),
    choices,
    constraints: { minChoice: 1, maxChoice: choices.length },
    text: inputText(input, rule.content),
  };
}

function suggestedChoices(body: Json, { modes }: CallRules): RequestChoice[] {
  const suggested = suggestionsIn(body["permission_suggestions"], modes).map(
    ({ label, update }): RequestChoice => ({
      label,
      intent: "allow_always",
      effect: { by: "allow", updates: [update] },
    }),
  );
  return [{ label: "Yes", intent: "allow_once", effect: { by: "allow", updates: [] } }, ...suggested, NO];
}

function declaredChoices(choices: NonNullable<HookCallRule["choices"]>): RequestChoice[] {
  return choices.map(({ label, intent, mode }) => {
    if (intent.startsWith("reject")) return { ...NO, label, intent };
    const updates = mode === null ? [] : [{ type: "setMode", mode, destination: "session" }];
    return { label, intent, effect: { by: "allow", updates } };
  });
}

function asQuestions(questions: readonly AskedQuestion[]): Asked {
  const text = questionsText(questions);
  const [only, ...others] = questions;
  if (!only || others.length > 0) return { ...asForm(questions), text };
  const { question, multi } = only;
  const choices = multi ? only.options.map(optionChoice) : singleChoices(only);
  const range = { minChoice: 1, maxChoice: choices.length };
  const constraints = multi ? { ...range, multi: true, declinable: true } : range;
  return { promptType: "multiple_choice", question, choices, constraints, text };
}

function asForm(questions: readonly AskedQuestion[]): Omit<Asked, "text"> {
  const form = formOf(questions);
  return {
    promptType: "free_text",
    question: `${questions.length} questions: answer with one line for each`,
    choices: [],
    constraints: { form, multiline: true, maxLength: AGENT_TEXT_MAX, declinable: true },
  };
}
