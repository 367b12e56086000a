/** Handles a key press in `watch`: returns the next state and the requested action. Pure. */
import type { WatchedPrompt } from "../../client/watch-hub.js";
import { describeHidden, isRejecting } from "../../model/hidden.js";
import { buildAnswer, buildRows, countTexts, type AnswerRow, type WatchAnswer } from "./answers.js";
import {
  getHighlighted,
  listHighlightable,
  openPage,
  findHighlightedOutcome,
  findPagePrompt,
  withNote,
  type PromptOutcome,
  type WatchPage,
  type WatchState,
} from "./state.js";

export type WatchAction =
  | { readonly kind: "quit" }
  | { readonly kind: "suspend" }
  | { readonly kind: "again"; readonly outcome: PromptOutcome }
  | { readonly kind: "answer"; readonly prompt: WatchedPrompt; readonly given: WatchAnswer };

export interface KeyStep {
  readonly state: WatchState;
  readonly action: WatchAction | null;
}

/** How far the page's text can be scrolled, and by how much a page key scrolls. */
export interface ListExtent {
  readonly last: number;
  readonly page: number;
}

type PromptPage = Extract<WatchPage, { kind: "prompt" }>;

/** `key` by its name: `up`, `enter`, `ctrl+c`, `7`. Not for keys typed into a text. */
export function press(state: WatchState, key: string, extent: ListExtent): KeyStep {
  if (key === "ctrl+c" || key === "ctrl+d") return { state, action: { kind: "quit" } };
  if (key === "ctrl+z") return { state, action: { kind: "suspend" } };
  const quiet = withNote(state, null);
  if (state.page.kind === "list") return pressInList(quiet, key);
  if (key === "escape" || key === "q" || key === "left")
    return keepState({ ...quiet, page: { kind: "list" } });
  const scroll = computeScroll(state.page.scroll, key, extent);
  if (scroll !== null) return keepState({ ...quiet, page: { ...state.page, scroll } });
  const prompt = findPagePrompt(state);
  if (state.page.kind === "session" || !prompt) return keepState(quiet);
  return pressOnPrompt(quiet, state.page, prompt, key);
}

function keepState(state: WatchState): KeyStep {
  return { state, action: null };
}

function pressInList(state: WatchState, key: string): KeyStep {
  if (key === "q" || key === "escape") return { state, action: { kind: "quit" } };
  const outcome = key === "enter" ? findHighlightedOutcome(state) : null;
  if (outcome) return askAgain(state, outcome);
  if (key === "enter" || key === "right") return keepState(openPage(state));
  const ids = listHighlightable(state);
  const at = moveHighlight(ids.indexOf(getHighlighted(state) ?? ""), key, ids.length);
  return keepState(at === null ? state : { ...state, selected: ids[at] ?? null });
}

function askAgain(state: WatchState, outcome: PromptOutcome): KeyStep {
  const looking = withNote(state, `${outcome.shortId}: checking the screen …`);
  return { state: looking, action: { kind: "again", outcome } };
}

/** The new position of a list's highlight; null for a key that does not move it. */
function moveHighlight(at: number, key: string, length: number): number | null {
  if (length === 0) return null;
  if (key === "up" || key === "k") return Math.max(0, at - 1);
  if (key === "down" || key === "j") return Math.min(length - 1, at + 1);
  if (key === "home") return 0;
  return key === "end" ? length - 1 : null;
}

function computeScroll(from: number, key: string, { last, page }: ListExtent): number | null {
  const at = Math.min(from, last);
  if (key === "pageDown") return Math.min(last, at + page);
  if (key === "pageUp") return Math.max(0, at - page);
  if (key === "home") return 0;
  return key === "end" ? last : null;
}

function pressOnPrompt(state: WatchState, page: PromptPage, prompt: WatchedPrompt, key: string): KeyStep {
  if (page.accepting !== null) return confirmHidden(state, page, prompt, key);
  const rows = buildRows(prompt);
  const at = /^[1-9a-i]$/i.test(key)
    ? rows.findIndex(({ digit }) => digit === key.toUpperCase())
    : moveHighlight(page.row, key, rows.length);
  if (at !== null && at >= 0) return keepState({ ...state, page: { ...page, row: at } });
  if (key === "space") return tick(state, page, rows[page.row]);
  if (key === "tab") return write(state, page, rows[page.row]);
  return key === "enter" ? choose(state, page, prompt, rows[page.row]) : keepState(state);
}

function tick(state: WatchState, page: PromptPage, row: AnswerRow | undefined): KeyStep {
  if (!row?.ticks) return keepState(state);
  const number = Number(row.value);
  const others = page.ticked.filter((other) => other !== number);
  const ticked = others.length < page.ticked.length ? others : [...others, number].sort((a, b) => a - b);
  return keepState({ ...state, page: { ...page, ticked } });
}

function write(state: WatchState, page: PromptPage, row: AnswerRow | undefined): KeyStep {
  if (!row || row.text === "none") return keepState(state);
  return keepState({ ...state, page: { ...page, entry: { row, texts: [] } } });
}

function choose(
  state: WatchState,
  page: PromptPage,
  prompt: WatchedPrompt,
  row: AnswerRow | undefined,
): KeyStep {
  if (prompt.type === "secret")
    return keepState(withNote(state, "Secrets are typed only at the tool's own terminal."));
  if (prompt.state !== "pending") return keepState(withNote(state, "It is already being answered."));
  if (!row) return keepState(withNote(state, "Choose with ↑ ↓ or a number first."));
  if (row.ticks) return tick(state, page, row);
  if (row.text === "required") return write(state, page, row);
  return answer(state, page, prompt, buildAnswer(prompt, row, page.ticked, []));
}

/** The hub checks hidden content as well; this asks before the answer is sent. */
function answer(state: WatchState, page: PromptPage, prompt: WatchedPrompt, given: WatchAnswer): KeyStep {
  const { hidden } = prompt.content;
  const question = { promptType: prompt.type, ...prompt.details };
  if (hidden === null || given.acceptHidden || isRejecting(question, given.value))
    return send(state, prompt, given);
  const asking = { ...state, page: { ...page, entry: null, accepting: given } };
  return keepState(
    withNote(asking, `${describeHidden(hidden)}. Press y to approve it unseen, any other key to cancel.`),
  );
}

function confirmHidden(state: WatchState, page: PromptPage, prompt: WatchedPrompt, key: string): KeyStep {
  const next = { ...state, page: { ...page, accepting: null } };
  if (key !== "y" || page.accepting === null) return keepState(withNote(next, "No answer was given."));
  return answer(next, page, prompt, { ...page.accepting, acceptHidden: true });
}

function send(state: WatchState, prompt: WatchedPrompt, given: WatchAnswer): KeyStep {
  const sent = withNote(state, `${prompt.shortId}: sending …`);
  return { state: sent, action: { kind: "answer", prompt, given } };
}

/** The text is complete. */
export function typeText(state: WatchState, text: string): KeyStep {
  const { page } = state;
  const prompt = findPagePrompt(state);
  if (page.kind !== "prompt" || !page.entry || !prompt) return keepState(state);
  const { row } = page.entry;
  const texts = [...page.entry.texts, text];
  if (text === "") return keepState(withNote(state, "The text is empty."));
  if (texts.length < countTexts(prompt))
    return keepState({ ...state, page: { ...page, entry: { row, texts } } });
  const closed = { ...state, page: { ...page, entry: null } };
  return answer(closed, closed.page, prompt, buildAnswer(prompt, row, page.ticked, texts));
}

/** Cancels typing the text. */
export function cancelEntry(state: WatchState): WatchState {
  return state.page.kind === "prompt" ? { ...state, page: { ...state.page, entry: null } } : state;
}
