/**
 * Commands for a session's console: who may give them, and the record of each. Nothing goes to the worker before its row is committed,
 * and the worker itself refuses while its person has not opened the console.
 */
import { LOCAL_IDENTITY, type SessionId } from "../../model/ids.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { computeSha256 } from "../ledger/answer-record.js";
import { enqueueAtRoutes } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusedError } from "../ledger/refused-error.js";
import { findMembership } from "../people/people.js";
import { CONSOLE_USE } from "./console-text.js";
import { GIVEN_ELSEWHERE, withdrawOffer } from "./offered-commands.js";
import { keepUntilEnd, recordAct, recordEnd, type GivenCommand } from "./record-end.js";

export interface ConsoleParts {
  readonly ledger: Ledger;
  readonly findLink: (sessionId: string) => WorkerLink | null;
}

const HARMLESS: readonly string[] = ["wait", "screen"];

export async function setConsole(
  parts: ConsoleParts,
  { sessionId: named, open, agents = false }: ParamsOf<HubCalls, "console.set">,
): Promise<ResultOf<HubCalls, "console.set">> {
  const { sessionId, link } = findSession(parts, named);
  requireApprover(parts.ledger);
  // Its worker says so, too: without a console, no request opens or closes one.
  const isConsole = parts.ledger.store.sessions.find(sessionId)?.capabilities.console === true;
  parts.ledger.commit((tx) => {
    tx.record({
      step: isConsole ? (open ? "console_opened" : "console_closed") : "console_refused",
      sessionId,
      identity: LOCAL_IDENTITY,
      details: isConsole ? { agents } : { code: "no_console" },
    });
    if (!open) tx.emit({ kind: "console_closed", sessionId });
  });
  const changed = await link.call("console.set", { open, agents });
  if (open && agents && changed.problem === null) parts.ledger.openedToAgents.add(sessionId);
  else parts.ledger.openedToAgents.delete(sessionId);
  if (changed.problem === null && parts.ledger.store.isOpen)
    parts.ledger.commit((tx) => announceConsole(parts.ledger, tx, sessionId, open));
  return changed;
}

/** Tells the chats of the session's prompts; there the message is what people reply to, and where a thread begins. */
export function announceConsole(ledger: Ledger, tx: Transaction, sessionId: SessionId, open: boolean): void {
  const session = ledger.store.sessions.find(sessionId);
  if (!session) return;
  if (!open) withdrawOffer(ledger, tx, sessionId, "⌨️ The console is closed.");
  const name = session.label === null ? session.tool : `${session.tool} (${session.label})`;
  const told = open
    ? `⌨️ ${name}: its console is open. A command is typed once the program shows its prompt. ${CONSOLE_USE}`
    : `⌨️ ${name}: its console is closed.`;
  enqueueAtRoutes(ledger, tx, session, { text: ledger.options.safeText(told), role: null, dueAt: tx.now });
}

export async function runConsoleCommand(
  parts: ConsoleParts,
  { sessionId: named, ...run }: ParamsOf<HubCalls, "console.run">,
): Promise<ResultOf<HubCalls, "console.run">> {
  const { commandId, command, directory } = run;
  const { sessionId, link } = await requireOpenConsole(parts, named);
  const there = directory === undefined ? {} : { directorySha256: computeSha256(directory) };
  const { ledger } = parts;
  const given = { commandId, identity: LOCAL_IDENTITY, attempt: ledger.options.random.uuid() };
  const details = { commandId, commandSha256: computeSha256(command), ...there };
  recordCommand(ledger, sessionId, details, given);
  return recordEnd(parts, sessionId, given, () => link.call("console.run", run));
}

/** Errors: ATB_HUB_REFUSED with the reason, which is on record. */
export async function actOnConsole(
  parts: ConsoleParts,
  { sessionId: named, ...act }: ParamsOf<HubCalls, "console.act">,
): Promise<ResultOf<HubCalls, "console.act">> {
  const { sessionId, link } = await requireOpenConsole(parts, named);
  const { action, input } = act;
  if (HARMLESS.includes(action)) return link.call("console.act", act);
  const { ledger } = parts;
  const details = { action, ...(input === undefined ? {} : { inputSha256: computeSha256(input) }) };
  const attempt = ledger.options.random.uuid();
  const given = { commandId: attempt, attempt, identity: LOCAL_IDENTITY, action };
  recordCommand(ledger, sessionId, details, given);
  return recordAct(ledger, sessionId, given, () => link.call("console.act", act));
}

interface FoundSession {
  readonly sessionId: SessionId;
  readonly link: WorkerLink;
}

async function requireOpenConsole(parts: ConsoleParts, named: string): Promise<FoundSession> {
  const { ledger } = parts;
  const found = findSession(parts, named);
  requireApprover(ledger);
  requireUnpaused(ledger, found.sessionId);
  const { open, problem } = await found.link.call("console.state", {});
  if (!open) throw refuse(ledger, found.sessionId, "closed", problem ?? "its console is not open", OPEN);
  return found;
}

function findSession({ ledger, findLink }: ConsoleParts, named: string): FoundSession {
  const session = ledger.store.sessions.find(named);
  const link = findLink(named);
  if (!session || !link) throw createRefusedError("that session is not connected");
  return { sessionId: session.sessionId, link };
}

/** The configuration may list the person at this machine as a viewer. */
function requireApprover({ options }: Ledger): void {
  if (findMembership(options.settings().people, LOCAL_IDENTITY)?.role !== "approver")
    throw createRefusedError("you may not do that: the configuration lists you as a viewer");
}

function requireUnpaused(ledger: Ledger, sessionId: SessionId): void {
  if (isPaused(ledger)) throw refuse(ledger, sessionId, "paused", "AtlasBridge is paused", RESUME);
}

const RESUME = "Accept commands again: `atlasbridge resume`.";
const OPEN = "Only the person at its terminal opens it: `atlasbridge console on SESSION`.";

/** Call in the same turn as the call to the worker, so that a later pause also reaches the worker later. */
function recordCommand(
  ledger: Ledger,
  sessionId: SessionId,
  details: Record<string, unknown>,
  given: GivenCommand,
): void {
  requireUnpaused(ledger, sessionId);
  ledger.commit((tx) => {
    tx.record({ step: "console_command", sessionId, identity: LOCAL_IDENTITY, details });
    keepUntilEnd(ledger, sessionId, given);
    if (given.action === undefined) withdrawOffer(ledger, tx, sessionId, GIVEN_ELSEWHERE);
  });
}

function refuse(ledger: Ledger, sessionId: SessionId, code: string, reason: string, hint: string): Error {
  ledger.commit((tx) =>
    tx.record({ step: "console_refused", sessionId, identity: LOCAL_IDENTITY, details: { code } }),
  );
  return createRefusedError(`nothing was typed: ${reason}`, hint);
}
