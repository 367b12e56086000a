/** Draws the list of prompts and sessions as lines. Pure. */
import type { WatchedPrompt } from "../../client/watch-hub.js";
import { stateWords } from "../../model/last-words.js";
import type { ListedSession } from "../../wire/listings.js";
import { describeNoOpenPrompts } from "../../model/no-open-prompts.js";
import { duration } from "../format.js";
import {
  bold,
  dim,
  fillHeight,
  fit,
  leftAndRight,
  startThatShows,
  windowOf,
  wrapWords,
  yellow,
  type Size,
} from "./lay-out.js";
import { highlightedPromptId, type PromptOutcome, type WatchState } from "./state.js";

interface Item {
  /** Null: cannot be highlighted. */
  readonly id: string | null;
  readonly lines: readonly string[];
}

export function listLines(state: WatchState, { cols, rows }: Size, now: number): readonly string[] {
  const here = highlightedPromptId(state);
  const items = itemsOf(state, here, cols, now);
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
  return fillHeight(windowOf(lines, startThatShows(from, from + height - 1, rows), rows), rows);
}

function itemsOf(state: WatchState, here: string | null, cols: number, now: number): Item[] {
  const { prompts, sessions, unanswered } = state.hub;
  const { problem } = state;
  const marked = (id: string): string => (id === here ? "❯ " : "  ");
  const questions = prompts.map((prompt) => ({
    id: prompt.promptId,
    lines: questionLines(prompt, sessions, marked(prompt.promptId), cols, now),
  }));
  const running = sessions.map((session) => ({
    id: session.sessionId,
    lines: [sessionRow(session, marked(session.sessionId), cols, now)],
  }));
  const lately = state.outcomes.map((outcome) => ({
    id: outcome.again ? outcome.promptId : null,
    lines: [outcomeRow(outcome, marked(outcome.promptId), cols)],
  }));
  return [
    ...section(
      "Questions",
      questions,
      problem === null ? describeNoOpenPrompts(unanswered, sessions) : sentence(problem),
      cols,
    ),
    ...section("Sessions", running, problem === null ? "No sessions are running." : "", cols),
    ...(lately.length > 0 ? section("Recent", lately, "", cols) : []),
  ];
}

const NONE_INDENT = "  ";
/** In 45 columns, a line about a waiting prompt takes three rows and one about an unreadable session two. */
const NONE_ROWS = 6;

function section(name: string, items: readonly Item[], ifNone: string, cols: number): Item[] {
  const said = ifNone === "" ? [] : wrapWords(ifNone, cols - NONE_INDENT.length, NONE_ROWS);
  const none = said.map((line) => title(dim(fit(`${NONE_INDENT}${line}`, cols))));
  return [title(bold(fit(name, cols))), ...(items.length > 0 ? items : none), title("")];
}

function title(line: string): Item {
  return { id: null, lines: [line] };
}

function questionLines(
  prompt: WatchedPrompt,
  sessions: readonly ListedSession[],
  mark: string,
  cols: number,
  now: number,
): string[] {
  const { shortId, safetyClass, state, excerpt } = prompt;
  const doing = state === "pending" ? safetyClass : state;
  const head = `${mark}${bold(shortId)} ${nameOf(prompt, sessions)} · ${doing}`;
  const [question = ""] = excerpt.split("\n");
  const lines = [leftAndRight(head, dim(ageOf(prompt, now)), cols), fit(`     ${question}`, cols)];
  return mark.startsWith("❯") ? lines.map(yellow) : lines;
}

function outcomeRow({ shortId, text, again }: PromptOutcome, mark: string, cols: number): string {
  const said = `${mark}${dim(shortId)} ${text}`;
  if (!again) return fit(said, cols);
  const line = leftAndRight(said, dim("🔁 ask again"), cols);
  return mark.startsWith("❯") ? yellow(line) : line;
}

/** The tool and its session's label. */
export function nameOf(
  { tool, sessionId }: Pick<WatchedPrompt, "tool" | "sessionId">,
  sessions: readonly ListedSession[],
): string {
  const label = sessions.find((session) => session.sessionId === sessionId)?.label ?? null;
  return label === null ? tool : `${tool} (${label})`;
}

export function ageOf({ createdAt }: Pick<WatchedPrompt, "createdAt">, now: number): string {
  return `${duration(now - Date.parse(createdAt))} ago`;
}

function sessionRow(session: ListedSession, mark: string, cols: number, now: number): string {
  const { tool, label, state, said, connected, openPrompts, cwd, startedAt } = session;
  const facts = [
    label === null ? tool : `${tool} (${label})`,
    stateWords(state, said),
    ...(openPrompts > 0 ? [`${openPrompts} open`] : []),
    ...(connected ? [] : ["not connected"]),
    cwd,
  ];
  const line = leftAndRight(`${mark}${facts.join(" · ")}`, dim(duration(now - Date.parse(startedAt))), cols);
  return mark.startsWith("❯") ? yellow(line) : line;
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
