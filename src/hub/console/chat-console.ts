/** Brings commands from chats to their session's console, and says how they ended, even after the hub was killed. */
import { asId, type DeliveryId, type SessionId } from "../../model/ids.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { createLinkWait, type AwaitLink } from "./await-link.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { ConsoleRequest } from "../ledger/domain-event.js";
import { enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { toGivenAct } from "./chat-command.js";
import { describeEnd, describeGoingOn, describeMode } from "./console-text.js";
import type { ConsoleParts } from "./console.js";
import {
  describeEndStep,
  endAct,
  followEnds,
  noteActGiven,
  recordUnseenEnds,
  WAIT_MS,
} from "./record-end.js";
import { offerCommands, withdrawOffer } from "./offered-commands.js";
import {
  dropOpenCommand,
  findOpenCommand,
  forgetNewest,
  keepOpenCommand,
  listOpenCommands,
  type OpenCommand,
} from "./open-commands.js";

/** Until then a command is expected to end, and no message is sent. */
const QUICK_MS = 5_000;
/** How often a running command is checked: its end may go unnoticed. */
const LOOK_AGAIN_MS = 30_000;
/** A program that takes longer to stop may not stop at all. */
const INTERRUPTED_WITHIN_MS = 2_000;

export class ChatConsole {
  readonly #parts: ConsoleParts;
  /** What waits for its session, by `commandId`. The next hub does not know it, so it is not typed after a restart. */
  readonly #waiting = new Map<string, ConsoleRequest>();
  /** Commands that this hub waits for. */
  readonly #awaited = new Set<string>();
  readonly #awaitLink: AwaitLink;

  /** Call when the hub starts: chats then bring what was written meanwhile, mostly before the sessions are back. */
  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#awaitLink = createLinkWait(parts.ledger.options.clock, parts.findLink);
  }

  /**
   * Call after the commit that recorded the request. A worker gets the requests for its session in the order of these calls, and a pause
   * that comes later after them: nothing may be waited for between the link and the call to the worker. Never rejects.
   */
  async perform(request: ConsoleRequest): Promise<void> {
    const { sessionId, commandId, action, text, mode, lateness = null } = request;
    if (lateness !== null) {
      this.#refuse(request, `${lateness}; write it again if it still matters`);
      return;
    }
    this.#waiting.set(commandId, request);
    const link = await this.#awaitLink(sessionId);
    const isRefused = !this.#waiting.delete(commandId);
    if (isRefused || !this.#parts.ledger.store.isOpen) return;
    if (link === null) this.#refuse(request, "its AtlasBridge is not connected to the hub");
    else if (action !== "run") await this.#act(request, link);
    else if (this.#noteGiven(sessionId, commandId))
      await this.#follow(sessionId, commandId, link, () =>
        link.call("console.run", { commandId, command: text, timeoutMs: QUICK_MS, mode }),
      );
  }

  /** Call when all is paused, or one session's console is closed: what waits is not typed, even if that is taken back at once. */
  refuseWaiting(why: string, closed: SessionId | null = null): void {
    const ended = [...this.#waiting.values()].filter(
      ({ sessionId }) => closed === null || sessionId === closed,
    );
    for (const { commandId } of ended) this.#waiting.delete(commandId);
    for (const request of ended) this.#refuse(request, why);
  }

  /** Call when the session's worker is connected: asks for the results of commands without a reported end. */
  connected(sessionId: SessionId): void {
    const link = this.#parts.findLink(sessionId);
    if (link === null) return;
    followEnds(this.#parts, sessionId, this.#waiting);
    for (const { commandId, isWaiting } of listOpenCommands(this.#parts.ledger, sessionId)) {
      if (this.#waiting.has(commandId) || this.#awaited.has(commandId)) continue;
      if (isWaiting) this.#refuseCommand(sessionId, commandId, "the hub was restarted before");
      else void this.#follow(sessionId, commandId, link, () => awaitEnd(link, commandId, QUICK_MS));
    }
  }

  #refuse(request: ConsoleRequest, why: string): void {
    const { sessionId, commandId, action } = request;
    if (action === "run") {
      this.#refuseCommand(sessionId, commandId, why);
      return;
    }
    // A question for the mode was never kept.
    if (this.#endAct(request, { problem: why }) || action === "mode")
      this.#say(request, `⚠️ ${this.#findName(sessionId)}: nothing was typed: ${why}.`);
  }

  #refuseCommand(sessionId: SessionId, commandId: string, why: string): void {
    this.#end(
      sessionId,
      commandId,
      REFUSED,
      ({ quote }) => `⚠️ ${this.#findName(sessionId)}: ${quote}\nNothing was typed: ${why}.`,
    );
  }

  /** False: the session has ended meanwhile, and with it the command. */
  #noteGiven(sessionId: SessionId, commandId: string): boolean {
    let isOpen = false;
    this.#change(sessionId, commandId, (_, command) => {
      keepOpenCommand(this.#parts.ledger, sessionId, { ...command, isWaiting: false });
      isOpen = true;
    });
    return isOpen;
  }

  async #act(request: ConsoleRequest, link: WorkerLink): Promise<void> {
    const told = await this.#findAnswer(request, link).catch((error: unknown) => {
      this.#endAct(request, null);
      return this.#describeFailure(error);
    });
    if (told !== null) this.#say(request, told);
  }

  async #findAnswer(request: ConsoleRequest, link: WorkerLink): Promise<string | null> {
    const { sessionId, action, text } = request;
    const name = this.#findName(sessionId);
    if (action === "mode") {
      const { open, problem, status = null } = await link.call("console.state", {});
      if (!open) return `⚠️ ${name}: ${problem ?? "its console is not open"}.`;
      return status === null ? null : describeMode(name, status);
    }
    const { ledger } = this.#parts;
    if (!noteActGiven(ledger, sessionId, toGivenAct(request))) return null;
    const before = listOpenCommands(ledger, sessionId);
    const input = action === "input" ? { input: text } : {};
    const verb = action === "run" ? "interrupt" : action;
    const done = await link.call("console.act", { action: verb, timeoutMs: 0, ...input });
    this.#endAct(request, done);
    if (done.problem !== null) return `⚠️ ${name}: nothing was typed: ${done.problem}.`;
    if (action === "input") return null;
    // Mostly the end of the command says it.
    await new Promise<void>((resolve) => void ledger.options.clock.after(INTERRUPTED_WITHIN_MS, resolve));
    if (!ledger.store.isOpen) return null;
    // Another one may have begun meanwhile.
    const hasEnded = before.some(({ commandId }) => findOpenCommand(ledger, sessionId, commandId) === null);
    return hasEnded ? null : `⏹ ${name}: the ${verb} was sent.`;
  }

  #endAct(request: ConsoleRequest, answer: { readonly problem: string | null } | null): boolean {
    return endAct(this.#parts.ledger, request.sessionId, toGivenAct(request), answer);
  }

  async #follow(
    sessionId: SessionId,
    commandId: string,
    link: WorkerLink,
    begin: () => Promise<ConsoleResult>,
  ): Promise<void> {
    this.#awaited.add(commandId);
    try {
      let result = await begin();
      while (result.state === "running") {
        this.#announceGoingOn(sessionId, commandId, result.note);
        result = await awaitEnd(link, commandId, LOOK_AGAIN_MS);
      }
      this.#conclude(sessionId, commandId, result);
    } catch (error) {
      this.#noteFailure(sessionId, commandId, error);
    } finally {
      this.#awaited.delete(commandId);
    }
  }

  /** Once, and once more where its end may not be seen after all. */
  #announceGoingOn(sessionId: SessionId, commandId: string, doubt: string): void {
    this.#change(sessionId, commandId, (tx, command) => {
      const { ledger } = this.#parts;
      const { lineId: before, isDoubtTold = false } = command;
      const isNew = doubt !== "" && !isDoubtTold;
      if (before !== null && !isNew) return;
      const told = describeGoingOn(this.#findName(sessionId), command.quote, doubt);
      const text = ledger.options.safeText(told);
      const lineId = enqueueAtPlace(ledger, tx, { sessionId, ...command }, text, "task");
      keepOpenCommand(ledger, sessionId, {
        ...command,
        lineId,
        ...(isNew ? { isDoubtTold: true } : {}),
      });
      if (before !== null) settleLine(ledger, tx, before, DOUBTED);
    });
  }

  #conclude(sessionId: SessionId, commandId: string, result: ConsoleResult): void {
    const { safeText } = this.#parts.ledger.options;
    this.#end(sessionId, commandId, result, ({ quote }) =>
      describeEnd({ name: this.#findName(sessionId), quote, result }, safeText),
    );
  }

  /** A lost connection comes back, or the session is closed, which says so. */
  #noteFailure(sessionId: SessionId, commandId: string, error: unknown): void {
    const { ledger } = this.#parts;
    if (error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST") return;
    ledger.options.log("warn", "a command from a chat failed", { commandId, error: String(error) });
    const why = this.#describeFailure(error);
    this.#end(sessionId, commandId, null, ({ quote }) =>
      ledger.options.safeText(`❔ ${this.#findName(sessionId)}: ${quote}\n${why}`),
    );
  }

  #describeFailure(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    return this.#parts.ledger.options.safeText(
      `It is not known what became of it: ${reason}. Look at the screen.`,
    );
  }

  #end(
    sessionId: SessionId,
    commandId: string,
    result: EndFacts | null,
    describe: (command: OpenCommand) => string,
  ): void {
    this.#change(sessionId, commandId, (tx, command) => {
      endCommand(this.#parts.ledger, tx, { sessionId, command, result, text: describe(command) });
    });
  }

  /** The session may have ended meanwhile, which has reported the command's end. */
  #change(
    sessionId: SessionId,
    commandId: string,
    work: (tx: Transaction, command: OpenCommand) => void,
  ): void {
    const { ledger } = this.#parts;
    if (!ledger.store.isOpen) return;
    ledger.commit((tx) => {
      const command = findOpenCommand(ledger, sessionId, commandId);
      if (command !== null) work(tx, command);
    });
  }

  #say(to: ConsoleRequest, text: string): void {
    const { ledger } = this.#parts;
    if (!ledger.store.isOpen) return;
    ledger.commit((tx) => enqueueAtPlace(ledger, tx, to, ledger.options.safeText(text)));
  }

  #findName(sessionId: SessionId): string {
    const { store, options } = this.#parts.ledger;
    const session = store.sessions.find(sessionId);
    return options.safeText(session?.label ?? session?.tool ?? "the session");
  }
}

/** Errors: that the worker does not know the command. */
async function awaitEnd(link: WorkerLink, commandId: string, timeoutMs: number): Promise<ConsoleResult> {
  const act = await link.call("console.act", { action: "wait", timeoutMs, commandId });
  if (act.result) return act.result;
  // The console was closed. Earlier input has an end nevertheless.
  const { result } = await link.call("console.end", { timeoutMs: WAIT_MS, commandId });
  if (!result) throw new Error("its AtlasBridge never got the command, or has forgotten it");
  return result;
}

type EndFacts = Pick<ConsoleResult, "state" | "exitCode" | "bytes" | "mode" | "offers">;
/** It was not given to its worker. */
const REFUSED: EndFacts = { state: "refused", exitCode: null, bytes: 0, mode: null };

/** The session ended (how: see `ENDED`): what became of its commands is not known. Runs inside that transaction. */
export function dropCommands(ledger: Ledger, tx: Transaction, sessionId: SessionId, ended: string): void {
  recordUnseenEnds(ledger, tx, sessionId);
  forgetNewest(ledger, sessionId);
  withdrawOffer(ledger, tx, sessionId, `▪️ No further command: ${ended}.`);
  for (const command of listOpenCommands(ledger, sessionId)) {
    const [result, told] = command.isWaiting
      ? [REFUSED, `⚠️ ${command.quote}\nNothing was typed: ${ended}.`]
      : [null, `▪️ ${command.quote}: ${ended} before its end was seen.`];
    endCommand(ledger, tx, { sessionId, command, result, text: ledger.options.safeText(told) });
  }
}

function endCommand(
  ledger: Ledger,
  tx: Transaction,
  {
    sessionId,
    command,
    result,
    text,
  }: {
    readonly sessionId: SessionId;
    readonly command: OpenCommand;
    readonly result: EndFacts | null;
    readonly text: string;
  },
): void {
  const { commandId, identity, lineId } = command;
  dropOpenCommand(ledger, sessionId, commandId);
  tx.record({ sessionId, identity, ...describeEndStep(commandId, result) });
  const deliveryId = enqueueAtPlace(ledger, tx, { sessionId, ...command }, text);
  if (deliveryId !== null && result !== null)
    offerCommands(ledger, tx, { sessionId, deliveryId, channel: command.channel }, result);
  if (lineId === null) return;
  settleLine(ledger, tx, lineId, result === null ? UNSEEN : ENDED);
}

const UNSEEN = { state: "uncertain", text: "❔ Its end was not seen." } as const;
const ENDED = { state: "answered", text: "✔️ It has ended." } as const;
const DOUBTED = { state: "uncertain", text: "❔ It may have ended: see below." } as const;

function settleLine(
  { store }: Ledger,
  tx: Transaction,
  lineId: string,
  outcome: typeof UNSEEN | typeof ENDED | typeof DOUBTED,
): void {
  store.outbox.addSettle(asId<DeliveryId>(lineId), PRIORITY.edit, tx.now, { ...outcome, final: true });
  tx.emit({ kind: "outbox" });
}
