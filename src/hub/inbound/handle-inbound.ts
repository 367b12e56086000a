/** Handles a tap or text from a channel and tells its sender the result at once. Runs inside the inbox's transaction. */
import type { Identity } from "../../model/ids.js";
import { createRefusal } from "../../model/answer/refusal.js";
import type { Inbound, InboundResponse } from "../../sdk/channel.js";
import { ASK_AGAIN } from "../delivery/notices/ask-again.js";
import { GRANT } from "../delivery/notices/grant-button.js";
import { followOffer } from "../delivery/offers.js";
import { getChannel, findMembership, type People } from "../people/people.js";
import { listSendingChannels, type ConfiguredChannel } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { isHiddenApproval, offerAcceptance } from "../prompts/approval/accept-hidden.js";
import { looksLikeAnswer } from "../prompts/answer-text.js";
import { requestAskAgain } from "../prompts/ask-again.js";
import { claim, refuseAnswer } from "../prompts/claim.js";
import { findRepliedDelivery, readAnswerCommand } from "./find-prompt.js";
import { fillInWords, handleStepTap } from "./fill-in.js";
import { settleTappedCard } from "./settle-tapped-card.js";
import { askToDelete, claimFromText, DELETE_MESSAGE, describeClaim, waitsForSecret } from "./claim-words.js";
import { findNamedSecret } from "./conceal-secret.js";
import { isCommandWord } from "./command-words.js";
import { explainOffers, explainText, runCommand } from "./commands.js";
import { runAlikeCommand, handleAlikeTap } from "./alike-command.js";
import { runRelayCommand, handleSessionTap } from "./relay-command.js";
import { offerAnswers } from "./offer-answers.js";
import { offerTask } from "./offer-task.js";
import { isPaused } from "../ledger/pause.js";
import { isKnownDelivery, isUnknownCard, refuseUnknownCard } from "./unknown-card.js";
import { offerGrants, readTapped, runGrantCommand } from "./grant-command.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { hasStartCode, refuseCode, type PendingPairings } from "./pending-pairings.js";
import type { PlaceProblems } from "../delivery/place-problems.js";
import { CONSOLE_USE } from "../console/console-text.js";
import {
  hasConsole,
  readConsoleText,
  readExplicitCommand,
  acceptConsoleText,
  refuseUnfitCommand,
} from "../console/chat-command.js";
import { requestInConsole, runSessionCommand, requestAction } from "../sessions/session-commands.js";
import { type Requester } from "../ledger/requester.js";
import { acceptTask } from "../tasks/tasks.js";

type InboundOf<K extends Inbound["kind"]> = Extract<Inbound, { kind: K }>;

/** A word with a slash is for the hub; a path is not. */
const SLASH_COMMAND = /^\/[a-z]{1,20}(?:@\w{1,64})?(?:\s|$)/i;

/** Handles one update; null: no reply to the sender. Pairing codes come first. Any update proves that its chat is reachable. */
export function createInboundHandler(
  ledger: Ledger,
  pairing: PendingPairings,
  places: PlaceProblems,
): (configuredChannel: ConfiguredChannel, inbound: Inbound) => InboundResponse | null {
  return (configuredChannel, inbound) => {
    places.noteRefusal(configuredChannel.id, inbound.place, null);
    const { people } = ledger.options.settings();
    const paired = pairing.accept(configuredChannel.id, inbound, people);
    if (paired !== null || !isWaitingForCode(pairing, configuredChannel, inbound, people))
      return paired ?? handleInbound(ledger, configuredChannel, inbound);
    return ledger.strangers.shouldReply(inbound.identity, ledger.options.clock.now()) ? SEND_CODE : null;
  };
}

const SEND_CODE: InboundResponse = { text: "Send the code that your terminal shows.", alert: false };

/** Whether a terminal shows a code, and somebody who is not listed writes something else. */
function isWaitingForCode(
  pairing: PendingPairings,
  { id }: ConfiguredChannel,
  inbound: Inbound,
  people: People,
): boolean {
  if (inbound.kind !== "text" || !pairing.isPairing(id) || hasStartCode(inbound.text)) return false;
  return findMembership(people, inbound.identity) === null && readExplicitCommand(inbound.text) === null;
}

function handleInbound(
  ledger: Ledger,
  configuredChannel: ConfiguredChannel,
  inbound: Inbound,
): InboundResponse | null {
  // An identity of another channel would be forged.
  if (getChannel(inbound.identity) !== configuredChannel.id) return null;
  return ledger.commit((tx) => {
    const limit = (answer: InboundResponse | null): InboundResponse | null =>
      limitReplies(ledger, tx, inbound.identity, answer);
    switch (inbound.kind) {
      case "tap":
        return acceptTap(ledger, tx, configuredChannel, inbound);
      case "text_reply":
        return limit(acceptTextReply(ledger, tx, configuredChannel, inbound));
      case "text":
        return limit(acceptText(ledger, tx, configuredChannel, inbound));
      case "look":
        return requestScreen(ledger, tx, configuredChannel, inbound);
      case "unfit":
        return limit(refuseUnfit(ledger, tx, configuredChannel, inbound));
    }
  });
}

/** Replies to strangers are limited, because each one counts as a message of the place. */
function limitReplies(
  ledger: Ledger,
  tx: Transaction,
  identity: Identity,
  answer: InboundResponse | null,
): InboundResponse | null {
  if (answer === null || findMembership(ledger.options.settings().people, identity) !== null) return answer;
  return ledger.strangers.shouldReply(identity, tx.now) ? answer : null;
}

function acceptTap(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  tap: InboundOf<"tap">,
): InboundResponse {
  const { deliveries, prompts } = ledger.store;
  const token = followOffer(ledger.store, deliveries.findToken(tap.token));
  if (token === null && isUnknownCard(ledger, configuredChannel.id, tap.ref))
    return refuseUnknownCard(ledger, tx, tap, tap.token);
  const delivery = token === null ? null : deliveries.find(token.deliveryId);
  const isHere = delivery?.channel === configuredChannel.id;
  const find = (): PromptRow | null =>
    isHere && delivery.promptId !== null ? prompts.find(delivery.promptId) : null;
  const asked = find();
  // The card was forwarded to another place: people there were not asked.
  if (isHere && tap.place !== delivery.place)
    return respondWithAlert(refuseAnswer(tx, asked, tap.identity, createRefusal("forwarded")).rejection.text);
  if (isHere && token?.value === ASK_AGAIN.value) return requestAskAgain(ledger, tx, asked, tap);
  if (isHere && token?.value === GRANT.value)
    return offerGrants(ledger, tx, asked, { delivery, identity: tap.identity });
  const requester = { identity: tap.identity, configuredChannel, place: tap.place, sentAt: tap.sentAt };
  const tapped = isHere && token !== null ? { delivery, token, requester } : null;
  const done = tapped && (asked === null ? handleSessionTap : handleAlikeTap)(ledger, tx, tapped);
  if (done !== null) return done;
  const filled =
    isHere && asked !== null && token !== null
      ? handleStepTap(ledger, tx, { delivery, prompt: asked, identity: tap.identity }, token)
      : null;
  if (isHere && filled !== null) {
    settleTappedCard(ledger, tx, delivery, tap);
    return filled;
  }
  const result = claim(ledger, find, {
    ...readTapped(ledger, token, asked),
    identity: tap.identity,
    acceptsHidden: isHiddenApproval(token, asked),
  });
  if (!result.claimed && result.rejection.code === "hidden" && isHere && token !== null && asked !== null)
    return offerAcceptance(ledger, tx, delivery, token, { prompt: asked, identity: tap.identity });
  if (isHere) settleTappedCard(ledger, tx, delivery, tap);
  return describeClaim(ledger, result, asked);
}

function acceptTextReply(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  reply: InboundOf<"text_reply">,
): InboundResponse | null {
  const replied = findRepliedDelivery(ledger, configuredChannel, reply);
  // The service says that it belongs to a card, and the hub knows none such.
  if (replied === null && reply.deliveryId !== undefined && !isKnownDelivery(ledger, reply.deliveryId))
    return refuseUnknownCard(ledger, tx, reply, reply.deliveryId);
  const promptId = replied?.promptId ?? null;
  const prompt = promptId === null ? null : ledger.store.prompts.find(promptId);
  // The answer to a secret is never a chat's, so a command there is meant as one.
  const isCommand =
    findNamedSecret(ledger, reply.text) !== null ||
    (prompt?.event.promptType === "secret" && isCommandWord(reply.text));
  if (!prompt || isCommand) {
    // A reply to a message about a session counts as said to that session.
    const text = {
      ...reply,
      kind: "text",
      displayName: "",
      ...(replied && { about: replied.sessionId }),
    } as const;
    return acceptText(ledger, tx, configuredChannel, text, replied?.role === "idle");
  }
  const { identity, place, text } = reply;
  const card = { delivery: replied, prompt, identity, writtenAt: { channel: configuredChannel.id, place } };
  const filled = replied === null ? null : fillInWords(ledger, tx, { ...card, delivery: replied }, text);
  if (filled !== null) return filled;
  const response = claimFromText(ledger, configuredChannel, prompt, reply);
  const requester = { identity, configuredChannel, place, about: null };
  const offered =
    response.alert && prompt.event.promptType !== "secret" && !isPaused(ledger)
      ? offerAnswers(ledger, tx, text, requester, prompt)
      : [];
  return offered.length > 0 ? explainOffers(offered) : response;
}

function acceptText(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { text, identity, place, about, sentAt }: InboundOf<"text">,
  answersIdle = false,
): InboundResponse | null {
  const { people } = ledger.options.settings();
  // A channel used for pairing only stays silent; strangers learn nothing.
  if (!listSendingChannels([configuredChannel], people).length) return null;
  const standing = findMembership(people, identity);
  if (hasStartCode(text)) return refuseCode(standing !== null);
  if (!standing) {
    recordStrangersCommand(ledger, tx, { text, identity, about: about ?? null });
    return { text: "You are not listed in this AtlasBridge's configuration.", alert: false };
  }
  const named = readAnswerCommand(text);
  if (named === null) {
    const requester = { identity, configuredChannel, place, about: about ?? null, sentAt };
    const words = { text, identity, role: standing.role };
    const command = handleAsCommand(ledger, tx, text, requester);
    if (command !== null) return command;
    const done =
      runSessionCommand(ledger, tx, text, requester) ??
      runGrantCommand(ledger, tx, text, requester) ??
      runAlikeCommand(ledger, tx, text, requester) ??
      runRelayCommand(ledger, tx, text, requester) ??
      runCommand(ledger, tx, { ...words, requester });
    return done ?? handleAsTask(ledger, tx, text, { ...requester, answersIdle });
  }
  const { shortId, value } = named;
  const prompt = ledger.store.prompts.findByShortId(shortId);
  if (!prompt) {
    const why = createRefusal("unknown_prompt", `There is no prompt ${shortId}.`);
    return respondWithAlert(refuseAnswer(tx, null, identity, why).rejection.text);
  }
  return claimFromText(ledger, configuredChannel, prompt, { text: value, identity, place });
}

function recordStrangersCommand(
  ledger: Ledger,
  tx: Transaction,
  { text, identity, about }: Pick<Requester, "identity" | "about"> & { readonly text: string },
): void {
  const session = about === null ? null : ledger.store.sessions.find(about);
  if (!hasConsole(session) && readExplicitCommand(text) === null) return;
  const { code } = createRefusal("not_allowed");
  tx.record({ step: "console_refused", sessionId: session?.sessionId ?? null, identity, details: { code } });
}

/** Null: the text is for the hub. While a prompt is open there, it may be meant as its answer. */
function handleAsCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester,
): InboundResponse | null {
  const session = requester.about === null ? null : ledger.store.sessions.find(requester.about);
  const explicit = readExplicitCommand(text);
  if (!hasConsole(session)) return explicit && requestInConsole(ledger, tx, explicit, requester);
  const { sessionId } = session;
  // A mention of the app alone. As a command it would be an empty line, on which a debugger repeats its last one.
  if (text.trim() === "") return { text: CONSOLE_USE, alert: false };
  const meant = explicit ?? (SLASH_COMMAND.test(text.trim()) ? null : readConsoleText(text));
  if (meant === null) return null;
  const mayAnswer = explicit === null && meant.action === "run";
  if (mayAnswer && ledger.store.prompts.countOpenInSession(sessionId) > 0) return null;
  return acceptConsoleText(ledger, tx, requester, { sessionId, ...meant });
}

/**
 * Accepts a text that is no command as a task if its session is known; otherwise ignores it. While a prompt is open the text may
 * be meant as its answer, so it is no task, and a late "yes" never answers the next prompt. `answersIdle`: the text replies to
 * the notice that the tool is idle.
 */
function handleAsTask(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  requester: Requester & { readonly answersIdle: boolean },
): InboundResponse | null {
  const { about, identity, answersIdle } = requester;
  const session = about === null ? null : ledger.store.sessions.find(about);
  const asks = about !== null && ledger.store.prompts.countOpenInSession(about) > 0;
  if (session?.closedAt !== null || asks) {
    // Text that may have been meant as an answer is recorded like every refused answer.
    if (ledger.store.prompts.countOpen() > 0)
      tx.record({ step: "answer_rejected", identity, details: { code: "unattributed" } });
    const answers = offerAnswers(ledger, tx, text, requester);
    const tasks = answers.length > 0 ? [] : offerTask(ledger, tx, text, requester);
    return explainText(ledger, text, { answers, tasks, session: asks ? null : session });
  }
  const { sessionId } = session;
  if (!answersIdle && looksLikeAnswer(text)) {
    const { code, text: why } = createRefusal("reads_as_answer");
    tx.record({ step: "task_rejected", sessionId, identity, details: { code } });
    return respondWithAlert(why);
  }
  return acceptTask(ledger, tx, requester, { sessionId, text });
}

function requestScreen(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { deliveryId, identity, place }: InboundOf<"look">,
): InboundResponse {
  const standing = findMembership(ledger.options.settings().people, identity);
  const delivery = ledger.store.deliveries.find(deliveryId);
  if (delivery === null) return refuseUnknownCard(ledger, tx, { identity, place }, deliveryId);
  if (!standing || delivery.channel !== configuredChannel.id || delivery.place !== place)
    return respondWithAlert(refuseAnswer(tx, null, identity, createRefusal("not_allowed")).rejection.text);
  const requester = { identity, configuredChannel, place, about: null };
  return requestAction(ledger, tx, { action: "screen", session: delivery.sessionId, requester });
}

function refuseUnfit(
  ledger: Ledger,
  tx: Transaction,
  configuredChannel: ConfiguredChannel,
  { why, identity, place, ref, about }: InboundOf<"unfit">,
): InboundResponse | null {
  const { people } = ledger.options.settings();
  if (!listSendingChannels([configuredChannel], people).length) return null;
  const isKnown = findMembership(people, identity) !== null;
  // The word of a stranger gets an answer, because it may be meant for us; a picture is not.
  if (why === "media" && !isKnown) return null;
  const replied = ref === undefined ? null : findRepliedDelivery(ledger, configuredChannel, { ref, place });
  const prompt = replied?.promptId == null ? null : ledger.store.prompts.find(replied.promptId);
  const sessionId = about ?? replied?.sessionId ?? null;
  const session = sessionId === null ? null : ledger.store.sessions.find(sessionId);
  const isCommand = hasConsole(session) && ledger.store.prompts.countOpenInSession(session.sessionId) === 0;
  const { text } = isCommand
    ? refuseUnfitCommand(tx, { sessionId: session.sessionId, identity, why })
    : refuseAnswer(tx, null, identity, createRefusal(why)).rejection;
  // Others of the group may talk with one another in the session's topic.
  const isTalk = about !== undefined && (why === "forwarded" || why === "edited");
  if (isTalk && !isKnown) return null;
  const response = respondWithAlert(text);
  if (!isKnown || prompt === null || !waitsForSecret(prompt)) return response;
  // Only an edited text is the writer's own; it may have become the password.
  return why === "edited"
    ? askToDelete(response)
    : { ...response, text: `${text} If it shows the password: ${DELETE_MESSAGE}` };
}

function respondWithAlert(text: string): InboundResponse {
  return { text, alert: true };
}
