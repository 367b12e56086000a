/** Handles a tap or text from a channel and tells its sender the result at once. Runs inside the inbox's transaction. */
import type { Identity } from "../../model/ids.js";
import { createRejection, type RejectionCode } from "../../model/answer/rejection.js";
import type { Inbound, InboundAnswer } from "../../sdk/channel.js";
import { ASK_AGAIN } from "../delivery/notices/ask-again.js";
import { describeCurrentOutcome, rememberCard } from "../delivery/cards.js";
import { describeAnswer } from "../delivery/notices/outcome-text.js";
import { getChannel, findMembership } from "../people/people.js";
import { listSendingChannels, type ConfiguredChannel } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { DeliveryRow } from "../store/tables/deliveries.js";
import type { PromptRow } from "../store/tables/prompts.js";
import {
  isHiddenApproval,
  describeHowToAccept,
  offerAcceptance,
  readAcceptance,
} from "../prompts/accept-hidden.js";
import type { ClaimResult } from "../prompts/accept.js";
import { describeHowToAnswer, looksLikeAnswer, parseTypedAnswer } from "../prompts/answer-text.js";
import { requestAskAgain } from "../prompts/ask-again.js";
import { claim, rejectAnswer } from "../prompts/claim.js";
import { runCommand, describeOpenPrompts } from "./commands.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { PendingPairings } from "./pairing-desk.js";
import type { ReachReporter } from "../sessions/reach-reporter.js";
import { runSessionCommand, requestAction } from "../sessions/session-commands.js";
import { type Requester } from "../ledger/asker.js";
import { takeTask } from "../tasks/tasks.js";

type InboundOf<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

/** `answer k7 2`; the slash of chat commands is optional. */
const ANSWER_COMMAND = /^\/?answer +([a-z0-9]{2,6}) +([\s\S]+)$/i;

/** Handles one update; null: no reply to the sender. Pairing codes are checked first. Any update proves that its chat is reachable. */
export function createInboundHandler(
  ledger: Ledger,
  pairing: PendingPairings,
  reach: ReachReporter,
): (configuredChannel: ConfiguredChannel, inbound: Inbound) => InboundAnswer | null {
  return (configuredChannel, inbound) => {
    reach.notePlace(configuredChannel.id, inbound.place, null);
    const paired = inbound.kind === "text" ? pairing.take(configuredChannel.id, inbound) : null;
    return paired ?? handleInbound(ledger, configuredChannel, inbound);
  };
}

function handleInbound(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  inbound: Inbound,
): InboundAnswer | null {
  // An identity of another channel would be forged.
  if (getChannel(inbound.identity) !== configuredChannel.id) return null;
  return ledger.commit((tx) => {
    switch (inbound.kind) {
      case "tap":
        return acceptTap(ledger, tx, configuredChannel, inbound);
      case "text_reply":
        return limitReplies(
          ledger,
          tx,
          inbound.identity,
          acceptTextReply(ledger, tx, configuredChannel, inbound),
        );
      case "text":
        return limitReplies(ledger, tx, inbound.identity, acceptText(ledger, tx, configuredChannel, inbound));
      case "look":
        return requestScreen(ledger, tx, configuredChannel, inbound);
      case "unfit":
        return limitReplies(
          ledger,
          tx,
          inbound.identity,
          rejectUnfit(ledger, tx, configuredChannel, inbound),
        );
    }
  });
}

/** Replies to strangers are limited, because each one counts as a message of the place. */
function limitReplies(
  ledger: Ledger,
  tx: Transaction,
  identity: Identity,
  answer: InboundAnswer | null,
): InboundAnswer | null {
  if (answer === null || findMembership(ledger.options.settings().people, identity) !== null) return answer;
  return ledger.strangers.shouldReply(identity, tx.now) ? answer : null;
}

function acceptTap(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  tap: InboundOf<"tap">,
): InboundAnswer {
  const { deliveries, prompts } = ledger.store;
  const token = deliveries.findToken(tap.token);
  const delivery = token === null ? null : deliveries.find(token.deliveryId);
  const isHere = delivery?.channel === configuredChannel.id;
  const find = (): PromptRow | null =>
    isHere && delivery.promptId !== null ? prompts.find(delivery.promptId) : null;
  const asked = find();
  // The card was forwarded to another place: people there were not asked.
  if (isHere && tap.place !== delivery.place)
    return respondWithAlert(
      rejectAnswer(tx, asked, tap.identity, createRejection("forwarded")).rejection.text,
    );
  if (isHere && token?.value === ASK_AGAIN.value) return requestAskAgain(ledger, tx, asked, tap);
  const result = claim(ledger, find, {
    value: token?.value ?? "",
    identity: tap.identity,
    acceptsHidden: isHiddenApproval(token, asked),
  });
  if (!result.claimed && result.rejection.code === "hidden" && isHere && token !== null && asked !== null)
    return offerAcceptance(ledger, tx, delivery, token, asked);
  if (isHere) settleTappedCard(ledger, tx, delivery, tap);
  return describeClaim(ledger, result, asked);
}

/** Settles a card that was unknown until now (its posting's response was lost), like the prompt's other cards. */
function settleTappedCard(
  ledger: Ledger,
  tx: Transaction,
  delivery: DeliveryRow,
  tap: InboundOf<"tap">,
): void {
  if (tap.ref === undefined) return;
  const { store, options } = ledger;
  const card = rememberCard({ store, random: options.random }, delivery, tap.ref, tx.now);
  const prompt = delivery.promptId === null ? null : store.prompts.find(delivery.promptId);
  const outcome = prompt === null ? null : describeCurrentOutcome(prompt);
  if (!outcome?.final || card.state === "settled") return;
  store.outbox.addSettle(card.deliveryId, PRIORITY.settleByTap, tx.now, outcome);
  tx.emit({ kind: "outbox" });
}

function acceptTextReply(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  reply: InboundOf<"text_reply">,
): InboundAnswer | null {
  const promptId = findRepliedDelivery(ledger, configuredChannel, reply)?.promptId ?? null;
  const prompt = promptId === null ? null : ledger.store.prompts.find(promptId);
  if (!prompt) {
    // A reply to a message about a session counts as said to that session.
    const delivery = findRepliedDelivery(ledger, configuredChannel, reply);
    const text = {
      ...reply,
      kind: "text",
      displayName: "",
      ...(delivery && { about: delivery.sessionId }),
    } as const;
    return acceptText(ledger, tx, configuredChannel, text, delivery?.role === "idle");
  }
  return claimFromText(ledger, configuredChannel, prompt, reply);
}

function findRepliedDelivery(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  reply: InboundOf<"text_reply">,
): DeliveryRow | null {
  const { deliveries } = ledger.store;
  const named = reply.deliveryId === undefined ? null : deliveries.find(reply.deliveryId);
  if (named?.channel === configuredChannel.id && named.place === reply.place) return named;
  return deliveries.findByRef(configuredChannel.id, reply.ref);
}

function acceptText(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { text, identity, place, about }: InboundOf<"text">,
  answersIdle = false,
): InboundAnswer | null {
  const { people } = ledger.options.settings();
  // A channel used for pairing only stays silent; strangers learn nothing.
  if (!listSendingChannels([configuredChannel], people).length) return null;
  const standing = findMembership(people, identity);
  if (!standing) return respond("You are not listed in this AtlasBridge's configuration.");
  const [, shortId, value] = ANSWER_COMMAND.exec(text.trim()) ?? [];
  if (shortId === undefined || value === undefined) {
    const asker = { identity, configuredChannel, place, about: about ?? null };
    const words = { text, identity, role: standing.role };
    const done = runSessionCommand(ledger, tx, text, asker) ?? runCommand(ledger, tx, words);
    return done ?? takeAsTask(ledger, tx, text, { ...asker, answersIdle });
  }
  const prompt = ledger.store.prompts.findByShortId(shortId.toLowerCase());
  if (!prompt) {
    const why = createRejection("unknown_prompt", `There is no prompt ${shortId.toLowerCase()}.`);
    return respondWithAlert(rejectAnswer(tx, null, identity, why).rejection.text);
  }
  return claimFromText(ledger, configuredChannel, prompt, { text: value, identity, place });
}

/**
 * Takes a text that is no command as a task if its session is known; otherwise ignores it. While a prompt is open the text may
 * be meant as its answer, so it is no task, and a late "yes" never answers the next prompt. `answersIdle`: the text replies to
 * the notice that the tool is idle.
 */
function takeAsTask(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  asker: Requester & { readonly answersIdle: boolean },
): InboundAnswer | null {
  const { about, identity, answersIdle } = asker;
  const session = about === null ? null : ledger.store.sessions.find(about);
  const asks = about !== null && ledger.store.prompts.countOpenInSession(about) > 0;
  if (session?.closedAt !== null || asks) {
    // Text that may have been meant as an answer is recorded like every rejected answer.
    if (ledger.store.prompts.countOpen() > 0)
      tx.record({ step: "answer_rejected", identity, details: { code: "unattributed" } });
    return respond(describeOpenPrompts(ledger));
  }
  const { sessionId } = session;
  if (!answersIdle && looksLikeAnswer(text)) {
    const { code, text: why } = createRejection("reads_as_answer");
    tx.record({ step: "task_rejected", sessionId, identity, details: { code } });
    return respondWithAlert(why);
  }
  return takeTask(ledger, tx, asker, { sessionId, text });
}

/** Shows the screen behind a card or text. */
function requestScreen(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { deliveryId, identity, place }: InboundOf<"look">,
): InboundAnswer {
  const standing = findMembership(ledger.options.settings().people, identity);
  const delivery = ledger.store.deliveries.find(deliveryId);
  if (!standing || delivery?.channel !== configuredChannel.id || delivery.place !== place)
    return respondWithAlert(rejectAnswer(tx, null, identity, createRejection("not_allowed")).rejection.text);
  const asker = { identity, configuredChannel, place, about: null };
  return requestAction(ledger, tx, { action: "screen", session: delivery.sessionId, asker });
}

function rejectUnfit(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { why, identity }: InboundOf<"unfit">,
): InboundAnswer | null {
  if (!listSendingChannels([configuredChannel], ledger.options.settings().people).length) return null;
  return respondWithAlert(rejectAnswer(tx, null, identity, createRejection(why)).rejection.text);
}

function claimFromText(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  prompt: PromptRow,
  { text, identity, place }: { readonly text: string; readonly identity: Identity; readonly place: string },
): InboundAnswer {
  const writtenAt = { channel: configuredChannel.id, place };
  const { words, acceptsHidden: accepts } = readAcceptance(prompt, text);
  const answer = { ...parseTypedAnswer(prompt.event, words), identity, writtenAt, acceptsHidden: accepts };
  const result = claim(ledger, () => ledger.store.prompts.find(prompt.promptId), answer);
  if (!result.claimed && result.rejection.code === "hidden")
    return respondWithAlert(`${result.rejection.text} ${describeHowToAccept(text)}`);
  return describeClaim(ledger, result, prompt);
}

/** Rejections that leave the prompt open and that a different wording would resolve. */
const MENDABLE: readonly RejectionCode[] = [
  "option_unknown",
  "text_required",
  "form_incomplete",
  "text_not_taken",
  "empty",
  "no_default",
];

function describeClaim(ledger: Ledger, result: ClaimResult, asked: PromptRow | null): InboundAnswer {
  if (!result.claimed) {
    const { code, text } = result.rejection;
    const isMendable = asked !== null && MENDABLE.includes(code);
    return respondWithAlert(isMendable ? `${text} ${describeHowToAnswer(asked.event)}` : text);
  }
  const { prompt, replyId } = result;
  const value = ledger.store.replies.find(replyId)?.value ?? "";
  const tool = ledger.store.sessions.find(prompt.sessionId)?.tool ?? "";
  const { safeText } = ledger.options;
  // Its worker may be stopped, disconnected or dead, so nothing was sent to anybody yet.
  return respond(`${describeAnswer(prompt.event, value, safeText)}: accepted for ${safeText(tool)}`);
}

function respond(text: string): InboundAnswer {
  return { text, alert: false };
}

function respondWithAlert(text: string): InboundAnswer {
  return { text, alert: true };
}
