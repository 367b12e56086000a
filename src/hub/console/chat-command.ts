/** Decides whether the sender of a text about a session that has a console may give it as a command. No key is typed yet. */
import type { DeliveryId, Identity, SessionId } from "../../model/ids.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import type { Inbound, InboundResponse } from "../../sdk/channel.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { computeSha256 } from "../ledger/answer-record.js";
import type { ConsoleRequest } from "../ledger/domain-event.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import type { Requester } from "../ledger/requester.js";
import { quoteCommand } from "./console-text.js";
import { findOffer, withdrawOffer } from "./offered-commands.js";
import { admitBySentAt, keepOpenCommand } from "./open-commands.js";
import { keepUntilEnd, type GivenCommand } from "./record-end.js";

/** The result is a message of its own. */
const NO_REPLY: InboundResponse = { text: "", alert: false };
/** A chat message is shorter; a block of this size still fits one. */
const COMMAND_MAX = 16 * 1024;

/** Words that mean something else in a console's thread than a command. With `$` before it, everything is a command. */
const HUB_WORDS = /^(?:screen|stop|pause|resume)$|^answer +[a-z0-9]{2,6} /i;
const WORDS = ["interrupt", "eof", "suspend", "mode"] as const;
const EXPLICIT = /^\$ ?(\S[\s\S]*)$/;
const INPUT = /^> ?([^\n]*)$/;

export interface ConsoleText {
  readonly action: ConsoleRequest["action"];
  readonly text: string;
}

export interface ConsoleWish extends ConsoleText {
  readonly sessionId: SessionId;
  /** The message whose button was tapped for it, and the mode that it was offered in. */
  readonly tapped?: { readonly deliveryId: DeliveryId; readonly mode: string | null };
}

/** What a text in a console's thread means; null: it is for the hub, and begins with a slash or is one of its words there. */
export function readConsoleText(written: string): ConsoleText | null {
  const text = written.trim();
  const word = text.toLowerCase();
  const [, explicit] = EXPLICIT.exec(text) ?? [];
  if (explicit !== undefined) return { action: "run", text: explicit };
  const named = WORDS.find((each) => each === word);
  if (named) return { action: named, text: "" };
  const [, input] = INPUT.exec(text) ?? [];
  if (input !== undefined) return { action: "input", text: input };
  return HUB_WORDS.test(text) ? null : { action: "run", text };
}

/** `$ make`: a command for a console, wherever it is written; null for any other text. */
export function readExplicitCommand(written: string): ConsoleText | null {
  const [, text] = EXPLICIT.exec(written.trim()) ?? [];
  return text === undefined ? null : { action: "run", text };
}

export function hasConsole(session: SessionRow | null): session is SessionRow {
  return session?.closedAt === null && session.capabilities.console === true;
}

export function acceptConsoleText(
  ledger: Ledger,
  tx: Transaction,
  { identity, configuredChannel, place, sentAt }: Requester,
  { sessionId, action, text, tapped }: ConsoleWish,
): InboundResponse {
  const isHere = configuredChannel.places.includes(place);
  const isOlder = tapped !== undefined && tapped.deliveryId !== findOffer(ledger, sessionId);
  const told =
    findProblem(ledger, sessionId, { identity, text }) ??
    (isHere
      ? null
      : createRefusal("not_allowed", "Send commands in a chat that gets this session's prompts.")) ??
    (isOlder ? createRefusal("older_result") : null);
  if (told !== null) {
    tx.record({ step: "console_refused", sessionId, identity, details: { code: told.code } });
    return { text: told.text, alert: true };
  }
  const commandId = ledger.options.random.uuid();
  const channel = configuredChannel.id;
  const lateness =
    sentAt === undefined ? null : admitBySentAt(ledger, tx.now, { sessionId, channel, sentAt });
  const request = {
    ...{ action, commandId, sessionId, text, identity, channel, place, lateness },
    ...(tapped && { mode: tapped.mode }),
  };
  recordRequest(ledger, tx, request);
  tx.emit({ kind: "console", request });
  return NO_REPLY;
}

type UnfitReason = Extract<Inbound, { kind: "unfit" }>["why"];

const UNFIT_TEXT: Readonly<Partial<Record<UnfitReason, string>>> = {
  forwarded: "A text that was forwarded, or sent through another bot, is no command; write it yourself.",
  edited: "An edited message is no command; write a new one.",
};

/** For a text that would be a command if its sender had written it, and just so. */
export function refuseUnfitCommand(
  tx: Transaction,
  {
    sessionId,
    identity,
    why,
  }: { readonly sessionId: SessionId; readonly identity: Identity; readonly why: UnfitReason },
): Refusal {
  tx.record({ step: "console_refused", sessionId, identity, details: { code: why } });
  return createRefusal(why, UNFIT_TEXT[why]);
}

function recordRequest(ledger: Ledger, tx: Transaction, request: ConsoleRequest): void {
  const { action, commandId, sessionId, text, identity, channel, place } = request;
  if (action === "mode") return;
  const details =
    action === "run"
      ? { commandId, commandSha256: computeSha256(text) }
      : { action, ...(action === "input" && { inputSha256: computeSha256(text) }) };
  tx.record({ step: "console_command", sessionId, identity, details });
  if (action !== "run") {
    keepUntilEnd(ledger, sessionId, toGivenAct(request));
    return;
  }
  const quote = quoteCommand(text, ledger.options.safeText);
  const name = findMembership(ledger.options.settings().people, identity)?.name ?? identity;
  if ((request.lateness ?? null) === null)
    withdrawOffer(ledger, tx, sessionId, `▶️ ${quote}, by ${name}`, { channel, place });
  const command = { commandId, quote, identity, channel, place, lineId: null };
  keepOpenCommand(ledger, sessionId, { ...command, isWaiting: true });
}

/** The key or the line, in the form that is kept until its end. */
export function toGivenAct({ action, commandId, identity, channel, place }: ConsoleRequest): GivenCommand {
  return { commandId, attempt: commandId, identity, action, waitsFor: { channel, place } };
}

function findProblem(
  ledger: Ledger,
  sessionId: SessionId,
  { identity, text }: Pick<ConsoleRequest, "identity" | "text">,
): Refusal | null {
  const session = ledger.store.sessions.find(sessionId);
  const role = findMembership(getPeopleFor(ledger.options.settings(), session), identity)?.role;
  if (role !== "approver") return createRefusal("not_allowed", "You may not give this session commands.");
  if (session?.closedAt !== null) return createRefusal("session_gone");
  if (isPaused(ledger)) return createRefusal("paused");
  if (text.length > COMMAND_MAX) return createRefusal("too_long");
  // What a line editor would take for keys; a block has line feeds.
  if (/[^\P{Cc}\t\n]/u.test(text)) return createRefusal("control_characters");
  return null;
}
