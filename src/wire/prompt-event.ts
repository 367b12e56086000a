/** The wire form of a prompt, and small schemas shared by all messages. */
import * as v from "valibot";
import { CHOICE_INTENTS, CONFIDENCES, PROMPT_TYPES, SAFETY_CLASSES } from "../model/prompt.js";

export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(128));
export const text = v.string();
export const index = v.pipe(v.number(), v.integer(), v.minValue(0));

export const choice = v.strictObject({
  label: text,
  intent: v.picklist(CHOICE_INTENTS),
  detail: v.optional(text),
  takesText: v.optional(v.picklist(["optional", "required"])),
});

export const cut = v.strictObject({
  missing: v.optional(text),
  told: v.optional(v.literal(true)),
  above: v.optional(v.literal(true)),
});

export const hidden = v.strictObject({
  characters: index,
  kinds: v.array(text),
  opened: v.optional(v.literal(true)),
});

const formField = v.strictObject({
  name: text,
  question: text,
  options: v.array(v.strictObject({ label: text, detail: v.optional(text) })),
  multi: v.optional(v.boolean()),
  ownWords: v.optional(v.boolean()),
  optional: v.optional(v.boolean()),
});

export const constraints = v.strictObject({
  maxLength: v.optional(index),
  minChoice: v.optional(index),
  maxChoice: v.optional(index),
  multi: v.optional(v.boolean()),
  multiline: v.optional(v.boolean()),
  lettered: v.optional(v.boolean()),
  localOnly: v.optional(v.boolean()),
  allowEmpty: v.optional(v.boolean()),
  form: v.optional(v.array(formField)),
  declinable: v.optional(v.boolean()),
  stoppable: v.optional(v.boolean()),
  answerBy: v.optional(v.number()),
  refusedLate: v.optional(v.boolean()),
  keys: v.optional(v.array(v.strictObject({ key: text, does: v.optional(text) }))),
});

export const promptEvent = v.strictObject({
  promptId: id,
  sessionId: id,
  promptType: v.picklist(PROMPT_TYPES),
  confidence: v.picklist(CONFIDENCES),
  score: v.number(),
  safetyClass: v.picklist(SAFETY_CLASSES),
  excerpt: text,
  choices: v.array(choice),
  defaultChoice: v.nullable(index),
  constraints,
  content: v.strictObject({
    text,
    cut: v.nullable(cut),
    hidden: v.optional(hidden),
    call: v.optional(v.strictObject({ tool: text, input: v.unknown(), cwd: v.optional(text) })),
  }),
  contentHash: id,
  fingerprint: id,
  epoch: index,
  idempotencyKey: id,
  sources: v.array(
    v.strictObject({ kind: v.picklist(["screen", "hook", "protocol", "signal"]), name: text }),
  ),
  timestamp: text,
});
