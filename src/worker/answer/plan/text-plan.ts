/** Plans for text: a line with its Enter, or a paste into a field and, once it is seen there, Enter alone. Pure. */
import type { NewlinePolicy } from "../../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../../model/answer/rejection.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { answerBytes, ENTER, bracketPaste } from "./bytes.js";
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
  const bytes = answerBytes(candidate.promptType, value, policy);
  if (bytes === null) return createRejection("several_lines");
  if (bytes.length > LINE_BYTES_MAX) return createRejection("too_long");
  const keys = Buffer.from(bytes).toString("utf8");
  return {
    steps: [{ keys, requires: { identity: "same" } }],
    effect: { kind: "line_taken", typed: value },
    endsTool,
  };
}

/**
 * Types `value` for a tool that reads keys, looks, and presses Enter. A single character may be the whole answer, and then an
 * Enter would be the next one's: it is only pressed behind the character.
 */
export function planTyped(candidate: Candidate, value: string, endsTool = false): Plan | Rejection {
  if (value.includes("\t")) return createRejection("control_characters");
  if (value === "") return planLine(candidate, "", "append", endsTool);
  if (Buffer.byteLength(value) > LINE_BYTES_MAX) return createRejection("too_long");
  if (candidate.field) return planField(candidate.field, value);
  const isOne = [...value].length === 1;
  return {
    steps: [
      { keys: value, requires: { identity: "same" }, ...(isOne && { mayAnswer: true as const }) },
      { keys: ENTER, requires: { identity: { typed: value } } },
    ],
    effect: { kind: "line_left", typed: value },
    endsTool,
  };
}

/** Into a field that is drawn: emptied first, read back before Enter. What cannot be emptied is not added to. */
function planField(field: NonNullable<Candidate["field"]>, value: string): Plan | Rejection {
  const empty: Expected = { identity: "same", field: "" };
  if (field.text !== "" && field.clear === undefined) return createRejection("typing");
  const clearing: InputStep[] =
    field.text === "" || field.clear === undefined
      ? []
      : [{ keys: field.clear, requires: { identity: "same", field: field.text } }];
  return {
    steps: [
      ...clearing,
      { keys: value, requires: empty },
      { keys: ENTER, requires: { identity: "same", field: value } },
    ],
    effect: { kind: "leaves" },
    endsTool: false,
  };
}

/** Free text, by the way that the adapter declares; without one, by what the terminal can do. */
export function planText(
  candidate: Candidate,
  view: View,
  value: string,
  policy: NewlinePolicy,
): Plan | Rejection {
  const entry = candidate.textEntry ?? (view.modes.bracketedPaste ? "paste" : "line");
  if (entry === "line" || value === "") return planLine(candidate, value, policy, false);
  const unread = candidate.promptType === "unknown";
  return entered(
    [],
    { identity: "same" },
    { identity: unread ? "unread" : "same_but_text", echo: value },
    view,
    value,
  );
}

/** What a tool is to do next, into its input box while that is empty. Enter only once the text is seen there. */
export function planTask(composer: Candidate, view: View, text: string): Plan | Rejection {
  if (composer.field?.text !== "") return createRejection("draft");
  return entered([], { identity: "same", field: "" }, { identity: "same_but_text", echo: text }, view, text);
}

/** Text into the row of a list whose field `opening` brings up. */
export function planRowText(
  opening: readonly InputStep[],
  view: View,
  index: number,
  text: string,
): Plan | Rejection {
  const row = { identity: "same_but_text", highlighted: index } as const;
  const ready = opening.length === 0 ? { ...row, identity: "same" as const } : { ...row, opened: index };
  return entered(opening, ready, { ...row, echo: text }, view, text);
}

/** Words into the tool's composer, once nothing is asked any more. The caller has made sure that they are no command there. */
export function planWords(view: View, text: string): Plan | Rejection {
  const composer = { identity: "composer" } as const;
  const plan = entered([], composer, { ...composer, echo: text }, view, text);
  return "steps" in plan ? { ...plan, effect: { kind: "composer_empties", text } } : plan;
}

function entered(
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
  const keys = view.modes.bracketedPaste ? bracketPaste(text) : text;
  return {
    steps: [...opening, { keys, requires: ready }, { keys: ENTER, requires: filled }],
    effect: { kind: "field_empties", text },
    endsTool: false,
  };
}
