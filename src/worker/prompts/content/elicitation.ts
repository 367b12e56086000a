/** What a server wants to know of a person (`elicitation/create`) → what people are asked: a form, or a page to open. Pure. */
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
import { createRejection, type Rejection } from "../../../model/answer/rejection.js";
import { isObject, toText, type Json } from "../../../model/data/json.js";
import {
  requestedQuestion,
  type PendingRequest,
  type GivenAnswer,
  type RequestResult,
} from "../pending-request.js";
import { fieldsIn, valueOf, type Field } from "./elicitation-fields.js";

export const ELICITATION_METHOD = "elicitation/create";

const DECLINED = { action: "decline" };
const GONE = { action: "cancel" };

/** Null when it cannot be shown and answered whole. `besides`: more that people should read. */
export function elicitationAsking(params: Json, besides = ""): PendingRequest | null {
  const message = toText(params["message"]);
  if (message === null) return null;
  switch (params["mode"]) {
    case "url":
      return urlAsking(message, toText(params["url"]), besides);
    case "form":
      return isObject(params["requestedSchema"])
        ? formAsking(message, params["requestedSchema"], besides)
        : null;
    default:
      return null;
  }
}

interface Shape {
  readonly promptType: PromptType;
  readonly choices: readonly Choice[];
  readonly constraints: Constraints;
  readonly text: string;
  readonly answer: PendingRequest["answer"];
}

function asking(message: string, shape: Shape): PendingRequest {
  const { promptType, choices, constraints, text, answer } = shape;
  return {
    question: requestedQuestion({
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
function urlAsking(message: string, url: string | null, besides: string): PendingRequest | null {
  const host = url === null ? null : hostOf(url);
  if (url === null || host === null) return null;
  const choices: Choice[] = [
    { label: `I agree to open ${host}`, intent: "other" },
    { label: "Decline", intent: "reject_once" },
  ];
  return asking(message, {
    promptType: "multiple_choice",
    choices,
    constraints: { minChoice: 1, maxChoice: choices.length },
    text: [`Open this page yourself:\n${url}`, besides].filter((part) => part !== "").join("\n\n"),
    answer: ({ value }) => ({ result: value === "1" ? { action: "accept" } : DECLINED }),
  });
}

function hostOf(url: string): string | null {
  try {
    const { host, protocol } = new URL(url);
    return (protocol === "https:" || protocol === "http:") && host !== "" ? host : null;
  } catch {
    return null;
  }
}

function formAsking(message: string, schema: Json, besides: string): PendingRequest | null {
  const fields = fieldsIn(schema);
  if (!fields) return null;
  const [only, ...others] = fields;
  const shape = only && others.length === 0 ? singleShape(only) : formShape(fields);
  return asking(message, besides === "" ? shape : { ...shape, text: `${shape.text}\n\n${besides}` });
}

/** One question is asked as itself. */
function singleShape(field: Field): Shape {
  const { options, multi } = field;
  const text = field.question;
  if (options.length === 0) return { ...textShape(field), text };
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
      if (taken.length < labels.length) return createRejection("option_unknown");
      return accepted([[field, multi ? taken : (taken[0] ?? "")]]);
    },
  };
}

function textShape(field: Field): Omit<Shape, "text"> {
  return {
    promptType: "free_text",
    choices: [],
    constraints: { maxLength: AGENT_TEXT_MAX, multiline: true, declinable: true },
    answer: ({ value }) => (value === DECLINE ? { result: DECLINED } : accepted([[field, value]])),
  };
}

function formShape(fields: readonly Field[]): Shape {
  const form = fields.map(formField);
  return {
    promptType: "free_text",
    choices: [],
    constraints: { form, multiline: true, maxLength: AGENT_TEXT_MAX, declinable: true },
    text: form.map(listedField).join("\n\n"),
    answer: (given) => (given.value === DECLINE ? { result: DECLINED } : filledIn(fields, form, given)),
  };
}

/** What the tool gets for it is nobody else's, and no part of what goes to the hub. */
function shownOption({ label, detail }: Field["options"][number]): FormOption {
  return { label, ...(detail !== undefined && { detail }) };
}

function formField({ name, question, options, multi, required }: Field): FormField {
  const own = options.map(shownOption);
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

function listedField({ question, options, multi }: FormField, at: number): string {
  const rows = options.map(
    ({ label, detail }, row) => `   ${row + 1}. ${label}${detail === undefined ? "" : ` – ${detail}`}`,
  );
  return [`${at + 1}) ${question}${multi ? " (several: 1,3 or none)" : ""}`, ...rows].join("\n");
}

function filledIn(
  fields: readonly Field[],
  form: readonly FormField[],
  { value, shownForm = form }: GivenAnswer,
) {
  const parsed = parseForm(shownForm, value);
  if (!parsed.ok) return createRejection(parsed.problem);
  return accepted(
    fields.map((field, at) => {
      const given = parsed.answer[at]?.[1] ?? "";
      // Shown labels may be redacted; the agent gets its own.
      const own = (label: string): string =>
        form[at]?.options[shownForm[at]?.options.findIndex((option) => option.label === label) ?? -1]
          ?.label ?? label;
      return [field, typeof given === "string" ? own(given) : given.map(own)];
    }),
  );
}

function accepted(
  answers: readonly (readonly [Field, FieldAnswer])[],
): { readonly result: RequestResult } | Rejection {
  const content: Record<string, unknown> = {};
  for (const [field, given] of answers) {
    if (given === LEFT_OUT && !field.required) continue;
    const value = valueOf(field, given);
    if (value === undefined)
      return createRejection("option_unknown", `${field.title} does not take that answer.`);
    content[field.name] = value;
  }
  return { result: { action: "accept", content } };
}
