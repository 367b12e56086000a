/** Turns a server's question to a person (`elicitation/create`) into a prompt: a form, or a page to open. Pure. */
import {
  LEAVE_OUT,
  LEFT_OUT,
  parseForm,
  type FieldAnswer,
  type FormField,
  type FormOption,
} from "../../../model/answer/form.js";
import type { Choice, Constraints, PromptType } from "../../../model/prompt.js";
import { AGENT_TEXT_MAX, DECLINE } from "../../../model/answer/reply.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import {
  createRequestPrompt,
  type PendingRequest,
  type GivenAnswer,
  type RequestResult,
} from "../pending-request.js";
import { findOwnLabel, formatQuestion } from "./request-questions.js";
import { readFields, parseFieldValue, type ElicitationField } from "./elicitation-fields.js";

export const ELICITATION_METHOD = "elicitation/create";

const DECLINED = { action: "decline" };
const GONE = { action: "cancel" };

/** Null when it cannot be shown and answered completely. `besides`: more text that people should read. */
export function createElicitationRequest(params: Json, besides = ""): PendingRequest | null {
  const message = toText(params["message"]);
  if (message === null) return null;
  switch (params["mode"]) {
    case "url":
      return createUrlRequest(message, toText(params["url"]), besides);
    case "form":
      return isObject(params["requestedSchema"])
        ? createFormRequest(message, params["requestedSchema"], besides)
        : null;
    default:
      return null;
  }
}

interface ElicitationParts {
  readonly promptType: PromptType;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
  readonly text: string;
  readonly answer: PendingRequest["answer"];
}

function createRequest(message: string, parts: ElicitationParts): PendingRequest {
  const { promptType, choices, constraints, text, answer } = parts;
  return {
    prompt: createRequestPrompt({
      rule: ELICITATION_METHOD,
      question: message,
      choices,
      promptType,
      constraints,
      safetyClass: "question",
      text,
      call: null,
    }),
    answer,
    cancelled: GONE,
    refused: DECLINED,
  };
}

/** The page is opened by the person, never by us. */
function createUrlRequest(message: string, url: string | null, besides: string): PendingRequest | null {
  const host = url === null ? null : readHost(url);
  if (url === null || host === null) return null;
  const choices: Choice[] = [
    { label: `I agree to open ${host}`, intent: "other" },
    { label: "Decline", intent: "reject_once" },
  ];
  return createRequest(message, {
    promptType: "multiple_choice",
    choices,
    constraints: { minChoice: 1, maxChoice: choices.length },
    text: [`Open this page yourself:\n${url}`, besides].filter((part) => part !== "").join("\n\n"),
    answer: ({ value }) => ({ result: value === "1" ? { action: "accept" } : DECLINED }),
  });
}

function readHost(url: string): string | null {
  try {
    const { host, protocol } = new URL(url);
    return (protocol === "https:" || protocol === "http:") && host !== "" ? host : null;
  } catch {
    return null;
  }
}

function createFormRequest(message: string, schema: Json, besides: string): PendingRequest | null {
  const fields = readFields(schema);
  if (!fields) return null;
  const [only, ...others] = fields;
  const shape = only && others.length === 0 ? describeSingleField(only) : describeForm(fields);
  return createRequest(message, besides === "" ? shape : { ...shape, text: `${shape.text}\n\n${besides}` });
}

function describeSingleField(field: ElicitationField): ElicitationParts {
  const { options, multi } = field;
  const text = field.question;
  if (options.length === 0) return { ...describeTextField(field), text };
  const rows = options.map(({ label, detail }): Choice => ({
    label,
    intent: "other",
    ...(detail !== undefined && { detail }),
  }));
  const decline: Choice = { label: "Decline to answer", intent: "reject_once" };
  const choices = multi ? rows : [...rows, decline];
  const range = { minChoice: 1, maxChoice: choices.length };
  return {
    promptType: "multiple_choice",
    choices,
    constraints: multi ? { ...range, multi: true, declinable: true } : range,
    text,
    answer: ({ value }) => {
      if (value === DECLINE || (!multi && value === String(choices.length))) return { result: DECLINED };
      const labels = (value === "" ? [] : value.split(",")).map((index) => options[Number(index) - 1]?.label);
      const taken = labels.filter((label) => label !== undefined);
      if (taken.length < labels.length) return createRefusal("option_unknown");
      return acceptAnswers([[field, multi ? taken : (taken[0] ?? "")]]);
    },
  };
}

function describeTextField(field: ElicitationField): Omit<ElicitationParts, "text"> {
  return {
    promptType: "free_text",
    choices: [],
    constraints: { maxLength: AGENT_TEXT_MAX, multiline: true, declinable: true },
    answer: ({ value }) => (value === DECLINE ? { result: DECLINED } : acceptAnswers([[field, value]])),
  };
}

function describeForm(fields: readonly ElicitationField[]): ElicitationParts {
  const form = fields.map(createFormField);
  return {
    promptType: "free_text",
    choices: [],
    constraints: { form, multiline: true, maxLength: AGENT_TEXT_MAX, declinable: true },
    text: form.map(formatQuestion).join("\n\n"),
    answer: (given) => (given.value === DECLINE ? { result: DECLINED } : acceptForm(fields, form, given)),
  };
}

function createShownOption({ label, detail }: ElicitationField["options"][number]): FormOption {
  return { label, ...(detail !== undefined && { detail }) };
}

function createFormField({ name, question, options, multi, required }: ElicitationField): FormField {
  const own = options.map(createShownOption);
  const inWords = options.length === 0;
  const rows: readonly FormOption[] = required || multi || inWords ? own : [...own, { label: LEFT_OUT }];
  const optional = inWords && !required;
  return {
    name,
    question: optional ? `${question} (${LEAVE_OUT} leaves it out)` : question,
    options: rows,
    ...(inWords && { ownWords: true }),
    ...(optional && { optional }),
    ...(multi && { multi }),
  };
}

function acceptForm(
  fields: readonly ElicitationField[],
  form: readonly FormField[],
  { value, shownForm = form }: GivenAnswer,
) {
  const parsed = parseForm(shownForm, value);
  if (!parsed.ok) return createRefusal(parsed.problem);
  return acceptAnswers(
    fields.map((field, at) => {
      const given = parsed.answer[at]?.[1] ?? "";
      const own = (label: string): string => findOwnLabel(form[at]?.options ?? [], shownForm[at], label);
      return [field, typeof given === "string" ? own(given) : given.map(own)];
    }),
  );
}

function acceptAnswers(
  answers: readonly (readonly [ElicitationField, FieldAnswer])[],
): { readonly result: RequestResult } | Refusal {
  const content: Record<string, unknown> = {};
  for (const [field, given] of answers) {
    if (given === LEFT_OUT && !field.required) continue;
    const value = parseFieldValue(field, given);
    if (value === undefined)
      return createRefusal("option_unknown", `${field.title} does not take that answer.`);
    content[field.name] = value;
  }
  return { result: { action: "accept", content } };
}
