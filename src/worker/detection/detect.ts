import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, CompiledRule, ListParameters } from "../adapter-format/compiled/compiled.js";
import { buttonsCandidate } from "./matchers/buttons.js";
import { confirmCandidate } from "./matchers/confirm.js";
import { drawnLineCandidate } from "./matchers/drawn-line.js";
import { entryCandidate } from "./matchers/entry.js";
import { fieldCandidate } from "./matchers/field.js";
import { insideFrame } from "./layout/frame.js";
import { pageOf, type Page } from "./layout/layout.js";
import { lineCandidate } from "./matchers/line.js";
import { listCandidate } from "./matchers/list.js";
import { isNoMatch, type NoMatch } from "./layout/no-match.js";
import { pageCandidate } from "./matchers/page.js";
import { findList, type FoundList } from "./shapes/list.js";
import { stableMsOf } from "./matchers/stable-ms.js";
import { stateOf } from "./states.js";
import { STUCK_TIMEOUT_MS, unreadDetection } from "./matchers/unrecognized-screen.js";
import type { Detection, ListReader } from "./detection.js";

/** `stuckTimeoutMs`: how long a screen that nobody can read must wait before it counts, where it is proved that it waits. */
export function detect(
  adapter: CompiledAdapter,
  view: View,
  signals: Signals,
  stuckTimeoutMs: number = STUCK_TIMEOUT_MS,
): Detection {
  if (view.unfollowed) return { candidate: null, state: stateOf(adapter, view, signals), stableMs: 0 };
  const page = pageOf(view);
  const lists = listReader();
  for (const rule of adapter.rules) {
    if (isSilenced(adapter, rule, signals)) continue;
    const found = candidateOf(rule, page, signals, lists);
    if (!isNoMatch(found)) {
      return { state: "waiting", ...dialogOf(adapter, rule, found, { view, signals }) };
    }
  }
  const state = stateOf(adapter, view, signals);
  return (
    unreadDetection(adapter, page, signals, state, stuckTimeoutMs) ?? { candidate: null, state, stableMs: 0 }
  );
}

/** What a rule found, with what the tool's own code knows of it. */
function dialogOf(
  { code }: CompiledAdapter,
  rule: CompiledRule,
  found: Candidate,
  { view, signals }: { readonly view: View; readonly signals: Signals },
): Omit<Detection, "state"> {
  const candidate = code?.complete?.({ candidate: found, view }) ?? found;
  const stableMs = (isCorrected: boolean): number =>
    stableMsOf(rule, signals, code?.layoutMs?.({ candidate, view, isCorrected }) ?? 0);
  const isLaidOut = code?.layoutMs !== undefined;
  return { candidate, stableMs: stableMs(false), ...(isLaidOut && { correctedMs: stableMs(true) }) };
}

/** While a pager or an editor is in front nothing is asked, but by rules that are made for it. */
export function isSilenced(
  { passivePrograms }: CompiledAdapter,
  { programs }: CompiledRule,
  { foreground }: Signals,
): boolean {
  if (programs.length > 0) return foreground === undefined || !programs.includes(foreground);
  return foreground !== undefined && passivePrograms.includes(foreground);
}

/** Lines are not read on the alternate screen; rules that ask for the terminal's mode or for a program are. */
export function needsFacts({ rules }: CompiledAdapter, { modes }: Pick<View, "modes">): boolean {
  return (
    !modes.alternateScreen ||
    rules.some(({ tty, programs, readsInside }) => tty !== null || programs.length > 0 || readsInside)
  );
}

/** What one rule finds, or the first of its conditions that does not hold. */
export function candidateOf(
  rule: CompiledRule,
  whole: Page,
  signals: Signals,
  lists: ListReader,
): Candidate | NoMatch {
  if (isWrongTty(rule, signals)) return { missed: "tty" };
  if (rule.readsInside && signals.readsInside !== true) return { missed: "tty" };
  const page = rule.frame === null ? whole : insideFrame(whole, rule.frame);
  if (page === null) return { missed: "frame" };
  switch (rule.shape) {
    case "list":
    case "check_list":
    case "radio_list":
      return listCandidate(rule, page, lists);
    case "page":
      return pageCandidate(rule, page);
    case "buttons":
      return buttonsCandidate(rule, page);
    case "field":
      return rule.entry.length > 0 ? entryCandidate(rule, page) : fieldCandidate(rule, page);
    case "confirm":
      return confirmCandidate(rule, page);
    case "yes_no":
    case "press_enter":
    case "line":
    case "line_menu":
    case "secret":
      return rule.header === null ? lineCandidate(rule, page, signals) : drawnLineCandidate(rule, page);
  }
}

/** What is not known speaks against nothing. */
function isWrongTty({ tty }: CompiledRule, { canonical }: Signals): boolean {
  return tty !== null && canonical !== undefined && canonical !== (tty === "line");
}

const keys = new WeakMap<ListParameters, string>();

/** Rules that read lists in the same way have equal parameters. */
function keyOf(parameters: ListParameters): string {
  let key = keys.get(parameters);
  if (key === undefined) keys.set(parameters, (key = JSON.stringify(parameters)));
  return key;
}

export function listReader(): ListReader {
  const read = new Map<Page, Map<string, FoundList | null>>();
  return (parameters, page) => {
    const lists = read.get(page) ?? new Map<string, FoundList | null>();
    read.set(page, lists);
    const key = keyOf(parameters);
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = findList(page, parameters)));
    return list;
  };
}
