/** The few words that people may write to the hub itself, from any channel. Whatever else they write answers nothing. */
import type { Identity } from "../../model/ids.js";
import { stateWords } from "../../model/last-words.js";
import type { PromptState } from "../../model/lifecycle.js";
import { describeUnansweredPrompts } from "../../model/no-open-prompts.js";
import type { InboundAnswer } from "../../sdk/channel.js";
import { noticeSession } from "../delivery/notices/notice.js";
import type { Membership } from "../people/people.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused, setPaused } from "../ledger/pause.js";
import { noOpenPromptsText, unansweredPrompts } from "../sessions/unanswered-prompts.js";

/** Lines of a list in one message; more would not be read on a phone. */
const LISTED_MAX = 20;

export interface CommandWords {
  readonly text: string;
  readonly identity: Identity;
  readonly role: Membership["role"];
}

/** With or without the slash of a chat command, and with the bot's name after it as group chats add it. */
const COMMAND = /^\/?(help|start|prompts|sessions|pause|resume)(?:@\w{1,64})?$/i;

const HELP = [
  "prompts: what waits for an answer",
  "sessions: what runs",
  "answer k7 2: answer the question k7, where it was asked, with its choice 2; also yes, no, or a text",
  "screen, screen api: show what a session's terminal shows",
  "stop, stop api: interrupt what a session does",
  "task api fix the tests: tell a session what to do next; a reply to what it said last does the same",
  "pause: take no answer from anybody until resume",
].join("\n");

/** Does what the words say; null where they are none of these. Inside the inbox's transaction. */
export function runCommand(ledger: Ledger, tx: Transaction, words: CommandWords): InboundAnswer | null {
  const command = COMMAND.exec(words.text.trim())?.[1]?.toLowerCase();
  if (command === "help" || command === "start") return say(HELP);
  if (command === "sessions") return say(sessionsText(ledger));
  if (command === "pause" || command === "resume") return switchTo(ledger, tx, words, command === "pause");
  return command === "prompts" ? say(openPromptsText(ledger)) : null;
}

function switchTo(
  ledger: Ledger,
  tx: Transaction,
  { identity, role }: CommandWords,
  paused: boolean,
): InboundAnswer {
  if (role !== "approver") {
    tx.record({ step: "answer_rejected", identity, details: { code: "not_allowed" } });
    return { text: "You may not do that.", alert: true };
  }
  setPaused(ledger, paused, identity);
  return say(
    paused ? "⏸ Paused: no answer is taken from anybody until resume." : "▶️ Answers are taken again.",
  );
}

/** What waits for an answer, and how to say which is meant; what was answered and is not put in yet; what may wait unseen. */
export function openPromptsText(ledger: Ledger): string {
  const paused = isPaused(ledger) ? ["⏸ Paused: no answer is taken until resume."] : [];
  const open = ledger.store.prompts.listOpen();
  if (open.length === 0) return [...paused, noOpenPromptsText(ledger)].join("\n");
  const unanswered = unansweredPrompts(ledger);
  const [first] = open.filter(({ state }) => state === "pending");
  const how = first ? [`Reply to a card, or write where it was asked: answer ${first.shortId} …`] : [];
  const lines = listed(open, (prompt) => openPromptLine(ledger, prompt));
  return [
    ...paused,
    ...how,
    ...lines,
    ...(unanswered.length > 0 ? [describeUnansweredPrompts(unanswered)] : []),
  ].join("\n");
}

/** Of open questions that nobody can answer at this moment. */
const UNDER_WAY: Partial<Record<PromptState, string>> = {
  detected: "not asked yet",
  answering: "answered, not put in yet",
  injecting: "being put in",
};

function openPromptLine(ledger: Ledger, { shortId, sessionId, event, state }: PromptRow): string {
  const tool = ledger.store.sessions.find(sessionId)?.tool ?? "";
  const doing = UNDER_WAY[state];
  return ledger.options.safeText(
    `${shortId}  ${tool}: ${event.excerpt}${doing === undefined ? "" : ` · ${doing}`}`,
  );
}

function sessionsText(ledger: Ledger): string {
  const open = ledger.store.sessions.listOpen();
  if (open.length === 0) return "Nothing runs.";
  return listed(open, (session) => sessionLine(ledger, session)).join("\n");
}

function sessionLine(ledger: Ledger, row: SessionRow): string {
  const { tool, label, place } = noticeSession(row, ledger.options.safeText);
  const waiting = ledger.store.prompts.countOpenOf(row.sessionId);
  const asks = waiting === 0 ? [] : [`${waiting} open ${waiting === 1 ? "question" : "questions"}`];
  return [tool, label, place, stateWords(row.toolState, row.said), ...asks]
    .filter((part) => part !== null)
    .join(" · ");
}

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length > LISTED_MAX ? [`… and ${items.length - LISTED_MAX} more`] : [];
  return [...items.slice(0, LISTED_MAX).map(line), ...more];
}

function say(text: string): InboundAnswer {
  return { text, alert: false };
}
