/** "Ask again": the prompt's worker checks the live screen, and a prompt that is still there comes as a new card. */
import { asId, LOCAL_IDENTITY, type Fingerprint, type Identity } from "../../model/ids.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { describeCheck } from "../../model/where-to-check.js";
import type { ReaskResult } from "../../sdk/adapter.js";
import type { Inbound, InboundResponse } from "../../sdk/channel.js";
import { ASK_AGAIN, canOfferAskAgain, canBeAskedAgain } from "../delivery/notices/ask-again.js";
import { describeCurrentOutcome } from "../delivery/cards.js";
import { getChannel } from "../people/people.js";
import { isUnreadable } from "../store/unreadable-rows.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { refuseAnswer } from "./claim.js";
import { enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { SessionLinks } from "../ledger/session-links.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { AskAgainRequest } from "../ledger/domain-event.js";
import { mayApprove } from "../ledger/policy/prompt-people.js";

/** Handles a tap on the button, inside the inbox's transaction. Only approvers may use it. */
export function requestAskAgain(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  { identity, place }: Extract<Inbound, { kind: "tap" }>,
): InboundResponse {
  const checked = checkRequest(ledger, tx, prompt, identity);
  if (!checked.ok) return { text: checked.why.text, alert: true };
  const { promptId } = checked.prompt;
  tx.emit({ kind: "ask_again", request: { promptId, channel: getChannel(identity), place } });
  return { text: "🔁 Checking whether it is still asked.", alert: false };
}

/** Asks again for the local user. `supervised`: the caller is a supervised tool. Never rejects. */
export async function askAgainLocally(
  parts: SessionLinks,
  promptId: string,
  supervised: boolean,
): Promise<{ readonly text: string; readonly again: boolean }> {
  const { ledger } = parts;
  const find = (): PromptRow | null => ledger.store.prompts.find(promptId);
  const checked = ledger.commit((tx) =>
    supervised
      ? refuse(tx, find(), LOCAL_IDENTITY, createRefusal("supervised"))
      : checkRequest(ledger, tx, find(), LOCAL_IDENTITY),
  );
  const text = checked.ok ? await checkScreen(parts, checked.prompt) : checked.why.text;
  const prompt = find();
  return {
    text: text ?? prompt?.outcome ?? "",
    again: prompt !== null && canOfferAskAgain(ledger.store, prompt),
  };
}

type AskAgainCheck =
  { readonly ok: true; readonly prompt: PromptRow } | { readonly ok: false; readonly why: Refusal };

function checkRequest(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  identity: Identity,
): AskAgainCheck {
  const problem = findProblem(ledger, prompt, identity);
  if (problem || !prompt) return refuse(tx, prompt, identity, problem ?? createRefusal("unknown_prompt"));
  const { promptId, sessionId } = prompt;
  tx.record({ step: "recheck_requested", sessionId, promptId, identity });
  return { ok: true, prompt };
}

function refuse(tx: Transaction, prompt: PromptRow | null, identity: Identity, why: Refusal): AskAgainCheck {
  return { ok: false, why: refuseAnswer(tx, prompt, identity, why).rejection };
}

function findProblem(ledger: Ledger, prompt: PromptRow | null, identity: Identity): Refusal | null {
  if (!mayApprove(ledger, prompt, identity)) return createRefusal("not_allowed");
  if (!prompt || !canBeAskedAgain(prompt)) return createRefusal("unknown_prompt");
  return ledger.store.sessions.find(prompt.sessionId)?.closedAt === null
    ? null
    : createRefusal("session_gone");
}

/** Never rejects. If the hub is killed meanwhile, the request is lost; the button is still there. */
export async function runAskAgain(parts: SessionLinks, request: AskAgainRequest): Promise<void> {
  const { ledger } = parts;
  const prompt = ledger.store.prompts.find(request.promptId);
  const problem = prompt && (await checkScreen(parts, prompt));
  if (!prompt || problem === null || !ledger.store.isOpen) return;
  ledger.commit((tx) => enqueueAtPlace(ledger, tx, { ...request, sessionId: prompt.sessionId }, problem));
}

/** Returns the problem for people, or null if the check was done and every card shows its result. Never rejects. */
async function checkScreen({ ledger, findLink }: SessionLinks, prompt: PromptRow): Promise<string | null> {
  const { promptId, sessionId, event, shortId } = prompt;
  const link = findLink(sessionId);
  const session = ledger.store.sessions.find(sessionId);
  const name = isUnreadable(event) ? "That prompt" : shortId;
  const problem = (why: string): string =>
    `⚠️ ${name} could not be checked: ${why}. ${describeCheck(session).replace(/\.$/, "")}, or try again later.`;
  if (!link) return problem("its session is not connected");
  // The worker finds it by its id, if it still has it.
  const fingerprint = isUnreadable(event) ? UNKNOWN_FINGERPRINT : event.fingerprint;
  try {
    const { stands: status } = await link.call("prompt.again", { promptId, fingerprint });
    if (status === "unread") return problem("its screen cannot be read at this moment");
    if (ledger.store.isOpen) ledger.commit((tx) => settleAskAgain(ledger, tx, prompt, status));
    return null;
  } catch (error) {
    ledger.options.log("warn", "a prompt could not be checked again", { error: String(error) });
    return problem("its session gave no answer that can be used");
  }
}

const UNKNOWN_FINGERPRINT = asId<Fingerprint>("-");

const FOUND: Readonly<Record<Exclude<ReaskResult, "unread">, string>> = {
  anew: "asked again",
  already: "already asked again: see the newer card",
  gone: "the prompt is gone",
};

export function settleAskAgain(
  ledger: Ledger,
  tx: Transaction,
  { promptId, sessionId }: PromptRow,
  status: keyof typeof FOUND,
): void {
  const { deliveries, outbox, prompts } = ledger.store;
  const prompt = prompts.find(promptId);
  if (!prompt || !deliveries.dropButton(promptId, ASK_AGAIN.value)) return;
  tx.record({ step: "recheck_done", sessionId, promptId, details: { stands: status } });
  const outcome = `${prompt.outcome ?? ""} · ${FOUND[status]}`;
  prompts.move(prompt, { outcome });
  const response = describeCurrentOutcome({ ...prompt, outcome });
  for (const { deliveryId, state } of deliveries.listCards(promptId)) {
    if (state === "abandoned" || response === null) continue;
    outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, response);
    tx.emit({ kind: "outbox" });
  }
}
