/** View and signals in, what is asked and what the tool does out. Pure (design §5). */
import { CONFIDENCE_FLOOR } from "../../model/prompt.js";
import type { ToolState } from "../../model/tool-state.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { Shape } from "./adapter-file.js";
import type { CompiledAdapter, CompiledRule, ListParameters } from "./compiled.js";
import { fieldCandidate } from "./field-candidate.js";
import { pageOf, type Page } from "./layout.js";
import { lineCandidate } from "./line-candidate.js";
import { listCandidate } from "./list-candidate.js";
import { isMiss, type Miss } from "./miss.js";
import { pageCandidate } from "./page-candidate.js";
import { findList, type FoundList } from "./shapes/list.js";
import { stateOf } from "./states.js";
import { STUCK_TIMEOUT_MS, unreadDetection } from "./unread.js";

export interface Detection {
  readonly candidate: Candidate | null;
  readonly state: ToolState | null;
  /** How long the candidate must be still before it counts. */
  readonly stableMs: number;
}

/** Lists are read once a page, however many rules ask for them. */
export type ListReader = (parameters: ListParameters, page: Page) => FoundList | null;

/** `stuckTimeoutMs`: how long a screen that nobody can read must wait before it counts, where it is proved that it waits. */
export function detect(
  adapter: CompiledAdapter,
  view: View,
  signals: Signals,
  stuckTimeoutMs: number = STUCK_TIMEOUT_MS,
): Detection {
  const page = pageOf(view);
  const lists = listReader();
  for (const rule of adapter.rules) {
    if (isSilenced(adapter, rule, signals)) continue;
    const found = candidateOf(rule, page, signals, lists);
    if (!isMiss(found)) return { candidate: found, state: "waiting", stableMs: stableMsOf(rule, signals) };
  }
  const state = stateOf(adapter, view, signals);
  return (
    unreadDetection(adapter, page, signals, state, stuckTimeoutMs) ?? { candidate: null, state, stableMs: 0 }
  );
}

/** While a pager or an editor is in front, no line is a question. */
export function isSilenced(
  { passivePrograms }: CompiledAdapter,
  { shape }: CompiledRule,
  { foreground }: Signals,
): boolean {
  return foreground !== undefined && passivePrograms.includes(foreground) && !isDialog(shape);
}

/** A program that prints `Continue? ` and works on looks just like one that asks; without proof it gets more time to go on. */
const UNPROVEN_LINE_STABLE_MS = 250;
/** Where the wording is weak, too (`name: `), even more. */
const UNPROVEN_WEAK_STABLE_MS = 500;

/** Longer than any reading of the tty takes. */
const FACTS_DUE_STABLE_MS = 2000;

function stableMsOf({ shape, stableMs, score }: CompiledRule, { blockedOnRead, ttyDue }: Signals): number {
  if (isDialog(shape) || blockedOnRead === true) return stableMs;
  if (ttyDue) return Math.max(stableMs, FACTS_DUE_STABLE_MS);
  const isStrong = score >= CONFIDENCE_FLOOR.high;
  return Math.max(stableMs, isStrong ? UNPROVEN_LINE_STABLE_MS : UNPROVEN_WEAK_STABLE_MS);
}

function isDialog(shape: Shape): boolean {
  return shape === "list" || shape === "check_list" || shape === "page" || shape === "field";
}

/** What one rule finds, or the first of its conditions that does not hold. */
export function candidateOf(
  rule: CompiledRule,
  page: Page,
  signals: Signals,
  lists: ListReader,
): Candidate | Miss {
  switch (rule.shape) {
    case "list":
    case "check_list":
      return listCandidate(rule, page, lists);
    case "page":
      return pageCandidate(rule, page);
    case "field":
      return fieldCandidate(rule, page);
    case "yes_no":
    case "press_enter":
    case "line":
    case "line_menu":
    case "secret":
      return lineCandidate(rule, page, signals);
  }
}

export function listReader(): ListReader {
  const read = new Map<Page, Map<string, FoundList | null>>();
  return (parameters, page) => {
    const lists = read.get(page) ?? new Map<string, FoundList | null>();
    read.set(page, lists);
    const key = JSON.stringify(parameters);
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = findList(page, parameters)));
    return list;
  };
}
