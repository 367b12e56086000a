/**
 * Whether a list or a page shows that a person opened it to change a setting: a slash command is right above it as the last
 * message, its title is the name of a setting, or it has a search field.
 */
import type { Candidate } from "../../../sdk/candidate.js";
import type { Page } from "../layout/layout.js";
import { hasAnswer } from "./asked-list.js";
import { withoutSides } from "./offered-keys.js";

export interface OwnMenu {
  /** The command that opens it is the last message above it. */
  readonly isRun: boolean;
  /** It has a title or a search field, as a tool may show at its first start without any command. */
  readonly isNamed: boolean;
}

/** A person's message in the transcript: `> /model`, `you: /model`. */
const MESSAGE = /^ {0,4}(?:[>❯›]|you:)[ \u00a0]{1,3}(\S.{0,400})$/iu;
/** One that is certainly no row with a mark. */
const TOLD = /^ {0,4}(?:>|you:) {1,3}\S/iu;
const COMMAND = /^\/[a-z][\w:-]{0,40}(?:\s|$)/iu;
/** What the tool has said or done since. */
const OUTPUT = /^ {0,4}[●⏺•✦⎿■◦○✓✗◇◆] ?/u;

const TITLE =
  /^(?:apply to|resume (?:(?:a|the|from) )?(?:previous |recent )?(?:session|conversation|chat)s?|(?:(?:select|choose|change|switch|pick|set) (?:an? |the |your )?)?(?:models?|themes?|colou?r (?:mode|scheme)|(?:approval|permission) mode|editor|output style|settings?|preferences|config(?:uration)?|permissions|key ?bindings|status line|rewind|agents|hooks|memory|plugins|skills|mcp servers|extensions|help|usage|diagnostics)(?: and effort)?)(?: {2,}\S.{0,200})?$/iu;
const SEARCH =
  /^(?:[⌕🔍] ?search\b.{0,40}|search(?: settings| to filter)?(?:…|\.{3})?)$|\btype to (?:search|filter)\b/iu;

/** Further up there is other text. */
const ROWS_ABOVE_MAX = 48;

/** Whether its words ask somebody: a question mark, an answer among the rows. */
export function asksInWords({ question, choices }: Candidate): boolean {
  return /[?？]/u.test(question) || hasAnswer(choices);
}

/** A field to search in may have a mark before it. */
const readInside = (text: string): string => withoutSides(text).replace(/^> /u, "");

/** Null: it asks, or nothing says so. */
export function findOwnMenu(page: Page, candidate: Candidate): OwnMenu | null {
  const { choices, region } = candidate;
  if (asksInWords(candidate)) return null;
  const list = Math.min(...choices.map(({ firstRow }) => firstRow), region.bottom + 1);
  const rows = page.view.lines.map(({ text }) => text);
  const above = [...page.view.scrollback, ...rows.slice(0, list)].slice(-ROWS_ABOVE_MAX);
  const message = choices.length > 0 ? MESSAGE : TOLD;
  const isCommand = (text: string): boolean => COMMAND.test(MESSAGE.exec(text)?.[1] ?? "");
  const said = above.findLastIndex((text) => isCommand(text) || OUTPUT.test(text) || message.test(text));
  const isRun = isCommand(above[said] ?? "");
  const heading = above.slice(said + 1).map(readInside);
  const isNamed =
    heading.some((text) => TITLE.test(text)) ||
    rows.slice(region.top, region.bottom + 1).some((text) => SEARCH.test(readInside(text)));
  return isRun || isNamed ? { isRun, isNamed } : null;
}
