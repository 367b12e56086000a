/** The commands `screen`, `stop` and `task`. If it is not clear which session is meant, the person is asked. */
import type { SessionId } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import { MODES, type Mode } from "../../model/policy-mode.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { SessionAction } from "../ledger/domain-event.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { setMode } from "../ledger/policy/policy-mode.js";
import { hasConsole, acceptConsoleText, type ConsoleText } from "../console/chat-command.js";
import { acceptTask, withdrawTasks } from "../tasks/tasks.js";
import type { Requester } from "../ledger/requester.js";

/** The slash, the bot's name after it (as in group chats) and the session are optional. */
const COMMAND = /^\/?(screen|stop)(?:@\w{1,64})?(?: {1,8}(\S.{0,200}))?$/i;
/** `task api fix the tests`: the session must be named, never guessed. */
const TASK_COMMAND = /^\/?task(?:@\w{1,64})? {1,8}(\S{1,200}) {1,8}(\S[\s\S]*)$/i;
/** `mode api off`: whether rules answer in a session. */
const MODE_COMMAND = /^\/?mode(?:@\w{1,64})?(?: {1,8}(\S.{0,200}))? {1,8}(off|assist|full)$/i;
const ID_HEAD = 8;

export function runSessionCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): InboundResponse | null {
  const [, word, named] = COMMAND.exec(text.trim()) ?? [];
  if (word === undefined) return runTaskCommand(ledger, tx, text, requester);
  const action = word.toLowerCase() === "stop" ? "stop" : "screen";
  const open = ledger.store.sessions.listOpen();
  const meant =
    named === undefined ? inferSessions(open, requester.about) : matchSessions(ledger, open, named.trim());
  const [only] = meant;
  if (only !== undefined && meant.length === 1)
    return requestAction(ledger, tx, { action, session: only.sessionId, requester, isCommand: true });
  return { text: askWhichSession(ledger, open, action), alert: false };
}

function runTaskCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): InboundResponse | null {
  const [, named, words] = TASK_COMMAND.exec(text.trim()) ?? [];
  if (named === undefined || words === undefined) return runModeCommand(ledger, tx, text, requester);
  const open = ledger.store.sessions.listOpen();
  const meant = matchSessions(ledger, open, named);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) {
    const { sessionId } = only;
    return hasConsole(only)
      ? acceptConsoleText(ledger, tx, requester, { sessionId, action: "run", text: words })
      : acceptTask(ledger, tx, requester, { sessionId, text: words });
  }
  return { text: askWhichSession(ledger, open, "task"), alert: false };
}

/** `$ make`, written outside of a console's thread: the only console is meant. Null if there is none. */
export function requestInConsole(
  ledger: Ledger,
  tx: Transaction,
  command: ConsoleText,
  requester: Requester,
): InboundResponse | null {
  const consoles = ledger.store.sessions.listOpen().filter(hasConsole);
  const [only] = consoles;
  if (only === undefined || requester.about !== null) return null;
  if (consoles.length === 1)
    return acceptConsoleText(ledger, tx, requester, { sessionId: only.sessionId, ...command });
  return { text: askWhichSession(ledger, consoles, "task"), alert: false };
}

function runModeCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  { identity, about }: Requester,
): InboundResponse | null {
  const [, named, word] = MODE_COMMAND.exec(text.trim()) ?? [];
  const mode = MODES.find((each) => each === word?.toLowerCase());
  if (mode === undefined) return null;
  const only = findMeantSession(ledger, named, about, "mode");
  if (typeof only === "string") return { text: only.replaceAll(/^mode .*/gm, `$& ${mode}`), alert: false };
  if (findMembership(getPeopleFor(ledger.options.settings(), only), identity)?.role !== "approver") {
    const { code } = createRefusal("not_allowed");
    tx.record({ step: "answer_rejected", sessionId: only.sessionId, identity, details: { code } });
    return { text: "You may not do that.", alert: true };
  }
  setMode(ledger, only.sessionId, mode, identity);
  return {
    text: ledger.options.safeText(`${only.label ?? only.tool}: ${MODE_MEANINGS[mode]}`),
    alert: false,
  };
}

const MODE_MEANINGS: Readonly<Record<Mode, string>> = {
  off: "people answer everything.",
  assist: "answers of rules are suggested first.",
  full: "rules answer.",
};

/** Emits the action after the commit; the reply only says that it started. */
export function requestAction(
  ledger: Ledger,
  tx: Transaction,
  {
    action,
    session,
    requester,
    isCommand = false,
    after = [],
  }: Pick<SessionAction, "action" | "after"> & {
    readonly session: SessionId;
    readonly requester: Requester;
    readonly isCommand?: boolean;
  },
): InboundResponse {
  const { identity, configuredChannel, place } = requester;
  const row = ledger.store.sessions.find(session);
  const role = findMembership(getPeopleFor(ledger.options.settings(), row), identity)?.role;
  if (!configuredChannel.places.includes(place))
    return { text: "A session's screen is shown only in the chats that get its prompts.", alert: true };
  if (action === "stop" && role !== "approver") {
    tx.record({
      step: "answer_rejected",
      sessionId: session,
      identity,
      details: { code: createRefusal("not_allowed").code },
    });
    return { text: "You may not do that.", alert: true };
  }
  tx.record({ step: action === "stop" ? "stop_asked" : "screen_asked", sessionId: session, identity });
  if (action === "stop") withdrawTasks(ledger, session);
  tx.emit({
    kind: "session_action",
    request: { action, after, sessionId: session, channel: configuredChannel.id, place },
  });
  // A tap shows its reply as a passing line; a command's would be a message of its own before the result.
  if (isCommand) return { text: "", alert: false };
  return { text: action === "stop" ? "⏹ Stopping." : "🖥 Fetching the screen.", alert: false };
}

/** The one session that is meant: named, or by the topic of the text, or the only one. Otherwise the question which. */
export function findMeantSession(
  ledger: Ledger,
  named: string | undefined,
  about: SessionId | null,
  command: string,
): SessionRow | string {
  const open = ledger.store.sessions.listOpen();
  const meant = named === undefined ? inferSessions(open, about) : matchSessions(ledger, open, named.trim());
  const [only] = meant;
  return only !== undefined && meant.length === 1
    ? only
    : askWhichSession(ledger, open, "screen").replaceAll(/^screen /gm, `${command} `);
}

/** If several match, the one whose topic contains the text. */
function inferSessions(open: readonly SessionRow[], about: SessionId | null): readonly SessionRow[] {
  return about === null ? open : open.filter(({ sessionId }) => sessionId === about);
}

/** Matches the short id of an open prompt, the label, the tool, or the start of the session's id. */
function matchSessions(ledger: Ledger, open: readonly SessionRow[], named: string): readonly SessionRow[] {
  const word = named.toLowerCase();
  const prompt = ledger.store.prompts.findByShortId(word);
  const asking = prompt && isOpen(prompt.state) ? prompt.sessionId : null;
  if (asking !== null) return open.filter(({ sessionId }) => sessionId === asking);
  const called = open.filter((row) => listNames(row).includes(word));
  if (called.length > 0) return called;
  return word.length < ID_HEAD ? [] : open.filter(({ sessionId }) => sessionId.startsWith(word));
}

function askWhichSession(
  ledger: Ledger,
  open: readonly SessionRow[],
  action: SessionAction["action"] | "task",
): string {
  if (open.length === 0) return "No sessions are running.";
  const rest = action === "task" ? " …" : "";
  const lines = open.map((row) => `${action} ${chooseName(open, row)}${rest}`);
  return ledger.options.safeText(["Which session?", ...lines].join("\n"));
}

function listNames({ label, tool }: SessionRow): string[] {
  return [...(label === null ? [] : [label]), tool].map((name) => name.toLowerCase());
}

/** The first name that is unique. */
export function chooseName(open: readonly SessionRow[], row: SessionRow): string {
  const own = listNames(row).find(
    (name) => open.filter((other) => listNames(other).includes(name)).length === 1,
  );
  return own ?? row.sessionId.slice(0, ID_HEAD);
}
