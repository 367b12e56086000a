/** The commands that people can send to the hub from any channel. Any other text answers nothing. */
import type { Identity } from "../../model/ids.js";
import { describeToolState } from "../../model/last-words.js";
import type { PromptState } from "../../model/lifecycle.js";
import { describeUnansweredPrompts } from "../../model/no-open-prompts.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { findNearest } from "../../model/data/nearest.js";
import { CHAT_COMMANDS, CHAT_HELP } from "../../sdk/inbound.js";
import { clip } from "../../sdk/text.js";
import { renderSession } from "../delivery/notices/notice.js";
import { writeOfferHead } from "../delivery/offers.js";
import type { Membership } from "../people/people.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused, setPaused } from "../ledger/pause.js";
import type { Requester } from "../ledger/requester.js";
import { runDelegateCommand } from "./delegate-command.js";
import { offerAlike } from "./alike-command.js";
import { isRelayPaused } from "../store/relay-pause.js";
import type { OfferedAnswer } from "./offer-answers.js";
import type { TaskButton } from "./offer-task.js";
import { describeEnded } from "../sessions/ending.js";
import { chooseName } from "../sessions/session-commands.js";
import { DELETE_MESSAGE } from "./claim-words.js";
import { listRuleCommands, runHoldCommand } from "./hold-command.js";
import { explainNoOpenPrompts, findUnansweredPrompts } from "../sessions/unanswered-prompts.js";
import { explainUnknownState } from "../ledger/unknown-state.js";

/** Longest list in one message; more is unreadable on a phone. */
const LISTED_MAX = 20;

export interface CommandInput {
  readonly text: string;
  readonly identity: Identity;
  readonly role: Membership["role"];
  readonly requester: Requester;
}

/** The slash of chat commands and the bot's name after it (as in group chats) are optional. */
const COMMAND = /^\/?(help|start|prompts|sessions|status|pause|resume)(?:@\w{1,64})?$/i;
const SLASHED = /^\/\w/;

/** Runs the command; null if the text is none. Runs inside the inbox's transaction. */
export function runCommand(ledger: Ledger, tx: Transaction, words: CommandInput): InboundResponse | null {
  const command = COMMAND.exec(words.text.trim())?.[1]?.toLowerCase();
  if (command === "help" || command === "start")
    return respond([CHAT_HELP, ...listRuleCommands(ledger)].join("\n"));
  if (command === "status") return respond(describeStatus(ledger));
  if (command === "sessions") return respond(describeSessions(ledger));
  if (command === "pause" || command === "resume") return switchPause(ledger, tx, words, command === "pause");
  if (command === "prompts") return listPrompts(ledger, words.requester);
  return runDelegateCommand(ledger, tx, words.text, words.identity) ?? runHoldCommand(ledger, tx, words);
}

/**
 * For a text that is no command, no task and no answer. `answers`, `tasks`: buttons for possible meanings; `session`: the one in
 * whose thread it was written.
 */
export function explainText(
  ledger: Ledger,
  text: string,
  {
    answers,
    tasks,
    session,
  }: {
    readonly answers: readonly OfferedAnswer[];
    readonly tasks: readonly TaskButton[];
    readonly session: SessionRow | null;
  },
): InboundResponse {
  if (answers.length > 0) return explainOffers(answers);
  const open = ledger.store.prompts.listOpen();
  const secret = open.find(({ event }) => event.promptType === "secret");
  const isOnlySecret = secret !== undefined && open.length === 1;
  if (isOnlySecret && !SLASHED.test(text.trim()))
    return respond(
      `🔒 ${secret.shortId} waits for a secret, which can only be typed at the terminal. If that was it: ${DELETE_MESSAGE}`,
    );
  const warning = secret
    ? [`If that was the secret that ${secret.shortId} waits for: ${DELETE_MESSAGE}`]
    : [];
  if (session) return respond([...warning, describeEnded(ledger, session)].join("\n"));
  const isCommand = SLASHED.test(text.trim());
  const asks = ledger.store.prompts.countOpen() > 0 && !isCommand;
  const isAnswer = ANSWER_WORD.test(text.trim());
  const what = isAnswer || asks ? "Nothing was answered." : describeUnknown(text);
  if (tasks.length > 0) {
    const how = `${what} Only a tap makes it a task:`;
    return { text: asks ? `${how}\n\n${describeOpenPrompts(ledger)}` : how, alert: false, buttons: tasks };
  }
  return respond([...warning, `${what} ${describeOpenPrompts(ledger)}`, HELP_HINT].join("\n"));
}

export function explainOffers(answers: readonly OfferedAnswer[]): InboundResponse {
  const head = `Nothing was answered yet. ${writeOfferHead(answers.length)}`;
  const text = [head, ...answers.map(({ line }) => line)].join("\n");
  return { text, alert: false, buttons: answers.map(({ button }) => button) };
}

/** Words that answer many prompts. A message of one such word is meant as an answer, not as a command. */
const ANSWER_WORD = /^(?:y|yes|n|no|ok|okay|\d{1,2})$/i;
const HELP_HINT = "help: list the commands";
/** How much of an unknown text is repeated. */
const UNKNOWN_MAX = 30;

function describeUnknown(text: string): string {
  const [word = ""] = text.trim().split(/\s/, 1);
  const named = word.replace(/^\//, "").toLowerCase();
  const known = CHAT_COMMANDS.find((command) => command.word === named);
  if (known) return `To use ${named}, write for example: ${`${known.word} ${known.use}`.trim()}.`;
  if (/\s/.test(text.trim()) && !SLASHED.test(text.trim())) return "That is no command.";
  const near = findNearest(
    named,
    CHAT_COMMANDS.map((command) => command.word),
  );
  const hint = near === null ? "" : ` Did you mean ${near}?`;
  return `“${clip(word, UNKNOWN_MAX)}” is no command.${hint}`;
}

function describeStatus(ledger: Ledger): string {
  const paused = isPaused(ledger) ? [] : ["▶️ Answers are accepted."];
  return [...paused, describeOpenPrompts(ledger), "", describeSessions(ledger)].join("\n");
}

function switchPause(
  ledger: Ledger,
  tx: Transaction,
  { identity, role }: CommandInput,
  paused: boolean,
): InboundResponse {
  if (role !== "approver") {
    tx.record({ step: "answer_rejected", identity, details: { code: "not_allowed" } });
    return { text: "You may not do that.", alert: true };
  }
  setPaused(ledger, paused, identity);
  return respond(
    paused ? "⏸ Paused: no answers are accepted until resume." : "▶️ Resumed: answers are accepted again.",
  );
}

function listPrompts(ledger: Ledger, requester: Requester): InboundResponse {
  const { lines, buttons } = offerAlike(ledger, requester);
  const text = [describeOpenPrompts(ledger), ...lines].join("\n");
  return { text, alert: false, ...(buttons.length > 0 && { buttons }) };
}

/** Lists open prompts and how to answer one, answers not typed yet, and prompts that may still wait in a terminal. */
function describeOpenPrompts(ledger: Ledger): string {
  const paused = isPaused(ledger) ? ["⏸ Paused: no answers are accepted until resume."] : [];
  const open = ledger.store.prompts.listOpen();
  if (open.length === 0) return [...paused, explainNoOpenPrompts(ledger)].join("\n");
  const unanswered = findUnansweredPrompts(ledger);
  const [first] = open.filter(({ state, answerable }) => state === "pending" && answerable);
  const how = first ? [describeHowToReply(open.length, first)] : [];
  const lines = listItems(open, (prompt) => describeOpenPrompt(ledger, prompt));
  return [
    ...paused,
    ...how,
    ...lines,
    ...(unanswered.length > 0 ? [describeUnansweredPrompts(unanswered)] : []),
  ].join("\n");
}

function describeHowToReply(count: number, { shortId, event }: PromptRow): string {
  const head =
    count === 1
      ? "1 prompt is open. Tap or reply to its card"
      : `${count} prompts are open. Tap or reply to a card`;
  return `${head}, or send: answer ${shortId} ${event.promptType === "yes_no" ? "yes" : "…"}`;
}

const UNDER_WAY: Partial<Record<PromptState, string>> = {
  detected: "not sent yet",
  answering: "answered, not typed yet",
  injecting: "being typed",
};

function describeOpenPrompt(ledger: Ledger, { shortId, sessionId, event, state }: PromptRow): string {
  const tool = ledger.store.sessions.find(sessionId)?.tool ?? "";
  const doing = event.promptType === "secret" ? "type it at the terminal" : UNDER_WAY[state];
  return ledger.options.safeText(
    `${shortId}  ${tool}: ${event.excerpt}${doing === undefined ? "" : ` · ${doing}`}`,
  );
}

function describeSessions(ledger: Ledger): string {
  const open = ledger.store.sessions.listOpen();
  if (open.length === 0) return "No sessions are running.";
  return listItems(open, (session) => describeSessionLine(ledger, session, open)).join("\n");
}

function describeSessionLine(ledger: Ledger, row: SessionRow, open: readonly SessionRow[]): string {
  const name = chooseName(open, row);
  // Where tool and label name several sessions, commands take the beginning of the id.
  const id = row.sessionId.startsWith(name) ? name : null;
  const { tool, label, place, host = null } = renderSession(row, ledger.options.safeText, ledger.hostLabel);
  const waiting = ledger.store.prompts.countOpenInSession(row.sessionId);
  const asks = waiting === 0 ? [] : [`${waiting} open ${waiting === 1 ? "prompt" : "prompts"}`];
  const held = isRelayPaused(ledger.store, row.sessionId) ? ["⏸ prompts held back: asked too often"] : [];
  const state = explainUnknownState(ledger, row) ?? describeToolState(row.toolState, row.said);
  return [host, id, tool, label, place, state, ...asks, ...held].filter((part) => part !== null).join(" · ");
}

function listItems<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length > LISTED_MAX ? [`… and ${items.length - LISTED_MAX} more`] : [];
  return [...items.slice(0, LISTED_MAX).map(line), ...more];
}

function respond(text: string): InboundResponse {
  return { text, alert: false };
}
