/** Fills in several questions, or a check list, by taps: one at a time, then a summary, whose button alone sends an answer. */
import {
  LEAVE_OUT,
  parseFormField,
  parseForm,
  encodeForm,
  type FormField,
} from "../../../model/answer/form.js";
import type { Choice, PromptEvent } from "../../../model/prompt.js";
import type { ChannelCapabilities, NoticeStep } from "../../../sdk/channel.js";
import type { ButtonPlan } from "./button-plan.js";

export interface FormStep {
  /** The question that is shown, from 0; as many as there are questions: the summary. */
  readonly at: number;
  /** The answer to each question in written form (`2`, `1,3`, `none`, own words); null: not yet. */
  readonly given: readonly (string | null)[];
}

type FillablePrompt = Pick<PromptEvent, "promptType" | "choices" | "constraints">;

export function listStepFields({ promptType, choices, constraints }: FillablePrompt): readonly FormField[] {
  if (constraints.localOnly) return [];
  if (promptType === "free_text") return constraints.form ?? [];
  if (promptType !== "multiple_choice" || constraints.multi !== true) return [];
  return [{ name: "", question: "", options: choices, multi: true }];
}

/** The step that a new card starts with; null if the channel cannot show steps, or has no room for their buttons. */
export function startSteps(event: FillablePrompt, capabilities: ChannelCapabilities): FormStep | null {
  const fields = listStepFields(event);
  if (fields.length === 0 || capabilities.steps !== true || !capabilities.edit) return null;
  const most = Math.max(...fields.map(({ options }) => options.length));
  if (most + OTHER_BUTTONS_MAX > capabilities.buttonsMax) return null;
  return { at: 0, given: fields.map(() => null) };
}

/** "Done", "Back", "Keep", "Decline to answer" and "Deny and stop". */
const OTHER_BUTTONS_MAX = 5;

const STEP = "step:";
const SEND = "send:";
/** The value of a row that is no button: it says which step the card shows. */
const HERE = "here:";

/**
 * What a button changes: an option is chosen, ticked or unticked, ticking is done, a question is left out, or another one is shown. It says
 * what holds afterwards, so that a second tap changes nothing, and taps that come faster than the card is edited all count.
 */
export interface StepAction {
  readonly does: "pick" | "tick" | "untick" | "done" | "skip" | "show";
  readonly at: number;
  readonly option: number;
}

function encodeAction({ does, at, option }: StepAction): string {
  return `${STEP}${does} ${at} ${option}`;
}

export function parseAction(value: string): StepAction | null {
  const [, does, at, option] = /^step:(pick|tick|untick|done|skip|show) (\d+) (\d+)$/.exec(value) ?? [];
  return does === undefined
    ? null
    : { does: does as StepAction["does"], at: Number(at), option: Number(option) };
}

export function parseSend(value: string): string | null {
  return value.startsWith(SEND) ? value.slice(SEND.length) : null;
}

/** Whether a button sends the present content of the card, and not an earlier one. */
export function sendsStep(event: FillablePrompt, step: FormStep, value: string): boolean {
  return parseSend(value) === encodeFilled(event, step);
}

export function encodeHere({ at, given }: FormStep): string {
  return `${HERE}${JSON.stringify([at, ...given])}`;
}

export function findShownStep(event: FillablePrompt, values: readonly string[]): FormStep | null {
  const here = values.find((value) => value.startsWith(HERE));
  return here === undefined ? null : decode(event, here.slice(HERE.length));
}

function decode(event: FillablePrompt, text: string): FormStep | null {
  const [at, ...given] = JSON.parse(text) as [number, ...(string | null)[]];
  const { length } = listStepFields(event);
  return given.length === length && at >= 0 && at <= length ? { at, given } : null;
}

/** The step after `written` (a number, `1,3`, `none`, own words) was given for question `at`; null if it is no answer to it. */
export function giveAnswer(
  event: FillablePrompt,
  { at: shown, given }: FormStep,
  at: number,
  written: string,
): FormStep | null {
  const field = listStepFields(event)[at];
  const text = written.trim();
  if (field === undefined || text.includes("\n") || parseFormField(field, text) === null) return null;
  const next = given.map((known, index) => (index === at ? text : known));
  // An older button, or words to another question, do not turn the page.
  return { at: at === shown ? findNext(next) : shown, given: next };
}

function findNext(given: readonly (string | null)[]): number {
  const open = given.indexOf(null);
  return open === -1 ? given.length : open;
}

export function applyAction(event: FillablePrompt, step: FormStep, action: StepAction): FormStep | null {
  const { does, at, option } = action;
  const field = listStepFields(event)[at];
  if (does === "show") return at <= step.given.length ? { ...step, at } : null;
  if (field === undefined) return null;
  switch (does) {
    case "pick":
      return giveAnswer(event, step, at, String(option + 1));
    case "skip":
      return giveAnswer(event, step, at, LEAVE_OUT);
    case "done":
      return giveAnswer(event, step, at, step.given[at] ?? writeTicks([]));
    case "tick":
    case "untick": {
      const others = listTicked(field, step, at).filter((other) => other !== option);
      const ticks = writeTicks(does === "tick" ? [...others, option] : others);
      return { ...step, given: step.given.map((known, index) => (index === at ? ticks : known)) };
    }
  }
}

export function planStepButtons(event: FillablePrompt, step: FormStep): ButtonPlan[] {
  const fields = listStepFields(event);
  const field = fields[step.at];
  const back = step.at > 0 ? [plan("← Back", "show", step.at - 1)] : [];
  if (field === undefined) return [...planSend(event, step, "✅ Send"), ...back];
  if (!field.multi) return [...planOptions(event, field, step), ...planSkips(field, step), ...back];
  const label = labelDone(field, step);
  const done = fields.length > 1 ? [plan(label, "done", step.at)] : planSend(event, step, label);
  return [...planTicks(field, step), ...done, ...back];
}

function planSend(event: FillablePrompt, step: FormStep, label: string): ButtonPlan[] {
  const value = encodeFilled(event, step);
  return value === null ? [] : [{ value: `${SEND}${value}`, choice: name(label) }];
}

function planOptions(event: FillablePrompt, field: FormField, step: FormStep): ButtonPlan[] {
  const chosen = parseGiven(field, step.given[step.at]);
  return field.options.map(({ label }, option) => {
    const button = plan(`${chosen === label ? "✓ " : ""}${option + 1}. ${label}`, "pick", step.at, option);
    // With one question there is nothing to look over: the tap answers.
    const only = step.given.length === 1 ? giveAnswer(event, step, step.at, String(option + 1)) : null;
    return { ...button, value: (only && encodeFilled(event, only)) ?? button.value };
  });
}

/** A text that was given before is kept, an optional one left out. */
function planSkips(field: FormField, step: FormStep): ButtonPlan[] {
  const known = step.given[step.at] ?? null;
  const isOption = field.options.some(({ label }) => label === parseGiven(field, known));
  const keep = known === null || isOption ? [] : [plan("Keep it →", "show", findNext(step.given))];
  const isOptional = field.optional === true && field.options.length === 0;
  return [...keep, ...(isOptional ? [plan("Leave it out", "skip", step.at)] : [])];
}

function planTicks(field: FormField, step: FormStep): ButtonPlan[] {
  const ticked = listTicked(field, step);
  return field.options.map(({ label }, option) => {
    const isTicked = ticked.includes(option);
    const box = isTicked ? "☑" : "☐";
    return plan(`${box} ${option + 1}. ${label}`, isTicked ? "untick" : "tick", step.at, option);
  });
}

function labelDone(field: FormField, step: FormStep): string {
  const chosen = parseGiven(field, step.given[step.at]);
  if (chosen === null || chosen.length === 0) return "Done: none of them";
  const ticked = listTicked(field, step).length;
  return ticked === 0 ? "Keep it →" : `Done: ${ticked} ticked`;
}

function listTicked(field: FormField, { at, given }: FormStep, question = at): number[] {
  const chosen = parseGiven(field, given[question]);
  return field.options.flatMap(({ label }, index) => (chosen?.includes(label) === true ? [index] : []));
}

function writeTicks(ticked: readonly number[]): string {
  const sorted = [...ticked].sort((a, b) => a - b);
  return sorted.length === 0 ? "none" : sorted.map((index) => index + 1).join(",");
}

function parseGiven(field: FormField, written: string | null | undefined): string | readonly string[] | null {
  return typeof written === "string" ? parseFormField(field, written) : null;
}

/** The legal value of a card that is filled in; null if an answer is missing. A check list without a tick is filled in. */
function encodeFilled(event: FillablePrompt, { given }: FormStep): string | null {
  const fields = listStepFields(event);
  const isList = fields.length === 1 && fields[0]?.multi === true;
  const lines = isList ? [given[0] ?? "none"] : given;
  if (event.promptType === "multiple_choice") return lines[0] === "none" ? "" : (lines[0] ?? null);
  if (lines.includes(null)) return null;
  const parsed = parseForm(fields, lines.join("\n"));
  return parsed.ok ? encodeForm(parsed.answer) : null;
}

function plan(label: string, does: StepAction["does"], at: number, option = 0): ButtonPlan {
  return { value: encodeAction({ does, at, option }), choice: name(label) };
}

function name(label: string): Choice {
  return { label, intent: "other" };
}

export function describeStep(event: FillablePrompt, step: FormStep): NoticeStep {
  const fields = listStepFields(event);
  const field = fields[step.at];
  const given = fields.flatMap((each, at) => {
    const answer = at === step.at ? null : parseGiven(each, step.given[at]);
    if (answer === null) return [];
    const words = typeof answer === "string" ? answer : answer.join(", ") || "none of them";
    return [{ number: at + 1, question: each.question, answer: words }];
  });
  const asked = field === undefined ? null : { number: step.at + 1, field };
  return { of: fields.length, asked, given };
}
