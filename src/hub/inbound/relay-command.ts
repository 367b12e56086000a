/** `resume api` or "Go on" relays held-back prompts; `deny all api` or "Deny all and stop" says no to each and interrupts the tool. */
import type { InboundResponse } from "../../sdk/channel.js";
import { acceptConsoleText } from "../console/chat-command.js";
import { LEAVE_DRAFT, parseClearing } from "../delivery/notices/clear-button.js";
import { parseCommandButton } from "../delivery/notices/command-buttons.js";
import { parseRelayWish, type RelayWish } from "../delivery/notices/relay-buttons.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import type { DeliveryRow, TokenRow } from "../store/tables/deliveries.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";
import { denyAll, type DeniedAll } from "../prompts/flood/deny-all.js";
import { closeRelayNotices, resumeRelay } from "../prompts/flood/flood-guard.js";
import { leaveDraft, requestClearing } from "../tasks/clear-box.js";
import { giveOfferedTask, parseOfferedTask } from "./offer-task.js";
import { findMeantSession, requestAction } from "../sessions/session-commands.js";

/** Without a name, `resume` alone is the kill switch's. */
const RESUME_COMMAND = /^\/?resume(?:@\w{1,64})? {1,8}(\S.{0,200})$/i;
const DENY_COMMAND = /^\/?deny[ _-]?all(?:@\w{1,64})?(?: {1,8}(\S.{0,200}))?$/i;

export function runRelayCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): InboundResponse | null {
  const words = text.trim();
  const resumed = RESUME_COMMAND.exec(words);
  const denied = DENY_COMMAND.exec(words);
  if (resumed === null && denied === null) return null;
  const command = resumed === null ? "deny all" : "resume";
  const session = findMeantSession(ledger, (resumed ?? denied)?.[1], requester.about, command);
  if (typeof session === "string") return { text: session, alert: false };
  return decide(ledger, tx, session, { wish: resumed === null ? "deny_all" : "go_on", requester });
}

export interface SessionTap {
  readonly delivery: DeliveryRow;
  readonly token: TokenRow;
  readonly requester: Omit<Requester, "about">;
}

/** A tap under a message about a session: one that says so, a task that was not sent, or a result. Null for another button. */
export function handleSessionTap(
  ledger: Ledger,
  tx: Transaction,
  { delivery, token: { value }, requester }: SessionTap,
): InboundResponse | null {
  const sender = { ...requester, about: delivery.sessionId };
  const draftHash = parseClearing(value);
  if (draftHash !== null) return requestClearing(ledger, tx, { delivery, draftHash, requester: sender });
  if (value === LEAVE_DRAFT) return leaveDraft(ledger, tx, delivery, sender);
  const task = parseOfferedTask(value);
  if (task !== null) return giveOfferedTask(ledger, tx, delivery, { ...task, requester: sender });
  const offered = parseCommandButton(value);
  if (offered !== null) {
    const { command: text, mode } = offered;
    const { sessionId, deliveryId } = delivery;
    return acceptConsoleText(ledger, tx, sender, {
      ...{ sessionId, action: "run", text },
      tapped: { deliveryId, mode },
    });
  }
  const wish = parseRelayWish(value);
  const session = ledger.store.sessions.find(delivery.sessionId);
  if (wish === null || session === null) return null;
  if (session.closedAt !== null) return { text: "That session has ended.", alert: true };
  return decide(ledger, tx, session, { wish, requester: sender });
}

function decide(
  ledger: Ledger,
  tx: Transaction,
  session: SessionRow,
  { wish, requester }: { readonly wish: RelayWish; readonly requester: Requester },
): InboundResponse {
  const { identity, configuredChannel, place } = requester;
  const people = getPeopleFor(ledger.options.settings(), session);
  const membership = findMembership(people, identity);
  if (membership?.role !== "approver") {
    const { sessionId } = session;
    tx.record({ step: "answer_rejected", sessionId, identity, details: { code: "not_allowed" } });
    return { text: "You may not do that.", alert: true };
  }
  const { name } = membership;
  if (wish === "go_on") {
    const follow = resumeRelay(ledger, tx, session, { identity, name });
    const text =
      follow === null
        ? "The prompts of that session are not held back."
        : `▶️ Prompts are sent again${follow === 0 ? "." : `; ${countPrompts(follow)} follow${follow === 1 ? "s" : ""}.`}`;
    return { text, alert: false };
  }
  const writtenAt = { channel: configuredChannel.id, place };
  const result = denyAll(ledger, session.sessionId, { identity, writtenAt });
  const words = describeDenied(result);
  if (result.problem !== null) return { text: words, alert: true };
  // A tool that asks one thing after the other is denied until it stops.
  closeRelayNotices(ledger, tx, session, `⛔ ${words} By ${name}. Prompts stay held back until: go on`, [
    "deny_all",
    "go_on",
  ]);
  const stopping = requestAction(ledger, tx, {
    action: "stop",
    session: session.sessionId,
    requester,
    after: result.denied,
  });
  return { text: `⛔ ${words} ${stopping.text}`, alert: stopping.alert };
}

/** More names are no help on a phone. */
const NAMED_MAX = 8;

function describeDenied({ denied, left, problem }: DeniedAll): string {
  // The result of each answer is not known yet; it is reported when the tool is stopped.
  const done = `No was accepted for ${countPrompts(denied.length)}.`;
  if (problem !== null) return denied.length === 0 ? problem.text : `${done} ${problem.text}`;
  if (left.length === 0) return done;
  const named = left.slice(0, NAMED_MAX).map(({ shortId, why }) => `${shortId} (${why})`);
  const more = left.length > NAMED_MAX ? [`… and ${left.length - NAMED_MAX} more`] : [];
  return `${done} Still open: ${[...named, ...more].join(", ")}.`;
}

function countPrompts(count: number): string {
  return `${count} prompt${count === 1 ? "" : "s"}`;
}
