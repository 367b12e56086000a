/** The commands that people can send to the hub from any channel. Any other text answers nothing. */
import type { Identity } from "../../model/ids.js";
import { describeToolState } from "../../model/last-words.js";
import type { PromptState } from "../../model/lifecycle.js";
import { describeUnansweredPrompts } from "../../model/no-open-prompts.js";
import type { InboundAnswer } from "../../sdk/channel.js";
import { renderSession } from "../delivery/notices/notice.js";
import type { Membership } from "../people/people.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused, setPaused } from "../ledger/pause.js";
import { describeNoOpenPromptsOf, findUnansweredPrompts } from "../sessions/unanswered-prompts.js";

/** Longest list in one message; more is unreadable on a phone. */
const LISTED_MAX = 20;

export interface CommandInput {
  readonly text: string;
  readonly identity: Identity;
  readonly role: Membership["role"];
}

/** The slash of chat commands and the bot's name after it (as in group chats) are optional. */
const COMMAND = /^\/?(help|start|prompts|sessions|pause|resume)(?:@\w{1,64})?$/i;

const HELP = [
  "prompts: list open prompts",
  "sessions: list running sessions",
  "answer k7 2: answer prompt k7 with choice 2, in the chat that shows it; yes, no or a text work too",
  "screen, screen api: show a session's terminal",
  "stop, stop api: interrupt a session",
  "task api fix the tests: give a session its next task; or reply to its last message",
  "pause, resume: stop accepting answers from anyone, and start again",
].join("\n");

/** Runs the command; null if the text is none. Runs inside the inbox's transaction. */
export function runCommand(ledger: Ledger, tx: Transaction, words: CommandInput): InboundAnswer | null {
  const command = COMMAND.exec(words.text.trim())?.[1]?.toLowerCase();
  if (command === "help" || command === "start") return respond(HELP);
  if (command === "sessions") return respond(describeSessions(ledger));
  if (command === "pause" || command === "resume") return switchPause(ledger, tx, words, command === "pause");
  return command === "prompts" ? respond(describeOpenPrompts(ledger)) : null;
}

function switchPause(
  ledger: Ledger,
  tx: Transaction,
  { identity, role }: CommandInput,
  paused: boolean,
): InboundAnswer {
  if (role !== "approver") {
    tx.record({ step: "answer_rejected", identity, details: { code: "not_allowed" } });
    return { text: "You may not do that.", alert: true };
  }
  setPaused(ledger, paused, identity);
  return respond(
    paused ? "⏸ Paused: no answers are accepted until resume." : "▶️ Resumed: answers are accepted again.",
  );
}

/** Lists open prompts and how to answer one, answers not typed yet, and prompts that may still wait in a terminal. */
export function describeOpenPrompts(ledger: Ledger): string {
  const paused = isPaused(ledger) ? ["⏸ Paused: no answers are accepted until resume."] : [];
  const open = ledger.store.prompts.listOpen();
  if (open.length === 0) return [...paused, describeNoOpenPromptsOf(ledger)].join("\n");
  const unanswered = findUnansweredPrompts(ledger);
  const [first] = open.filter(({ state }) => state === "pending");
  const how = first ? [`Reply to a card, or write in the same chat: answer ${first.shortId} …`] : [];
  const lines = listItems(open, (prompt) => describeOpenPrompt(ledger, prompt));
  return [
    ...paused,
    ...how,
    ...lines,
    ...(unanswered.length > 0 ? [describeUnansweredPrompts(unanswered)] : []),
  ].join("\n");
}

/** Open prompts that cannot be answered at this moment, and why. */
const UNDER_WAY: Partial<Record<PromptState, string>> = {
  detected: "not sent yet",
  answering: "answered, not typed yet",
  injecting: "being typed",
};

function describeOpenPrompt(ledger: Ledger, { shortId, sessionId, event, state }: PromptRow): string {
  const tool = ledger.store.sessions.find(sessionId)?.tool ?? "";
  const doing = UNDER_WAY[state];
  return ledger.options.safeText(
    `${shortId}  ${tool}: ${event.excerpt}${doing === undefined ? "" : ` · ${doing}`}`,
  );
}

function describeSessions(ledger: Ledger): string {
  const open = ledger.store.sessions.listOpen();
  if (open.length === 0) return "No sessions are running.";
  return listItems(open, (session) => describeSessionLine(ledger, session)).join("\n");
}

function describeSessionLine(ledger: Ledger, row: SessionRow): string {
  const { tool, label, place } = renderSession(row, ledger.options.safeText);
  const waiting = ledger.store.prompts.countOpenInSession(row.sessionId);
  const asks = waiting === 0 ? [] : [`${waiting} open ${waiting === 1 ? "prompt" : "prompts"}`];
  return [tool, label, place, describeToolState(row.toolState, row.said), ...asks]
    .filter((part) => part !== null)
    .join(" · ");
}

function listItems<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length > LISTED_MAX ? [`… and ${items.length - LISTED_MAX} more`] : [];
  return [...items.slice(0, LISTED_MAX).map(line), ...more];
}

function respond(text: string): InboundAnswer {
  return { text, alert: false };
}
