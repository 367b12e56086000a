/**
 * The commands `screen`, `stop` and `task`: finds the session that is meant and plans the action. If the session is ambiguous,
 * the person is asked.
 */
import type { SessionId } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import { rejection } from "../../model/answer/rejection.js";
import type { InboundAnswer } from "../../sdk/channel.js";
import { membershipOf } from "../people/people.js";
import { peopleFor } from "../people/routing.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { SessionAction } from "../ledger/domain-event.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { takeTask, withdrawTasks } from "../tasks/tasks.js";
import type { Asker } from "../ledger/asker.js";

/** The slash, the bot's name after it (as in group chats) and the session are optional. */
const COMMAND = /^\/?(screen|stop)(?:@\w{1,64})?(?: {1,8}(\S.{0,200}))?$/i;
/** `task api fix the tests`: the session must be named, never guessed. */
const TASK_COMMAND = /^\/?task(?:@\w{1,64})? {1,8}(\S{1,200}) {1,8}(\S[\s\S]*)$/i;
/** How much of an id lists show. */
const ID_HEAD = 8;

/** Null if the text is none of these commands. Runs inside the inbox's transaction. */
export function sessionCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  asker: Asker,
): InboundAnswer | null {
  const [, word, named] = COMMAND.exec(text.trim()) ?? [];
  if (word === undefined) return taskWish(ledger, tx, text, asker);
  const wish = word.toLowerCase() === "stop" ? "stop" : "screen";
  const open = ledger.store.sessions.listOpen();
  const meant = named === undefined ? implied(open, asker.about) : whichIs(ledger, open, named.trim());
  const [only] = meant;
  if (only !== undefined && meant.length === 1)
    return actionFor(ledger, tx, { wish, session: only.sessionId, asker });
  return { text: whichText(ledger, open, wish), alert: false };
}

function taskWish(ledger: Ledger, tx: Transaction, text: string, asker: Asker): InboundAnswer | null {
  const [, named, words] = TASK_COMMAND.exec(text.trim()) ?? [];
  if (named === undefined || words === undefined) return null;
  const open = ledger.store.sessions.listOpen();
  const meant = whichIs(ledger, open, named);
  const [only] = meant;
  if (only !== undefined && meant.length === 1)
    return takeTask(ledger, tx, asker, { sessionId: only.sessionId, text: words });
  return { text: whichText(ledger, open, "task"), alert: false };
}

/** Emits the action after the commit; the reply only says that it started. */
export function actionFor(
  ledger: Ledger,
  tx: Transaction,
  { wish, session, asker }: { wish: SessionAction["wish"]; session: SessionId; asker: Asker },
): InboundAnswer {
  const { identity, configuredChannel, place } = asker;
  const row = ledger.store.sessions.find(session);
  const role = membershipOf(peopleFor(ledger.options.settings(), row), identity)?.role;
  if (!configuredChannel.places.includes(place))
    return { text: "A session's screen is shown only in the chats that get its prompts.", alert: true };
  if (wish === "stop" && role !== "approver") {
    tx.record({
      step: "answer_rejected",
      sessionId: session,
      identity,
      details: { code: rejection("not_allowed").code },
    });
    return { text: "You may not do that.", alert: true };
  }
  tx.record({ step: wish === "stop" ? "stop_asked" : "screen_asked", sessionId: session, identity });
  if (wish === "stop") withdrawTasks(ledger, session);
  tx.tell({ kind: "errand", errand: { wish, sessionId: session, channel: configuredChannel.id, place } });
  return { text: wish === "stop" ? "⏹ Stopping." : "🖥 Fetching the screen.", alert: false };
}

/** Of several sessions, the one whose topic the text was written in. */
function implied(open: readonly SessionRow[], about: SessionId | null): readonly SessionRow[] {
  return about === null ? open : open.filter(({ sessionId }) => sessionId === about);
}

/** Matches the short id of an open prompt, the label, the tool, or the start of the session's id. */
function whichIs(ledger: Ledger, open: readonly SessionRow[], named: string): readonly SessionRow[] {
  const word = named.toLowerCase();
  const prompt = ledger.store.prompts.findByShortId(word);
  const asking = prompt && isOpen(prompt.state) ? prompt.sessionId : null;
  if (asking !== null) return open.filter(({ sessionId }) => sessionId === asking);
  const called = open.filter((row) => namesOf(row).includes(word));
  if (called.length > 0) return called;
  return word.length < ID_HEAD ? [] : open.filter(({ sessionId }) => sessionId.startsWith(word));
}

function whichText(
  ledger: Ledger,
  open: readonly SessionRow[],
  wish: SessionAction["wish"] | "task",
): string {
  if (open.length === 0) return "No sessions are running.";
  const rest = wish === "task" ? " …" : "";
  const lines = open.map((row) => `${wish} ${nameOf(open, row)}${rest}`);
  return ledger.options.safeText(["Which session?", ...lines].join("\n"));
}

/** The names people use for a session: label or tool. */
function namesOf({ label, tool }: SessionRow): string[] {
  return [...(label === null ? [] : [label]), tool].map((name) => name.toLowerCase());
}

/** The first name that is unique. */
function nameOf(open: readonly SessionRow[], row: SessionRow): string {
  const own = namesOf(row).find((name) => open.filter((other) => namesOf(other).includes(name)).length === 1);
  return own ?? row.sessionId.slice(0, ID_HEAD);
}
