/**
 * Every rule put on one view, with the reason of each that found nothing: for people who write adapters. It asks the very code
 * that watches live sessions; only the words are its own.
 */
import type { SafetyClass } from "../../model/prompt.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { Shape } from "../adapter-format/adapter-file.js";
import type { CompiledAdapter, CompiledRule } from "../adapter-format/compiled/compiled.js";
import { candidateOf, isSilenced, listReader } from "./detect.js";
import { isBlank, lastDrawn, pageOf, textAt, type Page } from "./layout/layout.js";
import { isNoMatch, type MatchCondition, type NoMatch } from "./layout/no-match.js";
import { findMark, markedRows } from "./shapes/list-mark.js";

export interface RuleReport {
  readonly rule: string;
  readonly shape: Shape;
  readonly safetyClass: SafetyClass;
  /** Null when the rule fits. Only the first rule that fits counts. */
  readonly why: Reason | null;
  readonly candidate: Candidate | null;
}

export interface Reason {
  /** `silenced`: a passive program is in the foreground. */
  readonly condition: MatchCondition | "silenced";
  /** 0-based row of the view that speaks against it; null where nothing was found anywhere. */
  readonly row: number | null;
  readonly text: string;
}

export function explain(adapter: CompiledAdapter, view: View, signals: Signals): readonly RuleReport[] {
  const page = pageOf(view);
  const lists = listReader();
  return adapter.rules.map((rule) => {
    const known = { rule: rule.name, shape: rule.shape, safetyClass: rule.safetyClass };
    if (isSilenced(adapter, rule, signals)) return { ...known, why: silenced(signals), candidate: null };
    const found = candidateOf(rule, page, signals, lists);
    return isNoMatch(found)
      ? { ...known, why: reasonOf(rule, found, page, signals), candidate: null }
      : { ...known, why: null, candidate: found };
  });
}

function silenced({ foreground }: Signals): Reason {
  const text = `${foreground ?? "the program"} waits for keys and asks nothing (passive_programs)`;
  return { condition: "silenced", row: null, text };
}

function reasonOf(rule: CompiledRule, miss: NoMatch, page: Page, signals: Signals): Reason {
  const row = miss.row === undefined ? null : (page.rows[miss.row]?.first ?? null);
  return { condition: miss.missed, row, text: wordsOf(rule, miss, page, signals) };
}

function wordsOf(
  rule: CompiledRule,
  { missed, pattern = "" }: NoMatch,
  page: Page,
  signals: Signals,
): string {
  switch (missed) {
    case "list":
      return noList(rule, page);
    case "line":
      return noLine(page, signals);
    case "field":
      return `no row is a field ${rule.field ?? ""} with the cursor in it`;
    case "frame":
      return `no ${rule.frame ?? "frame"} is drawn`;
    case "header":
      return `no row nearby begins a question: ${rule.header ?? ""}`;
    case "tty":
      return `the terminal ${rule.tty === "raw" ? "takes lines, no single keys" : "takes single keys, no lines"}`;
    case "shape":
      return rule.shape === "check_list" ? "its rows have no tick boxes" : "its rows have tick boxes";
    case "top":
      return `no row is the top line ${pattern}`;
    case "footer":
      return "this row stands below the list and is no footer";
    case "requires":
      return `no row is as required: ${pattern}`;
    case "forbids":
      return `this row is forbidden: ${pattern}`;
    case "question":
      return pattern === "" ? "nothing stands above the list" : `no paragraph asks ${pattern}`;
    case "spelling":
      return `the line is not spelled like a ${rule.shape}`;
  }
}

/** A list needs a mark at the place where the tool takes input. */
function noList({ list }: CompiledRule, page: Page): string {
  if (!list) return "the rule has no list";
  const marks = list.glyphs.join(" or ");
  const rows = markedRows(page, list).map(({ row }) => shown(page, row));
  if (rows.length === 0) return marks === "" ? "no row is set off" : `no row begins with ${marks}`;
  const { visible, column, row } = page.cursor;
  const cursor = `the ${visible ? "" : "hidden "}cursor is in row ${shown(page, row)}, column ${column + 1}`;
  const begins = `${marks} begins row ${rows.join(", ")}`;
  const isLive = list.live.some((proof) => proof !== "highlight" && findMark(page, list, proof) !== null);
  if (isLive)
    return `${begins} and the cursor is as it should be, but the rows there are no list (${rowsWanted(list)})`;
  return `${begins}, but no list is live there (${list.live.join(" or ")}): ${cursor}`;
}

/** What the rows of a list have to be like, as far as it can be said in a few words. */
function rowsWanted({ numbers, rowsMin: least }: NonNullable<CompiledRule["list"]>): string {
  const numbered = numbers === "required" ? ", each with a number such as `1.`" : "";
  return `at least ${least} rows${numbers === "none" ? " without numbers" : numbered}`;
}

function noLine(page: Page, { blockedOnRead }: Signals): string {
  if (page.view.modes.alternateScreen) return "the alternate screen is on, where no line waits";
  if (blockedOnRead === false) return "the foreground program does not read the terminal";
  const row = lastDrawn(page);
  if (row < 0 || isBlank(textAt(page, row))) return "the screen is empty";
  return `the cursor does not stand right behind the last line (row ${shown(page, row)})`;
}

/** As people count them. */
function shown(page: Page, row: number): number {
  return (page.rows[row]?.first ?? 0) + 1;
}
