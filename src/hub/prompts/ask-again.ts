/** "Ask again": the question's worker looks at the live screen, and what still stands comes as a new card. */
import { AtlasBridgeError } from "../../model/errors.js";
import { LOCAL_IDENTITY, type Identity } from "../../model/ids.js";
import { rejection, type Rejection } from "../../model/answer/rejection.js";
import type { ReaskResult } from "../../sdk/adapter.js";
import type { Inbound, InboundAnswer } from "../../sdk/channel.js";
import { ASK_AGAIN, isAgainOffered, canBeAskedAgain } from "../delivery/notices/ask-again.js";
import { outcomeOf } from "../delivery/cards.js";
import { channelOf, membershipOf } from "../people/people.js";
import { peopleFor } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { rejectAnswer } from "./claim.js";
import { tellPlace } from "../ledger/enqueue-notices.js";
import type { SessionLinks } from "../ledger/session-links.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import type { AskAgainRequest } from "../ledger/domain-event.js";

/** A tap on the button, inside the inbox's transaction. Only those who may answer may have it asked. */
export function requestAskAgain(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  { identity, place }: Extract<Inbound, { kind: "tap" }>,
): InboundAnswer {
  const wished = admit(ledger, tx, prompt, identity);
  if (!wished.ok) return { text: wished.why.text, alert: true };
  const { promptId } = wished.prompt;
  tx.tell({ kind: "again", wish: { promptId, channel: channelOf(identity), place } });
  return { text: "🔁 Looking at the screen.", alert: false };
}

/** The local user wishes it. `supervised`: it is one of the tools themselves that does. Never rejects. */
export async function askAgainHere(
  parts: SessionLinks,
  promptId: string,
  supervised: boolean,
): Promise<{ readonly text: string; readonly again: boolean }> {
  const { ledger } = parts;
  const find = (): PromptRow | null => ledger.store.prompts.find(promptId);
  const wished = ledger.commit((tx) =>
    supervised
      ? refuse(tx, find(), LOCAL_IDENTITY, rejection("supervised"))
      : admit(ledger, tx, find(), LOCAL_IDENTITY),
  );
  const text = wished.ok ? await look(parts, wished.prompt) : wished.why.text;
  const prompt = find();
  return {
    text: text ?? prompt?.outcome ?? "",
    again: prompt !== null && isAgainOffered(ledger.store, prompt),
  };
}

type Wished =
  { readonly ok: true; readonly prompt: PromptRow } | { readonly ok: false; readonly why: Rejection };

function admit(ledger: Ledger, tx: Transaction, prompt: PromptRow | null, identity: Identity): Wished {
  const problem = problemWith(ledger, prompt, identity);
  if (problem || !prompt) return refuse(tx, prompt, identity, problem ?? rejection("unknown_prompt"));
  const { promptId, sessionId } = prompt;
  tx.record({ step: "again_asked", sessionId, promptId, identity });
  return { ok: true, prompt };
}

function refuse(tx: Transaction, prompt: PromptRow | null, identity: Identity, why: Rejection): Wished {
  return { ok: false, why: rejectAnswer(tx, prompt, identity, why).rejection };
}

function problemWith(ledger: Ledger, prompt: PromptRow | null, identity: Identity): Rejection | null {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  const standing = membershipOf(peopleFor(ledger.options.settings(), session), identity);
  if (standing?.role !== "approver") return rejection("not_allowed");
  if (!prompt || !canBeAskedAgain(prompt)) return rejection("unknown_prompt");
  return session?.closedAt === null ? null : rejection("session_gone");
}

/** Never rejects. A hub that is killed in between forgets the wish: the button is still there. */
export async function lookAgain(parts: SessionLinks, wish: AskAgainRequest): Promise<void> {
  const { ledger } = parts;
  const prompt = ledger.store.prompts.find(wish.promptId);
  const problem = prompt && (await look(parts, prompt));
  if (!prompt || problem === null || !ledger.store.isOpen) return;
  ledger.commit((tx) => tellPlace(ledger, tx, { ...wish, sessionId: prompt.sessionId }, problem));
}

/** What stood in the way, for people; null when it was looked for, and every card says what was found. Never rejects. */
async function look({ ledger, linkOf }: SessionLinks, prompt: PromptRow): Promise<string | null> {
  const { promptId, sessionId, event, shortId } = prompt;
  const link = linkOf(sessionId);
  try {
    if (!link) throw new AtlasBridgeError("ATB_WIRE_LOST", "no worker");
    const { stands } = await link.call("prompt.again", { promptId, fingerprint: event.fingerprint });
    if (ledger.store.isOpen) ledger.commit((tx) => settleAgain(ledger, tx, prompt, stands));
    return null;
  } catch (error) {
    ledger.options.log("warn", "a question could not be looked for again", { error: String(error) });
    return `⚠️ ${shortId} could not be looked for: its session does not answer. Try again in a while.`;
  }
}

const FOUND: Readonly<Record<ReaskResult, string>> = {
  anew: "asked again",
  already: "it was asked again already: see the newer card",
  gone: "the question is gone",
};

/** Said once, on every card; the button has done its work. */
export function settleAgain(ledger: Ledger, tx: Transaction, before: PromptRow, stands: ReaskResult): void {
  const { deliveries, outbox, prompts } = ledger.store;
  const { promptId, sessionId } = before;
  const prompt = prompts.find(promptId);
  if (!prompt || !deliveries.dropButton(promptId, ASK_AGAIN.value)) return;
  tx.record({ step: "again_looked", sessionId, promptId, details: { stands } });
  const outcome = `${prompt.outcome ?? ""} · ${FOUND[stands]}`;
  prompts.move(prompt, { outcome });
  const told = outcomeOf({ ...prompt, outcome });
  for (const { deliveryId, state } of deliveries.cardsOf(promptId)) {
    if (state === "abandoned" || told === null) continue;
    outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, told);
    tx.tell({ kind: "outbox" });
  }
}
