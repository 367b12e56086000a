/** A text that is neither a command nor an answer gets a button for each idle session. Only a tap on one makes it that session's task. */
import { asId, type DeliveryId, type SessionId } from "../../model/ids.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { TOKEN_BYTES } from "../delivery/notices/buttons.js";
import { LATE_COMMAND_MS } from "../console/open-commands.js";
import { hasConsole } from "../console/chat-command.js";
import { formatDuration } from "../delivery/notices/span.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import { offerButton } from "../ledger/offer-button.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { Requester } from "../ledger/requester.js";
import { looksLikeAnswer } from "../prompts/answer-text.js";
import { chooseName } from "../sessions/session-commands.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { acceptTask, mayTakeNow } from "../tasks/tasks.js";

/** More are no help on a phone. */
const OFFERED_MAX = 5;
const PREFIX = "task:";

export type TaskButton = NonNullable<InboundResponse["buttons"]>[number];

/** Empty if no idle session takes the text from this person, or if the text may be a secret. */
export function offerTask(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): readonly TaskButton[] {
  const { store, options } = ledger;
  const { configuredChannel, place, about } = requester;
  const asksSecret = store.prompts.listOpen().some(({ event }) => event.promptType === "secret");
  if (about !== null || asksSecret || looksLikeAnswer(text) || text.trim().startsWith("/")) return [];
  if (configuredChannel.capabilities.tokenBytesMax < TOKEN_BYTES) return [];
  const open = store.sessions.listOpen();
  const takes = (row: SessionRow): boolean =>
    mayTakeNow(ledger, row, { text, requester }) && options.isConnected(row.sessionId) && !hasConsole(row);
  const takers = open.filter(takes).slice(0, OFFERED_MAX);
  const [first] = takers;
  if (first === undefined) return [];
  const deliveryId = asId<DeliveryId>(options.random.uuid());
  store.deliveries.insert({
    ...{ deliveryId, channel: configuredChannel.id, place, promptId: null, sessionId: first.sessionId },
    ...{ text: "", state: "abandoned", ref: null, twinOf: null, role: null, createdAt: tx.now },
  });
  return takers.map((row) => {
    const name = options.safeText(chooseName(open, row));
    const token = offerButton(ledger, { deliveryId, twinOf: null }, `${PREFIX}${row.sessionId}:${text}`);
    return { token, label: takers.length === 1 ? `Give ${name} this task` : `Task for ${name}` };
  });
}

interface OfferedTask {
  readonly sessionId: SessionId;
  readonly text: string;
}

export function parseOfferedTask(value: string): OfferedTask | null {
  const [, sessionId, text] = /^task:([^:]*):([^]*)$/.exec(value) ?? [];
  return sessionId === undefined || text === undefined
    ? null
    : { sessionId: asId<SessionId>(sessionId), text };
}

/** Whoever taps gives the task, once: a second tap gives no other session the same. What is offered is a task for an idle tool, for now. */
export function giveOfferedTask(
  ledger: Ledger,
  tx: Transaction,
  { deliveryId, state, createdAt }: DeliveryRow,
  { sessionId, text, requester }: OfferedTask & { readonly requester: Requester },
): InboundResponse {
  if (state === "settled") return { text: "It was given already.", alert: false, closesCard: true };
  const { store, options } = ledger;
  const session = store.sessions.find(sessionId);
  const role = findMembership(getPeopleFor(options.settings(), session), requester.identity)?.role;
  if (session && role === "approver") {
    const why = findObstacle(ledger, session, { text, requester, age: tx.now - createdAt });
    const refused = `Nothing was typed: ${why}. Send the task again.`;
    if (why !== null) return { text: refused, alert: true, closesCard: true };
  }
  const response = acceptTask(ledger, tx, { ...requester, about: sessionId }, { sessionId, text });
  if (response.alert || !session) return response;
  store.deliveries.setState(deliveryId, "settled");
  const name = options.safeText(session.label ?? session.tool);
  return { text: `⏳ Given to ${name}.`, alert: false, closesCard: true };
}

function findObstacle(
  ledger: Ledger,
  session: SessionRow,
  { text, requester, age }: { readonly text: string; readonly requester: Requester; readonly age: number },
): string | null {
  if (age > LATE_COMMAND_MS) return `this was offered ${formatDuration(age)} ago`;
  const name = ledger.options.safeText(session.label ?? session.tool);
  return mayTakeNow(ledger, session, { text, requester }) ? null : `${name} does not wait for a task now`;
}
