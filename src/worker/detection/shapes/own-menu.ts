/**
 * Whether a list or a page says by itself that a person opened it to set something: a slash command stands right above it as the last
 * message, its title is the name of a setting, or it has a field to search in.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Page } from "../layout/layout.js";
import { hasAnswer } from "./asked-list.js";

export interface OwnMenu {
  /** The command that opens it is the last message above it. */
  readonly isRun: boolean;
  /** It has a title or a field to search in, as a tool may show by itself when it starts for the first time. */
  readonly isNamed: boolean;
}

/** A person's message in the transcript: `> /model`, `you: /model`. */
const MESSAGE = /^ {0,4}(?:[>❯›]|you:) {1,3}(\S.{0,400})$/iu;
const COMMAND = /^\/[a-z][\w:-]{0,40}(?:\s|$)/iu;
/** What the tool has said or done since. */
const OUTPUT = /^ {0,4}[●⏺•✦⎿■◦○✓✗◇◆] ?/u;

const TITLE =
  /^(?:apply to|resume (?:(?:a|the|from) )?(?:previous |recent )?(?:session|conversation|chat)s?|(?:(?:select|choose|change|switch|pick|set) (?:an? |the |your )?)?(?:models?|themes?|colou?r (?:mode|scheme)|(?:approval|permission) mode|editor|output style|settings?|preferences|config(?:uration)?|permissions|key ?bindings|status line)(?: and effort)?)(?: {2,}\S.{0,200})?$/iu;
const SEARCH =
  /^(?:[⌕🔍] ?search\b.{0,40}|search(?: settings| to filter)?(?:…|\.{3})?)$|\btype to (?:search|filter)\b/iu;

/** Further up there is other text. */
const ROWS_ABOVE_MAX = 24;

/** Whether its words ask somebody: a question mark, an answer among the rows. */
export function asksInWords({ question, choices }: Candidate): boolean {
  return /[?？]/u.test(question) || hasAnswer(choices);
}

/** Null: it asks, or nothing says so. */
export function findOwnMenu(page: Page, candidate: Candidate): OwnMenu | null {
  const { choices, region } = candidate;
  if (asksInWords(candidate)) return null;
  const list = Math.min(...choices.map(({ firstRow }) => firstRow), region.bottom + 1);
  const rows = page.view.lines.map(({ text }) => text);
  const end = choices.length > 0 ? list : region.top;
  const above = rows.slice(Math.max(0, end - ROWS_ABOVE_MAX), end);
  const said = above.findLastIndex((text) => OUTPUT.test(text) || MESSAGE.test(text));
  const isRun = COMMAND.test(MESSAGE.exec(above[said] ?? "")?.[1] ?? "");
  const heading = [...above.slice(said + 1), ...rows.slice(end, list)].map(withoutSides);
  const isNamed =
    heading.some((text) => TITLE.test(text)) ||
    rows.slice(region.top, region.bottom + 1).some((text) => SEARCH.test(withoutSides(text)));
  return isRun || isNamed ? { isRun, isNamed } : null;
}

function withoutSides(text: string): string {
  return text.replace(/^[\s│┃|]*(?:> )?|[\s│┃|]+$/gu, "");
}
