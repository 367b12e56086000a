/**
 * Records what became of commands that were given at this machine or by an agent, and of every key and line. Each is kept from the
 * transaction that records it to its end, so that its end is on record also if the call to its worker broke or the hub was killed. What
 * became of a command the worker remembers; of a key or a line nobody does.
 */
import { AtlasBridgeError } from "../../model/errors.js";
import type { Identity, PromptId, SessionId } from "../../model/ids.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { AuditEntry } from "../store/store.js";
import { showEnd, showLine } from "./command-card.js";

const SCOPE = "console_end";
/** The longest wait that the wire knows; then it is waited for again. */
export const WAIT_MS = 3_600_000;
/** A connection that is lost is known as lost by then. */
const RETRY_MS = 5_000;
const KEPT_MAX = 100;

export interface GivenCommand {
  readonly commandId: string;
  readonly identity: Identity | null;
  /** A key (`interrupt`) or a line (`input`) instead of a command. */
  readonly action?: string;
  readonly promptId?: PromptId;
  /** The id of this attempt: a caller whose connection broke repeats the same command. */
  readonly attempt: string;
  readonly isTyped?: true;
  /** The chat that a key or a line came from, until it is given to its worker. */
  readonly waitsFor?: { readonly channel: string; readonly place: string };
}

export interface EndParts {
  readonly ledger: Ledger;
  readonly findLink: (sessionId: string) => WorkerLink | null;
}

/** Call in the transaction that records the command. */
export function keepUntilEnd(ledger: Ledger, sessionId: SessionId, command: GivenCommand): void {
  const others = list(ledger, sessionId).filter(({ commandId }) => commandId !== command.commandId);
  keep(ledger, sessionId, [...others, command].slice(-KEPT_MAX));
}

/** Gives a command that `keepUntilEnd` has kept to its worker. Errors: those of `run`; then its end is recorded when it is known. */
export async function recordEnd(
  parts: EndParts,
  sessionId: SessionId,
  command: GivenCommand,
  run: () => Promise<ConsoleResult>,
): Promise<ConsoleResult> {
  let result: ConsoleResult;
  try {
    result = await run();
  } catch (error) {
    void follow(parts, sessionId, command);
    throw error;
  }
  const { ledger } = parts;
  if (!ledger.store.isOpen) return result;
  if (result.state === "running") {
    ledger.commit((tx) => noteTyped(ledger, tx, sessionId, command, result));
    void follow(parts, sessionId, command);
  } else ledger.commit((tx) => conclude(ledger, tx, sessionId, command, result));
  return result;
}

/** What the worker said of a key or a line. `problem`: why nothing was typed; null: it was. */
interface ActAnswer {
  readonly problem: string | null;
}

/** Gives a key or a line that `keepUntilEnd` has kept to its worker. Errors: those of `act`; then nobody knows whether it was typed. */
export async function recordAct<R extends ActAnswer>(
  ledger: Ledger,
  sessionId: SessionId,
  given: GivenCommand,
  act: () => Promise<R>,
): Promise<R> {
  let answer: R;
  try {
    answer = await act();
  } catch (error) {
    endAct(ledger, sessionId, given, null);
    throw error;
  }
  endAct(ledger, sessionId, given, answer);
  return answer;
}

/** Call before a key or a line from a chat is given to its worker. False: it has its end already. */
export function noteActGiven(ledger: Ledger, sessionId: SessionId, { attempt }: GivenCommand): boolean {
  return ledger.commit(() => {
    const kept = list(ledger, sessionId).find((each) => each.attempt === attempt);
    if (kept === undefined) return false;
    const { commandId, identity, attempt: same, action } = kept;
    keepUntilEnd(ledger, sessionId, {
      commandId,
      identity,
      attempt: same,
      ...(action !== undefined && { action }),
    });
    return true;
  });
}

/**
 * `answer` null: it is unknown whether it was typed. A typed key or line needs no further row. False: it had its end already, of which its
 * chat was told.
 */
export function endAct(
  ledger: Ledger,
  sessionId: SessionId,
  given: GivenCommand,
  answer: ActAnswer | null,
): boolean {
  if (!ledger.store.isOpen) return false;
  return ledger.commit((tx) => {
    if (answer === null) return conclude(ledger, tx, sessionId, given, null);
    const kept = removeKept(ledger, sessionId, given);
    if (kept?.action === undefined) return false;
    const { identity, action, promptId } = kept;
    const { problem } = answer;
    if (problem !== null)
      tx.record({ step: "console_refused", sessionId, identity, details: { code: "not_typed", action } });
    if (promptId !== undefined) showLine(ledger, tx, sessionId, promptId, problem);
    return true;
  });
}

/** Call when the session's worker is connected. `waiting`: the ids of what is still to be given to it. */
export function followEnds(
  parts: EndParts,
  sessionId: SessionId,
  waiting: Pick<ReadonlySet<string>, "has">,
): void {
  for (const command of list(parts.ledger, sessionId))
    if (command.action === undefined) void follow(parts, sessionId, command);
    // The connection on which it was given is gone.
    else if (!waiting.has(command.commandId)) endAct(parts.ledger, sessionId, command, null);
}

/** The session ended, and nobody saw how its commands did. Runs inside that transaction. */
export function recordUnseenEnds(ledger: Ledger, tx: Transaction, sessionId: SessionId): void {
  for (const command of list(ledger, sessionId)) conclude(ledger, tx, sessionId, command, null);
}

/** Never rejects. */
async function follow(
  { ledger, findLink }: EndParts,
  sessionId: SessionId,
  command: GivenCommand,
): Promise<void> {
  const link = findLink(sessionId);
  if (link === null) return;
  const end = await awaitEnd(link, command.commandId);
  if (!ledger.store.isOpen) return;
  if (end === "lost") {
    // The wait was too long for the connection; or it is lost, and `connected` comes with the next one.
    ledger.options.clock.after(RETRY_MS, () => {
      if (findLink(sessionId) === link) void follow({ ledger, findLink }, sessionId, command);
    });
    return;
  }
  ledger.commit((tx) => conclude(ledger, tx, sessionId, command, end));
}

/** Null: nobody knows how it ended. `lost`: the connection, which comes back or the session is closed; or nothing ended in time. */
async function awaitEnd(link: WorkerLink, commandId: string): Promise<ConsoleResult | null | "lost"> {
  try {
    return (await link.call("console.end", { commandId, timeoutMs: WAIT_MS })).result;
  } catch (error) {
    return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST" ? "lost" : null;
  }
}

function noteTyped(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  command: GivenCommand,
  result: ConsoleResult,
): void {
  const kept = list(ledger, sessionId).map((each) =>
    each.attempt === command.attempt ? ({ ...each, isTyped: true } as const) : each,
  );
  keep(ledger, sessionId, kept);
  showEnd(ledger, tx, sessionId, { ...command, isTyped: true }, result);
}

/** Once for each attempt. Null: its end was not seen. */
function conclude(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  given: GivenCommand,
  result: ConsoleResult | null,
): boolean {
  const command = removeKept(ledger, sessionId, given);
  if (command === undefined) return false;
  const { commandId, identity, action, waitsFor } = command;
  if (action === undefined) tx.record({ sessionId, identity, ...describeEndStep(commandId, result) });
  else if (waitsFor === undefined)
    tx.record({ step: "console_ended", sessionId, identity, details: { action, state: "unknown" } });
  else {
    tx.record({ step: "console_refused", sessionId, identity, details: { code: "not_typed", action } });
    const told = `⚠️ ${action}: nothing was typed, as it never reached the session.`;
    enqueueAtPlace(ledger, tx, { sessionId, ...waitsFor }, told);
  }
  showEnd(ledger, tx, sessionId, command, result);
  return true;
}

/** Keeps it no longer. Undefined: it has its end. */
function removeKept(
  ledger: Ledger,
  sessionId: SessionId,
  { attempt }: GivenCommand,
): GivenCommand | undefined {
  const all = list(ledger, sessionId);
  const others = all.filter((each) => each.attempt !== attempt);
  keep(ledger, sessionId, others);
  return all.find((each) => each.attempt === attempt);
}

/** The step and details of a command's end: an untyped one was refused. */
export function describeEndStep(
  commandId: string,
  result: Pick<ConsoleResult, "state" | "exitCode" | "bytes"> | null,
): Pick<AuditEntry, "step" | "details"> {
  if (result === null) return { step: "console_ended", details: { commandId, state: "unknown" } };
  const { state, exitCode, bytes } = result;
  return state === "refused"
    ? { step: "console_refused", details: { code: "not_typed", commandId } }
    : { step: "console_ended", details: { commandId, state, exitCode, bytes } };
}

function list({ store }: Ledger, sessionId: SessionId): readonly GivenCommand[] {
  return (store.settings.getJson(SCOPE, sessionId) ?? []) as GivenCommand[];
}

function keep({ store }: Ledger, sessionId: SessionId, commands: readonly GivenCommand[]): void {
  if (commands.length === 0) store.settings.remove(SCOPE, sessionId);
  else store.settings.set(SCOPE, sessionId, JSON.stringify(commands));
}
