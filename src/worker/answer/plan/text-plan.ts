/** Plans how text is typed: a line together with its Enter, or a paste into a field and, once the text is seen there, Enter alone. Pure. */
import type { NewlinePolicy } from "../../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../../model/answer/rejection.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { encodeAnswer, ENTER, encodePaste } from "./bytes.js";
import type { Expected, Plan, InputStep } from "./plan-steps.js";

/** A line discipline keeps 1024 bytes of an unread line on macOS (4096 on Linux) and drops the rest, the Enter included. */
export const LINE_BYTES_MAX = 1000;

/** Types `value` and its Enter in one write, as a line tool wants it. */
export function planLine(
  candidate: Candidate,
  value: string,
  policy: NewlinePolicy,
  endsTool: boolean,
): Plan | Rejection {
  // Without paste marks a tab is a key (completion), not text.
  if (value.includes("\t")) return createRejection("control_characters");
  const bytes = encodeAnswer(candidate.promptType, value, policy);
  if (bytes === null) return createRejection("several_lines");
  if (bytes.length > LINE_BYTES_MAX) return createRejection("too_long");
  const keys = Buffer.from(bytes).toString("utf8");
  return {
    steps: [{ keys, expects: { identity: "same" } }],
    effect: { kind: "leaves_or_repeats", typed: value },
    endsTool,
  };
}

/**
 * Types `value` for a tool that reads keys, looks, and presses Enter. The first character of a choice may be the whole answer; then what
 * follows could reach the next prompt, so it is written only while that character is still on the screen.
 */
export function planTyped(candidate: Candidate, value: string, endsTool = false): Plan | Rejection {
  if (value.includes("\t")) return createRejection("control_characters");
  if (value === "") return planLine(candidate, "", "append", endsTool);
  if (Buffer.byteLength(value) > LINE_BYTES_MAX) return createRejection("too_long");
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

/** Types into a drawn field: cleared first, read back before Enter. A field that cannot be cleared is left alone. */
function planField(field: NonNullable<Candidate["field"]>, value: string): Plan | Rejection {
  const empty: Expected = { identity: "same", field: "" };
  if (field.text !== "" && field.clear === undefined) return createRejection("field_not_empty");
  const clearing: InputStep[] =
    field.text === "" || field.clear === undefined
      ? []
      : [{ keys: field.clear, expects: { identity: "same", field: field.text } }];
  return {
    steps: [
      ...clearing,
      { keys: value, expects: empty },
      { keys: ENTER, expects: { identity: "same", field: value } },
    ],
    effect: { kind: "leaves" },
    endsTool: false,
  };
}

/** Types free text in the way that the adapter declares, or else in the way that the terminal supports. */
export function planText(
  candidate: Candidate,
  view: View,
  value: string,
  policy: NewlinePolicy,
): Plan | Rejection {
  const entry = candidate.textEntry ?? (view.modes.bracketedPaste ? "paste" : "line");
  if (entry === "line" || value === "") return planLine(candidate, value, policy, false);
  const isUnknown = candidate.promptType === "unknown";
  return planEntry(
    [],
    { identity: "same" },
    { identity: isUnknown ? "unrecognized" : "same_but_text", echo: value },
    view,
    value,
  );
}

/** A person has permitted us to empty the input box while exactly `field` stands in it. */
export interface ClearPermission {
  readonly key: string;
  readonly field: string;
}

/**
 * Types the next task into the tool's empty input box, and presses Enter once the text is seen there. With `clearing` the box is emptied
 * first, and must then be seen to be empty.
 */
export function planTask(
  composer: Candidate,
  view: View,
  text: string,
  clearing: ClearPermission | null = null,
): Plan | Rejection {
  const draft = composer.field?.text;
  const opening: InputStep[] = [];
  if (draft !== "") {
    if (clearing === null || clearing.field !== draft) return createRejection("draft");
    opening.push({ keys: clearing.key, expects: { identity: "same", field: draft } });
  }
  return planEntry(
    opening,
    { identity: "same", field: "" },
    { identity: "same_but_text", echo: text },
    view,
    text,
  );
}

/** Types text into the row of a list whose field `opening` opens. */
export function planRowText(
  opening: readonly InputStep[],
  view: View,
  index: number,
  text: string,
): Plan | Rejection {
  const row = { identity: "same_but_text", highlighted: index } as const;
  const ready = opening.length === 0 ? { ...row, identity: "same" as const } : { ...row, opened: index };
  return planEntry(opening, ready, { ...row, echo: text }, view, text);
}

/** Types text into the tool's composer once nothing is asked any more. The caller has made sure that it is no command there. */
export function planComposerText(view: View, text: string): Plan | Rejection {
  const composer = { identity: "composer" } as const;
  const plan = planEntry([], composer, { ...composer, echo: text }, view, text);
  return "steps" in plan ? { ...plan, effect: { kind: "composer_empties", text } } : plan;
}

function planEntry(
  opening: readonly InputStep[],
  ready: Expected,
  filled: Expected,
  view: View,
  text: string,
): Plan | Rejection {
  if (text.trim() === "") return createRejection("empty");
  if (!view.modes.bracketedPaste) {
    if (text.includes("\n")) return createRejection("several_lines");
    if (text.includes("\t")) return createRejection("control_characters");
  }
  const keys = view.modes.bracketedPaste ? encodePaste(text) : text;
  return {
    steps: [...opening, { keys, expects: ready }, { keys: ENTER, expects: filled }],
    effect: { kind: "field_empties", text },
    endsTool: false,
  };
}
