/** The state of `watch`, and how events of the hub change it. Pure. */
import type { PromptEnd, WatchedHub, WatchedPrompt } from "../../client/watch-hub.js";
import type { ListedPrompt, ListedSession } from "../../wire/listings.js";
import { buildRows, type AnswerRow, type WatchAnswer } from "./answers.js";

export interface TextEntry {
  readonly row: AnswerRow;
  /** For a form: the answers given so far. */
  readonly texts: readonly string[];
}

export type WatchPage =
  | { readonly kind: "list" }
  | { readonly kind: "session"; readonly sessionId: string; readonly scroll: number }
  | {
      readonly kind: "prompt";
      readonly promptId: string;
      /** The highlighted row; -1: none yet, so that an Enter meant for something else answers nothing. */
      readonly row: number;
      /** 1-based. */
      readonly ticked: readonly number[];
      /** The first visible line of the content. */
      readonly scroll: number;
      /** A text is being typed. */
      readonly entry: TextEntry | null;
      /** An answer that approves hidden content and waits for `y`. */
      readonly accepting: WatchAnswer | null;
    };

export interface PromptOutcome extends PromptEnd {
  readonly promptId: string;
  readonly shortId: string;
}

export interface WatchState {
  /** Why no hub responds, so that the open prompts are unknown; null while one does. */
  readonly problem: string | null;
  readonly hub: WatchedHub;
  /** Id of the item that the person moved to, so that events do not move the highlight; null: none yet, the first is highlighted. */
  readonly selected: string | null;
  readonly page: WatchPage;
  /** Outcomes of prompts, latest first. */
  readonly outcomes: readonly PromptOutcome[];
  /** One line for the person, until the next key. */
  readonly note: string | null;
}

/** Older ones are listed by `prompts --all`. */
const OUTCOMES_MAX = 20;

export const INITIAL_STATE: WatchState = {
  problem: "the hub has not responded yet",
  hub: { sessions: [], prompts: [], unanswered: [], paused: false },
  selected: null,
  page: { kind: "list" },
  outcomes: [],
  note: null,
};

/** The items that can be highlighted, from top to bottom. */
export function listHighlightable({ hub, outcomes }: WatchState): readonly string[] {
  return [
    ...hub.prompts.map(({ promptId }) => promptId),
    ...hub.sessions.map(({ sessionId }) => sessionId),
    ...outcomes.filter(({ again }) => again).map(({ promptId }) => promptId),
  ];
}

function findSelected(state: WatchState): string | null {
  return listHighlightable(state).find((id) => id === state.selected) ?? null;
}

/** The highlighted item of the list. */
export function getHighlighted(state: WatchState): string | null {
  return state.selected ?? listHighlightable(state)[0] ?? null;
}

/** The highlighted settled prompt, if it can be asked again. */
export function findHighlightedOutcome(state: WatchState): PromptOutcome | null {
  const here = getHighlighted(state);
  return state.outcomes.find(({ promptId, again }) => again && promptId === here) ?? null;
}

export function findPagePrompt({ page, hub }: WatchState): WatchedPrompt | null {
  if (page.kind !== "prompt") return null;
  return hub.prompts.find(({ promptId }) => promptId === page.promptId) ?? null;
}

export function findPageSession({ page, hub }: WatchState): ListedSession | null {
  if (page.kind !== "session") return null;
  return hub.sessions.find(({ sessionId }) => sessionId === page.sessionId) ?? null;
}

export function withConnection(state: WatchState, isConnected: boolean): WatchState {
  return { ...state, problem: isConnected ? null : "the hub stopped responding" };
}

export function withoutHub(state: WatchState, problem: string): WatchState {
  return { ...state, problem };
}

/** If the prompt or session of a page is gone, the list is shown. */
export function withHub(state: WatchState, hub: WatchedHub): WatchState {
  const next = { ...state, hub };
  const isGone =
    (state.page.kind === "prompt" && !findPagePrompt(next)) ||
    (state.page.kind === "session" && !findPageSession(next));
  const before = findPagePrompt(state)?.alike;
  const isChanged =
    before !== undefined && String(before.shortIds) !== String(findPagePrompt(next)?.alike?.shortIds);
  // An Enter must not answer prompts that the chosen row did not name.
  const page = isChanged && state.page.kind === "prompt" ? { ...state.page, row: -1 } : state.page;
  return { ...next, selected: findSelected(next), page: isGone ? { kind: "list" } : page };
}

/** Replaces an earlier outcome of the same prompt. */
export function withOutcome(
  state: WatchState,
  { promptId, shortId }: Pick<ListedPrompt, "promptId" | "shortId">,
  { text, again }: PromptEnd,
): WatchState {
  const others = state.outcomes.filter((known) => known.promptId !== promptId);
  const outcomes = [{ promptId, shortId, text, again }, ...others].slice(0, OUTCOMES_MAX);
  const next = { ...state, outcomes, note: `${shortId}: ${text}` };
  return { ...next, selected: findSelected(next) };
}

export function withNote(state: WatchState, note: string | null): WatchState {
  return { ...state, note };
}

/** Opens the page of the highlighted item. */
export function openPage(state: WatchState): WatchState {
  const { hub } = state;
  const selected = getHighlighted(state);
  const prompt = hub.prompts.find(({ promptId }) => promptId === selected);
  if (prompt) {
    const { promptId } = prompt;
    const [only, ...others] = buildRows(prompt);
    // A row that only starts a text answers nothing yet.
    const row = only?.text === "required" && others.length === 0 ? 0 : -1;
    return {
      ...state,
      page: { kind: "prompt", promptId, row, ticked: [], scroll: 0, entry: null, accepting: null },
    };
  }
  const session = hub.sessions.find(({ sessionId }) => sessionId === selected);
  return session ? { ...state, page: { kind: "session", sessionId: session.sessionId, scroll: 0 } } : state;
}
