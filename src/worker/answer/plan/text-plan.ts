/** Plans how text is typed: a line with its Enter in one write, or a paste into a field and Enter once the text is drawn. Pure. */
import type { NewlinePolicy } from "../../../model/answer/reply.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { encodeAnswer, ENTER, encodePaste } from "./bytes.js";
import { isPlan, type Expected, type Plan, type InputStep } from "./plan-steps.js";

/** A terminal keeps 1024 bytes of an unread line on macOS (4096 on Linux) and drops the rest with its Enter. */
export const LINE_BYTES_MAX = 1000;

/** Types `value` and its Enter in one write. */
export function planLine(
  candidate: Candidate,
  value: string,
  policy: NewlinePolicy,
  endsTool: boolean,
): Plan | Refusal {
  // Without paste marks a tab is a key (completion), not text.
  if (value.includes("\t")) return createRefusal("control_characters");
  const bytes = encodeAnswer(candidate.promptType, value, policy);
  if (bytes === null) return createRefusal("several_lines");
  if (bytes.length > LINE_BYTES_MAX) return createRefusal("too_long");
  const keys = Buffer.from(bytes).toString("utf8");
  return {
    steps: [{ keys, expects: { identity: "same" } }],
    effect: { kind: "leaves_or_repeats", typed: value },
    endsTool,
  };
}

/**
 * Types `value` for a tool that reads keys, and presses Enter once it is drawn. The first character of a choice may be the whole answer, so the
 * others are written only while that character is still on the screen.
 */
export function planTyped(candidate: Candidate, value: string, endsTool = false): Plan | Refusal {
  if (value.includes("\t")) return createRefusal("control_characters");
  if (value === "") return planLine(candidate, "", "append", endsTool);
  if (Buffer.byteLength(value) > LINE_BYTES_MAX) return createRefusal("too_long");
  if (candidate.field) return planField(candidate.field, value);
  const [first = "", ...rest] = value;
  const isWhole = rest.length === 0 || candidate.choices.length === 0;
  const begin: InputStep = {
    keys: isWhole ? value : first,
    expects: { identity: "same" },
    ...((rest.length === 0 || !isWhole) && { mayAnswer: true as const }),
  };
  const goOn: readonly InputStep[] = isWhole
    ? []
    : [{ keys: rest.join(""), expects: { identity: { typed: first } } }];
  return {
    steps: [begin, ...goOn, { keys: ENTER, expects: { identity: { typed: value } } }],
    effect: { kind: "typed_text_leaves", typed: value },
    endsTool,
  };
}

/** Clears a drawn field, types into it, and reads the text back before Enter. */
function planField({ text, clear }: NonNullable<Candidate["field"]>, value: string): Plan | Refusal {
  const write = (keys: string, field: string): InputStep => ({ keys, expects: { identity: "same", field } });
  const steps = [write(value, ""), write(ENTER, value)];
  if (text !== "") {
    if (clear === undefined) return createRefusal("field_not_empty");
    steps.unshift(write(clear, text));
  }
  return { steps, effect: { kind: "leaves" }, endsTool: false };
}

/** Types free text as the adapter declares, or else as the terminal supports it. */
export function planText(
  candidate: Candidate,
  view: View,
  value: string,
  policy: NewlinePolicy,
): Plan | Refusal {
  const entry = candidate.textEntry ?? (view.modes.bracketedPaste ? "paste" : "line");
  if (entry === "line" || value === "") return planLine(candidate, value, policy, false);
  const identity = candidate.promptType === "unknown" ? "unrecognized" : "same_but_text";
  return planEntry([], { identity: "same" }, { identity }, view, value);
}

/** A person's permission to empty the input box while it contains exactly `field`. */
export interface ClearPermission {
  readonly key: string;
  readonly field: string;
}

/** Types the next task into the tool's empty input box, which is emptied first with `clearing`. */
export function planTask(
  composer: Candidate,
  view: View,
  text: string,
  clearing: ClearPermission | null = null,
): Plan | Refusal {
  const draft = composer.field?.text;
  const opening: InputStep[] = [];
  if (draft !== "") {
    if (clearing === null || clearing.field !== draft) return createRefusal("draft");
    opening.push({ keys: clearing.key, expects: { identity: "same", field: draft } });
  }
  return planEntry(opening, { identity: "same", field: "" }, { identity: "same_but_text" }, view, text);
}

/** `opening`: the steps that open the text field of the row. */
export function planRowText(
  opening: readonly InputStep[],
  view: View,
  index: number,
  text: string,
): Plan | Refusal {
  const row = { identity: "same_but_text", highlighted: index } as const;
  const ready = opening.length === 0 ? { ...row, identity: "same" as const } : { ...row, opened: index };
  return planEntry(opening, ready, row, view, text);
}

/** Types text into the tool's composer once nothing is asked. The caller has checked that it is no command. */
export function planComposerText(view: View, text: string): Plan | Refusal {
  const composer = { identity: "composer" } as const;
  const plan = planEntry([], composer, composer, view, text);
  return isPlan(plan) ? { ...plan, effect: { kind: "composer_empties" } } : plan;
}

function planEntry(
  opening: readonly InputStep[],
  ready: Expected,
  filled: Expected,
  view: View,
  text: string,
): Plan | Refusal {
  if (text.trim() === "") return createRefusal("empty");
  if (!view.modes.bracketedPaste) {
    if (text.includes("\n")) return createRefusal("several_lines");
    if (text.includes("\t")) return createRefusal("control_characters");
  }
  const keys = view.modes.bracketedPaste ? encodePaste(text) : text;
  return {
    steps: [...opening, { keys, expects: ready }, { keys: ENTER, expects: { ...filled, echo: text } }],
    effect: { kind: "field_empties" },
    endsTool: false,
  };
}
