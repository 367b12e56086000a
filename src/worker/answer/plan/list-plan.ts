/** Plans for lists of choices: one key that acts, arrows and Enter, ticks and submit. Pure. */
import type { NewlinePolicy } from "../../../model/answer/reply.js";
import { createRejection, type Rejection } from "../../../model/answer/rejection.js";
import type { Candidate, CandidateChoice, CheckListKeys } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { ANY_LIST } from "../../detection/matchers/any-list.js";
import { arrowKey, ENTER, isOneKey, type Direction } from "./bytes.js";
import { planLine, planRowText, planTyped, planWords } from "./text-plan.js";
import type { Expected, Plan, InputStep, Tick } from "./plan-steps.js";

interface Answer {
  readonly text?: string;
  readonly newlinePolicy: NewlinePolicy;
}

/** Takes one choice (1-based) of a list or a yes/no. */
export function planChoice(candidate: Candidate, view: View, reply: Answer, index: number): Plan | Rejection {
  const choice = candidate.choices[index - 1];
  if (!choice) return createRejection("option_unknown");
  if (reply.text !== undefined && reply.text !== "") {
    if (choice.textTo === "composer") return planFollowed(candidate, view, choice, index, reply.text);
    const opening = openField(candidate, view, choice, index);
    return opening === null ? createRejection("no_plan") : planRowText(opening, view, index, reply.text);
  }
  return planTaking(candidate, view, choice, index, reply.newlinePolicy);
}

function planTaking(
  candidate: Candidate,
  view: View,
  choice: CandidateChoice,
  index: number,
  policy: NewlinePolicy,
): Plan | Rejection {
  const endsTool = candidate.endsTool.includes(index);
  const { answer } = choice;
  switch (answer.by) {
    case "key":
      // Exactly this key: a trailing Enter would answer the next dialog.
      if (!isOneKey(answer.key)) return createRejection("no_plan");
      if (isText(answer.key) && isInField(candidate)) return planByArrows(candidate, view, index);
      return leaving([{ keys: answer.key, requires: { identity: "same" } }], endsTool);
    case "line":
      return planLine(candidate, answer.text, policy, endsTool);
    case "typed":
      return planTyped(candidate, answer.text, endsTool);
    case "arrows":
      return planByArrows(candidate, view, index);
  }
}

/** Somebody left the highlight on a text field, where the key would be text. */
function isInField({ choices, highlighted }: Candidate): boolean {
  const marked = choices[(highlighted ?? 0) - 1];
  if (marked === undefined || marked.textTo !== undefined) return false;
  return marked.takesText === "required" || (marked.takesText === "optional" && !marked.textKeys);
}

function isText(key: string): boolean {
  return key >= " " && key !== "\u007f";
}

/** Takes the choice; its words follow where tasks are typed. */
function planFollowed(
  candidate: Candidate,
  view: View,
  choice: CandidateChoice,
  index: number,
  text: string,
): Plan | Rejection {
  const taking = planTaking(candidate, view, choice, index, "none");
  if (!("steps" in taking)) return taking;
  const words = planWords(view, text);
  if (!("steps" in words)) return words;
  const [last, ...earlier] = taking.steps.toReversed();
  if (last === undefined || taking.endsTool) return createRejection("no_plan");
  return { ...words, steps: [...earlier.reverse(), { ...last, answers: true }, ...words.steps] };
}

/** The chosen row of a radio list is another than the highlighted one: tick, look, hand in. */
function planRadio(candidate: Candidate, view: View, index: number): Plan | Rejection {
  const { checkList, at = null, choices } = candidate;
  const moves = movesTo(candidate, view, at, index);
  const toggle = checkList?.toggle;
  if (moves === null || toggle === undefined || !checkList || checkList.submit.length === 0)
    return createRejection("no_plan");
  const ticked = choices.map((_, i) => ({ choice: i + 1, on: i + 1 === index }));
  const submit = checkList.submit.map(({ key }): InputStep => ({
    keys: key,
    requires: { identity: "same", ticked },
  }));
  return leaving([...moves, { keys: toggle, requires: on(index) }, ...submit], false);
}

function planByArrows(candidate: Candidate, view: View, index: number): Plan | Rejection {
  if (candidate.at !== undefined) return planRadio(candidate, view, index);
  const moves = movesTo(candidate, view, candidate.highlighted, index);
  const shown =
    moves?.length === 0 && candidate.rule === ANY_LIST ? moveAwayAndBack(candidate, view, index) : [];
  if (moves === null || shown === null) return createRejection("no_plan");
  const taking = { keys: ENTER, requires: on(index) };
  return leaving([...moves, ...shown, taking], candidate.endsTool.includes(index));
}

/**
 * A list that no rule describes may be text above what is asked. Its mark then does not follow an arrow, and Enter, which would be for
 * something else, is not pressed.
 */
function moveAwayAndBack(candidate: Candidate, view: View, index: number): InputStep[] | null {
  const beside = index < candidate.choices.length ? index + 1 : index - 1;
  const [there, back] = [movesTo(candidate, view, index, beside), movesTo(candidate, view, beside, index)];
  return there && back && [...there, ...back];
}

function leaving(steps: readonly InputStep[], endsTool: boolean): Plan {
  return { steps, effect: { kind: "leaves" }, endsTool };
}

function on(index: number): Expected {
  return { identity: "same", highlighted: index };
}

/**
 * Arrows from one row to another, never over the edge: whether a list wraps, and where its hidden rows are, is not known. Null
 * when no row is highlighted or the rows are neither one column nor one line.
 */
function movesTo(candidate: Candidate, view: View, from: number | null, to: number): InputStep[] | null {
  if (from === null || from === to) return from === null ? null : [];
  const direction = directionOf(candidate.choices, from < to);
  if (direction === null) return null;
  const keys = arrowKey(direction, view.modes);
  const by = from < to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) }, (_, i) => ({ keys, requires: on(from + i * by) }));
}

/**
 * Rows as drawn decide: side by side is left and right, and Yes may stand behind No; a list drawn from the bottom has its
 * next choice above.
 */
function directionOf(choices: readonly CandidateChoice[], forward: boolean): Direction | null {
  const steps = choices.slice(1).map((choice, i) => choice.firstRow - (choices[i]?.firstRow ?? 0));
  const isBackward = (choices[1]?.column ?? 0) < (choices[0]?.column ?? 0);
  if (steps.every((step) => step === 0)) return forward === isBackward ? "left" : "right";
  if (steps.every((step) => step > 0)) return forward ? "down" : "up";
  if (steps.every((step) => step < 0)) return forward ? "up" : "down";
  return null;
}

/** The writes that bring the text field of a row up; the next write may paste. */
function openField(
  candidate: Candidate,
  view: View,
  choice: CandidateChoice,
  index: number,
): InputStep[] | null {
  const keys = choice.textKeys ?? [];
  const steps = highlightRow(candidate, view, choice, index);
  if (steps === null || !keys.every(isOneKey)) return null;
  return [...steps, ...keys.map((key) => ({ keys: key, requires: on(index) }))];
}

function highlightRow(
  candidate: Candidate,
  view: View,
  choice: CandidateChoice,
  index: number,
): InputStep[] | null {
  if (candidate.highlighted === index) return [];
  // The own key of a row whose text is optional takes the choice without any text.
  if (choice.takesText === "required" && choice.answer.by === "key" && isOneKey(choice.answer.key))
    return [{ keys: choice.answer.key, requires: { identity: "same" } }];
  return choice.answer.by === "line" ? null : movesTo(candidate, view, candidate.highlighted, index);
}

/** Ticks what is wanted and not ticked, unticks the rest, then hands the list in as the adapter declares. */
export function planCheckList(candidate: Candidate, view: View, value: string): Plan | Rejection {
  const { checkList } = candidate;
  if (!checkList || checkList.submit.length === 0) return createRejection("no_plan");
  const wanted = new Set(value === "" ? [] : value.split(",").map(Number));
  const ticks = tickSteps(candidate, view, checkList, wanted);
  if (ticks === null || !checkList.submit.every(({ key }) => isOneKey(key)))
    return createRejection("no_plan");
  const steps = [...ticks.steps];
  let requires = ticks.after;
  for (const { key, leadsTo } of checkList.submit) {
    steps.push({ keys: key, requires });
    requires = leadsTo === undefined ? { identity: "same" } : { identity: { rule: leadsTo } };
  }
  return leaving(steps, false);
}

interface Ticks {
  readonly steps: readonly InputStep[];
  /** What the first submit key must find: every tick as wanted. */
  readonly after: Expected;
}

function tickSteps(
  candidate: Candidate,
  view: View,
  keys: CheckListKeys,
  wanted: ReadonlySet<number>,
): Ticks | null {
  const steps: InputStep[] = [];
  const ticked: Tick[] = [];
  let at = candidate.highlighted;
  for (const [i, { checked }] of candidate.choices.entries()) {
    const choice = i + 1;
    const on = wanted.has(choice);
    // A row without a tick (a text row) can only be left alone.
    if (checked === undefined && on) return null;
    if ((checked ?? false) !== on) {
      const toggling = toggle(candidate, view, keys, at, choice);
      if (toggling === null) return null;
      const [first, ...others] = toggling.steps;
      if (first) steps.push({ ...first, requires: { ...first.requires, ticked: [...ticked] } }, ...others);
      at = toggling.at;
    }
    if (checked !== undefined) ticked.push({ choice, on });
  }
  return { steps, after: { identity: "same", ticked } };
}

function toggle(
  candidate: Candidate,
  view: View,
  keys: CheckListKeys,
  at: number | null,
  index: number,
): { steps: InputStep[]; at: number | null } | null {
  const answer = candidate.choices[index - 1]?.answer;
  if (answer?.by === "key") {
    if (!isOneKey(answer.key)) return null;
    // Whether the row's key also moves the highlight is the tool's habit: not relied on.
    return { steps: [{ keys: answer.key, requires: { identity: "same" } }], at };
  }
  if (answer?.by !== "arrows" || keys.toggle === undefined || !isOneKey(keys.toggle)) return null;
  const moves = movesTo(candidate, view, at, index);
  return moves && { steps: [...moves, { keys: keys.toggle, requires: on(index) }], at: index };
}
