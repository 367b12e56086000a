import type { Candidate } from "../../sdk/candidate.js";
import type { Signals, View } from "../../sdk/view.js";
import type { CompiledAdapter, CompiledRule, ListParameters } from "../adapter-format/compiled/compiled.js";
import { matchAnyList } from "./matchers/any-list.js";
import { matchButtons } from "./matchers/buttons.js";
import { matchConfirm } from "./matchers/confirm.js";
import { markAsCut } from "./cut-list.js";
import { matchDrawnLine } from "./matchers/drawn-line.js";
import { matchEntry } from "./matchers/entry.js";
import { matchField } from "./matchers/field.js";
import { readInsideFrame } from "./layout/frame.js";
import { toPage, type Page } from "./layout/layout.js";
import { matchLine } from "./matchers/line.js";
import { matchList } from "./matchers/list.js";
import { isNoMatch, type NoMatch } from "./layout/no-match.js";
import { matchPage } from "./matchers/page.js";
import { findList, type FoundList } from "./shapes/list.js";
import { findOwnMenu } from "./shapes/own-menu.js";
import type { LineSignals } from "./shapes/waiting-line.js";
import { detectPlainLine } from "./plain-line.js";
import { computeStableMs } from "./stable-ms.js";
import { detectState } from "./states.js";
import { STUCK_TIMEOUT_MS, detectUnrecognized } from "./matchers/unrecognized-screen.js";
import type { Detection, ListReader } from "./detection.js";

/** `stuckTimeoutMs`: how long an unrecognized screen must stay unchanged before it counts, where the tool provably waits. */
export function detect(
  adapter: CompiledAdapter,
  view: View,
  signals: Signals,
  stuckTimeoutMs: number = STUCK_TIMEOUT_MS,
): Detection {
  if (view.unfollowed) return { candidate: null, state: detectState(adapter, view, signals), stableMs: 0 };
  const page = toPage(view);
  const lists = createListReader();
  const facts = readLineSignals(adapter, signals);
  const match = (rule: CompiledRule) => matchRule(rule, page, facts, lists);
  const mark = (found: Candidate): Candidate =>
    adapter.unread === "screen" ? markAsCut(found, view) : found;
  for (const rule of adapter.rules) {
    if (isSilenced(adapter, rule, signals)) continue;
    const found = match(rule);
    if (isNoMatch(found)) continue;
    const complete = completeDetection(adapter, rule, mark(found), { view, signals });
    if (!rule.fitsAnyMenu) return { state: "waiting", ...complete };
    const list = matchAnyList(page);
    return { state: "waiting", ...complete, list: list && mark(list), ownMenu: findOwnMenu(page, found) };
  }
  const state = detectState(adapter, view, signals);
  const line = detectPlainLine(adapter, page, signals, state, match);
  if (line) return line;
  const found = detectUnrecognized(adapter, page, signals, state, stuckTimeoutMs);
  if (!found?.candidate) return { candidate: null, state, stableMs: 0 };
  if (adapter.unread !== "screen") return found;
  return { ...found, candidate: mark(found.candidate), ownMenu: findOwnMenu(page, found.candidate) };
}

function completeDetection(
  { code }: CompiledAdapter,
  rule: CompiledRule,
  found: Candidate,
  { view, signals }: { readonly view: View; readonly signals: Signals },
): Omit<Detection, "state"> {
  const candidate = code?.complete?.({ candidate: found, view }) ?? found;
  const computeOwnStableMs = (isCorrected: boolean): number =>
    computeStableMs(rule, signals, code?.computeLayoutMs?.({ candidate, view, isCorrected }) ?? 0);
  const isLaidOut = code?.computeLayoutMs !== undefined;
  return {
    candidate,
    stableMs: computeOwnStableMs(false),
    ...(isLaidOut && { correctedMs: computeOwnStableMs(true) }),
  };
}

/** A pager or an editor in the foreground silences all rules but those that name it. */
export function isSilenced(
  { passivePrograms }: CompiledAdapter,
  { programs }: CompiledRule,
  { foreground }: Signals,
): boolean {
  if (programs.length > 0) return foreground === undefined || !programs.includes(foreground);
  return foreground !== undefined && passivePrograms.includes(foreground);
}

/** Adds what the adapter file says of the program in front: whether it may read commands, and which prompts are theirs. */
export function readLineSignals({ noMenus, plain, states }: CompiledAdapter, signals: Signals): LineSignals {
  const { foreground, canonical, blockedOnRead } = signals;
  const mayReadCommands = foreground === undefined || (plain?.noMenus ?? noMenus).includes(foreground);
  const prompts = states.idle.flatMap(({ pattern, at }) => (at === "cursor" ? [pattern] : []));
  const isAsked = canonical === true && blockedOnRead === true && !mayReadCommands;
  return { ...signals, mayReadCommands, ignoredPrompts: isAsked ? prompts : [] };
}

/** Facts of the tty matter for lines, which are not read on the alternate screen, and for rules that name a tty mode or a program. */
export function needsFacts({ rules }: CompiledAdapter, { modes }: Pick<View, "modes">): boolean {
  return (
    !modes.alternateScreen ||
    rules.some(({ tty, programs, readsInside }) => tty !== null || programs.length > 0 || readsInside)
  );
}

export function matchRule(
  rule: CompiledRule,
  whole: Page,
  signals: LineSignals,
  lists: ListReader,
): Candidate | NoMatch {
  if (isWrongTty(rule, signals)) return { missed: "tty" };
  if (rule.readsInside && signals.readsInside !== true) return { missed: "tty" };
  const page = rule.frame === null ? whole : readInsideFrame(whole, rule.frame);
  if (page === null) return { missed: "frame" };
  switch (rule.shape) {
    case "list":
    case "check_list":
    case "radio_list":
      return matchList(rule, page, lists);
    case "page":
      return matchPage(rule, page);
    case "buttons":
      return matchButtons(rule, page);
    case "field":
      return rule.entry.length > 0 ? matchEntry(rule, page) : matchField(rule, page);
    case "confirm":
      return matchConfirm(rule, page);
    case "yes_no":
    case "press_enter":
    case "line":
    case "line_menu":
    case "secret":
      return rule.header === null ? matchLine(rule, page, signals) : matchDrawnLine(rule, page);
  }
}

/** An unknown mode does not exclude a rule. */
function isWrongTty({ tty }: CompiledRule, { canonical }: Signals): boolean {
  return tty !== null && canonical !== undefined && canonical !== (tty === "line");
}

const keys = new WeakMap<ListParameters, string>();

/** Rules that read lists in the same way share a key, so that each list is read once. */
function serializeParameters(parameters: ListParameters): string {
  let key = keys.get(parameters);
  if (key === undefined) keys.set(parameters, (key = JSON.stringify(parameters)));
  return key;
}

export function createListReader(): ListReader {
  const read = new Map<Page, Map<string, FoundList | null>>();
  return (parameters, page) => {
    const lists = read.get(page) ?? new Map<string, FoundList | null>();
    read.set(page, lists);
    const key = serializeParameters(parameters);
    let list = lists.get(key);
    if (list === undefined) lists.set(key, (list = findList(page, parameters)));
    return list;
  };
}
