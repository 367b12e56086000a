/** "Ask again": the prompt's worker checks the live screen, and a prompt that is still there comes as a new card. */
import { AtlasBridgeError } from "../../model/errors.js";
import { LOCAL_IDENTITY, type Identity } from "../../model/ids.js";
import { createRejection, type Rejection } from "../../model/answer/rejection.js";
import type { ReaskResult } from "../../sdk/adapter.js";
import type { Inbound, InboundAnswer } from "../../sdk/channel.js";
import { ASK_AGAIN, canOfferAskAgain, canBeAskedAgain } from "../delivery/notices/ask-again.js";
import { describeCurrentOutcome } from "../delivery/cards.js";
import { getChannel, findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { rejectAnswer } from "./claim.js";
import { enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { SessionLinks } from "../ledger/session-links.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { AskAgainRequest } from "../ledger/domain-event.js";

/** Handles a tap on the button, inside the inbox's transaction. Only approvers may use it. */
export function requestAskAgain(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  { identity, place }: Extract<Inbound, { kind: "tap" }>,
): InboundAnswer {
  const wished = admit(ledger, tx, prompt, identity);
  if (!wished.ok) return { text: wished.why.text, alert: true };
  const { promptId } = wished.prompt;
  tx.emit({ kind: "ask_again", request: { promptId, channel: getChannel(identity), place } });
  return { text: "🔁 Checking the screen.", alert: false };
}

/** Asks again for the local user. `supervised`: the caller is a supervised tool. Never rejects. */
export async function askAgainLocally(
  parts: SessionLinks,
  promptId: string,
  supervised: boolean,
): Promise<{ readonly text: string; readonly again: boolean }> {
  const { ledger } = parts;
  const find = (): PromptRow | null => ledger.store.prompts.find(promptId);
  const wished = ledger.commit((tx) =>
    supervised
      ? refuse(tx, find(), LOCAL_IDENTITY, createRejection("supervised"))
      : admit(ledger, tx, find(), LOCAL_IDENTITY),
  );
  const text = wished.ok ? await checkScreen(parts, wished.prompt) : wished.why.text;
  const prompt = find();
  return {
    text: text ?? prompt?.outcome ?? "",
    again: prompt !== null && canOfferAskAgain(ledger.store, prompt),
  };
}

type AskAgainCheck =
  { readonly ok: true; readonly prompt: PromptRow } | { readonly ok: false; readonly why: Rejection };

function admit(ledger: Ledger, tx: Transaction, prompt: PromptRow | null, identity: Identity): AskAgainCheck {
  const problem = findProblem(ledger, prompt, identity);
  if (problem || !prompt) return refuse(tx, prompt, identity, problem ?? createRejection("unknown_prompt"));
  const { promptId, sessionId } = prompt;
  tx.record({ step: "again_asked", sessionId, promptId, identity });
  return { ok: true, prompt };
}

function refuse(
  tx: Transaction,
  prompt: PromptRow | null,
  identity: Identity,
  why: Rejection,
): AskAgainCheck {
  return { ok: false, why: rejectAnswer(tx, prompt, identity, why).rejection };
}

function findProblem(ledger: Ledger, prompt: PromptRow | null, identity: Identity): Rejection | null {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  const standing = findMembership(getPeopleFor(ledger.options.settings(), session), identity);
  if (standing?.role !== "approver") return createRejection("not_allowed");
  if (!prompt || !canBeAskedAgain(prompt)) return createRejection("unknown_prompt");
  return session?.closedAt === null ? null : createRejection("session_gone");
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
async function checkScreen({ ledger, linkOf }: SessionLinks, prompt: PromptRow): Promise<string | null> {
  const { promptId, sessionId, event, shortId } = prompt;
  const link = linkOf(sessionId);
  try {
    if (!link) throw new AtlasBridgeError("ATB_WIRE_LOST", "no worker");
    const { stands } = await link.call("prompt.again", { promptId, fingerprint: event.fingerprint });
    if (ledger.store.isOpen) ledger.commit((tx) => settleAskAgain(ledger, tx, prompt, stands));
    return null;
  } catch (error) {
    ledger.options.log("warn", "a prompt could not be checked again", { error: String(error) });
    return `⚠️ ${shortId} could not be checked: its session does not respond. Try again later.`;
  }
}

const FOUND: Readonly<Record<ReaskResult, string>> = {
  anew: "asked again",
  already: "already asked again: see the newer card",
  gone: "the prompt is gone",
};

/** Adds the result to every card and removes the button. */
export function settleAskAgain(
  ledger: Ledger,
  tx: Transaction,
  before: PromptRow,
  stands: ReaskResult,
): void {
  const { deliveries, outbox, prompts } = ledger.store;
  const { promptId, sessionId } = before;
  const prompt = prompts.find(promptId);
  if (!prompt || !deliveries.dropButton(promptId, ASK_AGAIN.value)) return;
  tx.record({ step: "again_looked", sessionId, promptId, details: { stands } });
  const outcome = `${prompt.outcome ?? ""} · ${FOUND[stands]}`;
  prompts.move(prompt, { outcome });
  const told = describeCurrentOutcome({ ...prompt, outcome });
  for (const { deliveryId, state } of deliveries.listCards(promptId)) {
    if (state === "abandoned" || told === null) continue;
    outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, told);
    tx.emit({ kind: "outbox" });
  }
}
