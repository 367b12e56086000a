/** Plans how a row of a list is chosen: by its key, by arrows and Enter, or by ticks and a submit key. Pure. */
import type { NewlinePolicy, Reply } from "../../../model/answer/reply.js";
import { createRefusal, type Refusal } from "../../../model/answer/refusal.js";
import type { Candidate, CandidateChoice, CheckListKeys } from "../../../sdk/candidate.js";
import type { View } from "../../../sdk/view.js";
import { ANY_BUTTONS, ANY_LIST } from "../../detection/matchers/any-list-rule.js";
import { LINEAR_LIST } from "../../detection/matchers/linear.js";
import { encodeArrowKey, ENTER, isOneKey, type Direction } from "./bytes.js";
import { planLine, planRowText, planTyped, planComposerText } from "./text-plan.js";
import { isPlan, type Expected, type Plan, type InputStep, type Tick } from "./plan-steps.js";

/** A row of a list, by its 1-based index. */
interface ListRow {
  readonly candidate: Candidate;
  readonly view: View;
  readonly choice: CandidateChoice;
  readonly index: number;
}

/** Chooses one row (1-based) of a list or a yes/no. */
export function planChoice(
  candidate: Candidate,
  view: View,
  { text = "", newlinePolicy }: Pick<Reply, "text" | "newlinePolicy">,
  index: number,
): Plan | Refusal {
  const choice = candidate.choices[index - 1];
  if (!choice) return createRefusal("option_unknown");
  const row = { candidate, view, choice, index };
  if (text === "") return planChoiceOnly(row, newlinePolicy);
  if (choice.textTo === "composer") return planChoiceThenText(row, text);
  const opening = planOpenField(row);
  return opening === null ? createRefusal("no_plan") : planRowText(opening, view, index, text);
}

function planChoiceOnly({ candidate, view, choice, index }: ListRow, policy: NewlinePolicy): Plan | Refusal {
  const endsTool = candidate.endsTool.includes(index);
  const { answer } = choice;
  switch (answer.by) {
    case "key":
      // Exactly this key: a trailing Enter would answer the next dialog.
      if (!isOneKey(answer.key)) return createRefusal("no_plan");
      if (isText(answer.key) && isInField(candidate)) return planByArrows(candidate, view, index);
      return createLeavingPlan([{ keys: answer.key, expects: { identity: "same" } }], endsTool);
    case "line":
      return planLine(candidate, answer.text, policy, endsTool);
    case "typed":
      return planTyped(candidate, answer.text, endsTool);
    case "arrows":
      return planByArrows(candidate, view, index);
  }
}

/** Whether the highlight is on a text field, where a key would be text. */
function isInField({ choices, highlighted }: Candidate): boolean {
  const marked = choices[(highlighted ?? 0) - 1];
  if (marked === undefined || marked.textTo !== undefined) return false;
  return marked.takesText === "required" || (marked.takesText === "optional" && !marked.textKeys);
}

function isText(key: string): boolean {
  return key >= " " && key !== "\u007f";
}

/** Chooses the row, then types the text into the composer. */
function planChoiceThenText(row: ListRow, text: string): Plan | Refusal {
  const taking = planChoiceOnly(row, "none");
  if (!isPlan(taking)) return taking;
  const words = planComposerText(row.view, text);
  if (!isPlan(words)) return words;
  const [last, ...earlier] = taking.steps.toReversed();
  if (last === undefined || taking.endsTool) return createRefusal("no_plan");
  return { ...words, steps: [...earlier.reverse(), { ...last, answers: true }, ...words.steps] };
}

/** In a radio list the ticked row counts, not the highlighted one. */
function planRadio(candidate: Candidate, view: View, index: number): Plan | Refusal {
  const { checkList, at = null, choices } = candidate;
  const moves = planMoves(candidate, view, at, index);
  const shown = showHighlight(candidate, view, at);
  const toggle = checkList?.toggle;
  if (moves === null || shown === null || toggle === undefined || !checkList || checkList.submit.length === 0)
    return createRefusal("no_plan");
  const ticked = choices.map((_, i) => ({ choice: i + 1, on: i + 1 === index }));
  const submit = checkList.submit.map(({ key }): InputStep => ({
    keys: key,
    expects: { identity: "same", ticked },
  }));
  const ticking = { keys: toggle, expects: expectHighlight(index) };
  return createLeavingPlan([...shown, ...moves, ticking, ...submit], false);
}

function isUnknownList({ rule }: Candidate): boolean {
  return rule === ANY_LIST || rule === ANY_BUTTONS || rule === LINEAR_LIST;
}

function planByArrows(candidate: Candidate, view: View, index: number): Plan | Refusal {
  if (candidate.shape === "radio_list") return planRadio(candidate, view, index);
  const moves = planMoves(candidate, view, candidate.at ?? candidate.highlighted, index);
  const shown = moves?.length === 0 ? showHighlight(candidate, view, index) : [];
  if (moves === null || shown === null) return createRefusal("no_plan");
  const taking = { keys: ENTER, expects: expectHighlight(index) };
  return createLeavingPlan([...moves, ...shown, taking], candidate.endsTool.includes(index));
}

/** A list that no rule describes may be mere text above the prompt. So its mark must follow an arrow key away and back before Enter. */
function showHighlight(candidate: Candidate, view: View, index: number | null): InputStep[] | null {
  if (!isUnknownList(candidate)) return [];
  if (index === null || candidate.choices.length < 2) return null;
  const beside = index < candidate.choices.length ? index + 1 : index - 1;
  const [there, back] = [
    planMoves(candidate, view, index, beside),
    planMoves(candidate, view, beside, index),
  ];
  return there && back && [...there, ...back];
}

function createLeavingPlan(steps: readonly InputStep[], endsTool: boolean): Plan {
  return { steps, effect: { kind: "leaves" }, endsTool };
}

function expectHighlight(index: number): Expected {
  return { identity: "same", highlighted: index };
}

/**
 * Arrow keys from one row to another, never past the first or last row, because the list may wrap or have hidden rows. Null when no row is
 * highlighted or the rows are neither one column nor one line.
 */
function planMoves(candidate: Candidate, view: View, from: number | null, to: number): InputStep[] | null {
  if (from === null || from === to) return from === null ? null : [];
  const direction = findDirection(candidate.choices, from < to);
  if (direction === null) return null;
  const keys = encodeArrowKey(direction, view.modes);
  const [start, by] = from < to ? [Math.floor(from), 1] : [Math.ceil(from), -1];
  return Array.from({ length: Math.abs(to - start) }, (_, i) => ({
    keys,
    expects: expectHighlight(i === 0 ? from : start + i * by),
  }));
}

/** Buttons side by side need left and right, perhaps in reverse order; a list drawn from the bottom has its next choice above. */
function findDirection(choices: readonly CandidateChoice[], forward: boolean): Direction | null {
  const steps = choices.slice(1).map((choice, i) => choice.firstRow - (choices[i]?.firstRow ?? 0));
  const isBackward = (choices[1]?.column ?? 0) < (choices[0]?.column ?? 0);
  if (steps.every((step) => step === 0)) return forward === isBackward ? "left" : "right";
  if (steps.every((step) => step > 0)) return forward ? "down" : "up";
  if (steps.every((step) => step < 0)) return forward ? "up" : "down";
  return null;
}

/** The keys that open the text field of a row. */
function planOpenField(row: ListRow): InputStep[] | null {
  const keys = row.choice.textKeys ?? [];
  const steps = planHighlight(row);
  if (steps === null || !keys.every(isOneKey)) return null;
  return [...steps, ...keys.map((key) => ({ keys: key, expects: expectHighlight(row.index) }))];
}

function planHighlight({ candidate, view, choice, index }: ListRow): InputStep[] | null {
  const { takesText, answer } = choice;
  if (candidate.highlighted === index) return [];
  // The key of a row with optional text would choose it without the text.
  if (takesText === "required" && answer.by === "key" && isOneKey(answer.key))
    return [{ keys: answer.key, expects: { identity: "same" } }];
  return answer.by === "line" ? null : planMoves(candidate, view, candidate.highlighted, index);
}

/** Ticks the wanted rows, unticks the rest, then submits the list as the adapter declares. */
export function planCheckList(candidate: Candidate, view: View, value: string): Plan | Refusal {
  const { checkList } = candidate;
  if (!checkList || checkList.submit.length === 0) return createRefusal("no_plan");
  const wanted = new Set(value === "" ? [] : value.split(",").map(Number));
  const shown = showHighlight(candidate, view, candidate.highlighted);
  const ticks = planTicks(candidate, view, checkList, wanted);
  if (ticks === null || shown === null || !checkList.submit.every(({ key }) => isOneKey(key)))
    return createRefusal("no_plan");
  const steps = [...shown, ...ticks.steps];
  let expects = ticks.after;
  for (const { key, leadsTo } of checkList.submit) {
    steps.push({ keys: key, expects });
    expects = leadsTo === undefined ? { identity: "same" } : { identity: { rule: leadsTo } };
  }
  return createLeavingPlan(steps, false);
}

interface Ticks {
  readonly steps: readonly InputStep[];
  /** Every tick is as wanted. */
  readonly after: Expected;
}

function planTicks(
  candidate: Candidate,
  view: View,
  keys: CheckListKeys,
  wanted: ReadonlySet<number>,
): Ticks | null {
  const steps: InputStep[] = [];
  const ticked: Tick[] = [];
  let at = candidate.at ?? candidate.highlighted;
  for (const [i, row] of candidate.choices.entries()) {
    const { checked } = row;
    const choice = i + 1;
    const on = wanted.has(choice);
    // A text row has no tick.
    if (checked === undefined && on) return null;
    if ((checked ?? false) !== on) {
      const toggling = planToggle({ candidate, view, choice: row, index: choice }, keys, at);
      if (toggling === null) return null;
      const [first, ...others] = toggling.steps;
      if (first) steps.push({ ...first, expects: { ...first.expects, ticked: [...ticked] } }, ...others);
      at = toggling.at;
    }
    if (checked !== undefined) ticked.push({ choice, on });
  }
  return { steps, after: { identity: "same", ticked } };
}

function planToggle(
  { candidate, view, choice: { answer }, index }: ListRow,
  keys: CheckListKeys,
  at: number | null,
): { steps: InputStep[]; at: number | null } | null {
  if (answer.by === "key") {
    if (!isOneKey(answer.key)) return null;
    // In some tools this key also moves the highlight.
    return { steps: [{ keys: answer.key, expects: { identity: "same" } }], at };
  }
  if (answer.by !== "arrows" || keys.toggle === undefined || !isOneKey(keys.toggle)) return null;
  const moves = planMoves(candidate, view, at, index);
  return moves && { steps: [...moves, { keys: keys.toggle, expects: expectHighlight(index) }], at: index };
}
