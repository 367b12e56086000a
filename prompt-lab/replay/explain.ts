/** Applies every rule to one view and explains why it did not match, with the code of live sessions. */
import type { SafetyClass } from "../../src/model/prompt.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { Signals, View } from "../../src/sdk/view.js";
import type { Shape } from "../../src/worker/adapter-format/adapter-file.js";
import type { CompiledAdapter, CompiledRule } from "../../src/worker/adapter-format/compiled/compiled.js";
import {
  readLineSignals,
  matchRule,
  isSilenced,
  createListReader,
} from "../../src/worker/detection/detect.js";
import {
  isBlank,
  findLastDrawn,
  toPage,
  readTextAt,
  type Page,
} from "../../src/worker/detection/layout/layout.js";
import { isNoMatch, type MatchCondition, type NoMatch } from "../../src/worker/detection/layout/no-match.js";
import { isLineShape } from "../../src/worker/detection/shapes/line-shape.js";
import { findMark, findMarkedRows } from "../../src/worker/detection/shapes/list-mark.js";

export interface RuleReport {
  readonly rule: string;
  readonly shape: Shape;
  readonly safetyClass: SafetyClass;
  /** Null when the rule matches. Only the first rule that matches counts. */
  readonly why: Reason | null;
  readonly candidate: Candidate | null;
}

export interface Reason {
  /** `silenced`: a passive program is in the foreground. */
  readonly condition: MatchCondition | "silenced";
  /** A passive program is in the foreground. */
  readonly row: number | null;
  readonly text: string;
}

export function explain(adapter: CompiledAdapter, view: View, signals: Signals): readonly RuleReport[] {
  const page = toPage(view);
  const lists = createListReader();
  return adapter.rules.map((rule) => {
    const known = { rule: rule.name, shape: rule.shape, safetyClass: rule.safetyClass };
    if (isSilenced(adapter, rule, signals))
      return { ...known, why: explainSilenced(signals), candidate: null };
    const found = matchRule(rule, page, readLineSignals(adapter, signals), lists);
    return isNoMatch(found)
      ? { ...known, why: explainNoMatch(rule, found, page, signals), candidate: null }
      : { ...known, why: null, candidate: found };
  });
}

function explainSilenced({ foreground }: Signals): Reason {
  const text = `${foreground ?? "the program"} waits for keys and shows no prompt (passive_programs)`;
  return { condition: "silenced", row: null, text };
}

function explainNoMatch(rule: CompiledRule, miss: NoMatch, page: Page, signals: Signals): Reason {
  const row = miss.row === undefined ? null : (page.rows[miss.row]?.first ?? null);
  return { condition: miss.missed, row, text: describeNoMatch(rule, miss, page, signals) };
}

function describeNoMatch(
  rule: CompiledRule,
  { missed, pattern = "" }: NoMatch,
  page: Page,
  signals: Signals,
): string {
  switch (missed) {
    case "list":
      return describeMissingList(rule, page);
    case "line":
      return describeMissingLine(page, signals);
    case "field":
      return `no row is a field ${rule.field ?? ""} with the cursor in it`;
    case "frame":
      return `no ${rule.frame ?? "frame"} is drawn`;
    case "header":
      return `no row nearby matches the header ${rule.header ?? ""}`;
    case "tty":
      return `the terminal ${rule.tty === "raw" ? "takes lines, no single keys" : "takes single keys, no lines"}`;
    case "shape":
      return rule.shape === "check_list" ? "its rows have no tick boxes" : "its rows have tick boxes";
    case "top":
      return `no row is the top line ${pattern}`;
    case "footer":
      return "this row is below the list and matches no footer";
    case "requires":
      return `no row matches the required ${pattern}`;
    case "forbids":
      return `this row is forbidden: ${pattern}`;
    case "question":
      return describeMissingQuestion(rule, pattern);
    case "spelling":
      return `the line is not spelled like a ${rule.shape}`;
  }
}

function describeMissingQuestion(rule: CompiledRule, pattern: string): string {
  if (isLineShape(rule)) return `the line of the cursor does not match the question ${pattern}`;
  return pattern === "" ? "there is no text above the list" : `no paragraph matches the question ${pattern}`;
}

/** Tells apart: no marked row, a marked row without input, and input without a list. */
function describeMissingList({ list }: CompiledRule, page: Page): string {
  if (!list) return "the rule has no list";
  const marks = list.glyphs.join(" or ");
  const rows = findMarkedRows(page, list).map(({ row }) => countFromOne(page, row));
  if (rows.length === 0) return marks === "" ? "no row is set off" : `no row begins with ${marks}`;
  const { visible, column, row } = page.cursor;
  const cursor = `the ${visible ? "" : "hidden "}cursor is in row ${countFromOne(page, row)}, column ${column + 1}`;
  const begins = `${marks} begins row ${rows.join(", ")}`;
  const isLive = list.live.some((proof) => proof !== "highlight" && findMark(page, list, proof) !== null);
  if (isLive)
    return `${begins} and the cursor is as it should be, but the rows there are no list (${describeRowsWanted(list)})`;
  return `${begins}, but no list is live there (${list.live.join(" or ")}): ${cursor}`;
}

/** The most important requirements for the rows of a list. */
function describeRowsWanted({ numbers, rowsMin: least }: NonNullable<CompiledRule["list"]>): string {
  const numbered = numbers === "required" ? ", each with a number such as `1.`" : "";
  return `at least ${least} rows${numbers === "none" ? " without numbers" : numbered}`;
}

function describeMissingLine(page: Page, { blockedOnRead }: Signals): string {
  if (page.view.modes.alternateScreen) return "the alternate screen is on, where no lines are read";
  if (blockedOnRead === false) return "the foreground program does not read the terminal";
  const row = findLastDrawn(page);
  if (row < 0 || isBlank(readTextAt(page, row))) return "the screen is empty";
  return `the cursor is not right behind the last line (row ${countFromOne(page, row)})`;
}

/** Row numbers as people count them, from 1. */
function countFromOne(page: Page, row: number): number {
  return (page.rows[row]?.first ?? 0) + 1;
}
