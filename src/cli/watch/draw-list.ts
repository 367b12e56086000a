/** Draws the list of prompts and sessions as lines. Pure. */
import type { WatchedPrompt } from "../../client/watch-hub.js";
import { describeToolState } from "../../model/last-words.js";
import type { ListedSession } from "../../wire/listings.js";
import { describeNoOpenPrompts } from "../../model/no-open-prompts.js";
import { formatDuration, formatStamp, measureAge } from "../../model/data/age.js";
import {
  bold,
  dim,
  fillHeight,
  fit,
  placeLeftAndRight,
  computeWindowStart,
  sliceWindow,
  wrapWords,
  yellow,
  type Size,
} from "./lay-out.js";
import { getHighlighted, type PromptOutcome, type WatchState } from "./state.js";

interface Item {
  /** Null: cannot be highlighted. */
  readonly id: string | null;
  readonly lines: readonly string[];
}

export function drawList(state: WatchState, { cols, rows }: Size, now: number): readonly string[] {
  const here = getHighlighted(state);
  const items = buildItems(state, here, cols, now);
  const lines = items.flatMap((item) => item.lines);
  const before = items.slice(
    0,
    Math.max(
      0,
      items.findIndex(({ id }) => id !== null && id === state.selected),
    ),
  );
  const from = before.reduce((sum, item) => sum + item.lines.length, 0);
  const height = items[before.length]?.lines.length ?? 1;
  return fillHeight(sliceWindow(lines, computeWindowStart(from, from + height - 1, rows), rows), rows);
}

function buildItems(state: WatchState, here: string | null, cols: number, now: number): Item[] {
  const { prompts, sessions, unanswered } = state.hub;
  const { problem } = state;
  const marked = (id: string): string => (id === here ? "❯ " : "  ");
  const questions = prompts.map((prompt) => ({
    id: prompt.promptId,
    lines: drawPrompt(prompt, sessions, marked(prompt.promptId), cols, now),
  }));
  const running = sessions.map((session) => ({
    id: session.sessionId,
    lines: [drawSession(session, marked(session.sessionId), cols, now)],
  }));
  const lately = state.outcomes.map((outcome) => ({
    id: outcome.again ? outcome.promptId : null,
    lines: [drawOutcome(outcome, marked(outcome.promptId), cols)],
  }));
  return [
    ...drawSection(
      "Questions",
      questions,
      problem === null ? describeNoOpenPrompts(unanswered, sessions) : formatSentence(problem),
      cols,
    ),
    ...drawSection("Sessions", running, problem === null ? "No sessions are running." : "", cols),
    ...(lately.length > 0 ? drawSection("Recent", lately, "", cols) : []),
  ];
}

const NONE_INDENT = "  ";
/** In 45 columns, a line about a waiting prompt takes three rows and one about an unreadable session two. */
const NONE_ROWS = 6;

function drawSection(name: string, items: readonly Item[], ifNone: string, cols: number): Item[] {
  const said = ifNone === "" ? [] : wrapWords(ifNone, cols - NONE_INDENT.length, NONE_ROWS);
  const none = said.map((line) => title(dim(fit(`${NONE_INDENT}${line}`, cols))));
  return [title(bold(fit(name, cols))), ...(items.length > 0 ? items : none), title("")];
}

function title(line: string): Item {
  return { id: null, lines: [line] };
}

function drawPrompt(
  prompt: WatchedPrompt,
  sessions: readonly ListedSession[],
  mark: string,
  cols: number,
  now: number,
): string[] {
  const { shortId, safetyClass, state, excerpt } = prompt;
  const doing = state === "pending" ? safetyClass : state;
  const head = `${mark}${bold(shortId)} ${describeSource(prompt, sessions)} · ${doing}`;
  const [question = ""] = excerpt.split("\n");
  const lines = [placeLeftAndRight(head, dim(describeAge(prompt, now)), cols), fit(`     ${question}`, cols)];
  return mark.startsWith("❯") ? lines.map(yellow) : lines;
}

function drawOutcome({ shortId, text, again }: PromptOutcome, mark: string, cols: number): string {
  const said = `${mark}${dim(shortId)} ${text}`;
  if (!again) return fit(said, cols);
  const line = placeLeftAndRight(said, dim("🔁 ask again"), cols);
  return mark.startsWith("❯") ? yellow(line) : line;
}

/** The tool and its session's label. */
export function describeSource(
  { tool, sessionId }: Pick<WatchedPrompt, "tool" | "sessionId">,
  sessions: readonly ListedSession[],
): string {
  const label = sessions.find((session) => session.sessionId === sessionId)?.label ?? null;
  return label === null ? tool : `${tool} (${label})`;
}

/** As short as can be: it stands at the right of a line. */
export function describeAge(prompt: Pick<WatchedPrompt, "createdAt" | "clockSetSince">, now: number): string {
  const age = measureAge(prompt, "createdAt", now);
  return age === null ? `at ${formatStamp(prompt.createdAt)}` : `${formatDuration(age)} ago`;
}

function drawSession(session: ListedSession, mark: string, cols: number, now: number): string {
  const { tool, label, state, said, connected, openPrompts, heldBack, cwd } = session;
  const facts = [
    label === null ? tool : `${tool} (${label})`,
    describeToolState(state, said),
    ...(openPrompts > 0 ? [`${openPrompts} open`] : []),
    ...(heldBack ? ["⏸ held back: asked too often"] : []),
    ...(connected ? [] : ["not connected"]),
    cwd,
  ];
  const age = measureAge(session, "startedAt", now);
  const span = age === null ? `since ${formatStamp(session.startedAt)}` : formatDuration(age);
  const line = placeLeftAndRight(`${mark}${facts.join(" · ")}`, dim(span), cols);
  return mark.startsWith("❯") ? yellow(line) : line;
}

function formatSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
