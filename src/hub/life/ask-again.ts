/** A tap on "Ask again": its worker looks at the live screen, and what still stands comes as a new card (design §5). */
import { AtlasBridgeError } from "../../model/errors.js";
import type { PromptId } from "../../model/ids.js";
import { rejection, type Rejection } from "../../model/rejection.js";
import type { Standing } from "../../sdk/adapter.js";
import type { Inbound, InboundAnswer } from "../../sdk/channel.js";
import { ASK_AGAIN, mayStand } from "../delivery/ask-again.js";
import { outcomeOf } from "../delivery/cards.js";
import { channelOf, standingOf } from "../delivery/people.js";
import { peopleFor } from "../delivery/routing.js";
import { PRIORITY } from "../store/outbox.js";
import type { PromptRow } from "../store/prompts.js";
import { turnAway } from "./claim.js";
import { tellPlace } from "./deal-cards.js";
import type { ErrandParts } from "./errands.js";
import type { Ledger, Transaction } from "./ledger.js";

export interface AgainWish {
  readonly promptId: PromptId;
  /** Where it was wished, and is told. */
  readonly channel: string;
  readonly place: string;
}

/** Inside the inbox's transaction. Only those who may answer may have it asked. */
export function wishAgain(
  ledger: Ledger,
  tx: Transaction,
  prompt: PromptRow | null,
  { identity, place }: Extract<Inbound, { kind: "tap" }>,
): InboundAnswer {
  const problem = problemWith(ledger, prompt, identity);
  if (problem || !prompt) {
    const why = problem ?? rejection("unknown_prompt");
    return { text: turnAway(tx, prompt, identity, why).rejection.text, alert: true };
  }
  const { promptId, sessionId } = prompt;
  tx.record({ step: "again_asked", sessionId, promptId, identity });
  tx.tell({ kind: "again", wish: { promptId, channel: channelOf(identity), place } });
  return { text: "🔁 Looking at the screen.", alert: false };
}

function problemWith(
  ledger: Ledger,
  prompt: PromptRow | null,
  identity: Parameters<typeof standingOf>[1],
): Rejection | null {
  const session = prompt === null ? null : ledger.store.sessions.find(prompt.sessionId);
  const standing = standingOf(peopleFor(ledger.options.settings(), session), identity);
  if (standing?.role !== "approver") return rejection("not_allowed");
  if (!prompt || !mayStand(prompt)) return rejection("unknown_prompt");
  return session?.closedAt === null ? null : rejection("session_gone");
}

/** Never rejects. A hub that is killed in between forgets the wish: the button is still there. */
export async function lookAgain({ ledger, linkOf }: ErrandParts, wish: AgainWish): Promise<void> {
  const prompt = ledger.store.prompts.find(wish.promptId);
  if (!prompt) return;
  const { promptId, sessionId, event } = prompt;
  const link = linkOf(sessionId);
  try {
    if (!link) throw new AtlasBridgeError("ATB_WIRE_LOST", "no worker");
    const { stands } = await link.call("prompt.again", { promptId, fingerprint: event.fingerprint });
    if (ledger.store.isOpen) ledger.commit((tx) => settleAgain(ledger, tx, prompt, stands));
  } catch (error) {
    ledger.options.log("warn", "a question could not be looked for again", { error: String(error) });
    const text = `⚠️ ${prompt.shortId} could not be looked for: its session does not answer. Tap again in a while.`;
    if (ledger.store.isOpen) ledger.commit((tx) => tellPlace(ledger, tx, { ...wish, sessionId }, text));
  }
}

const FOUND: Readonly<Record<Standing, string>> = {
  anew: "asked again",
  already: "it was asked again already: see the newer card",
  gone: "the question is gone",
};

/** Said once, on every card; the button has done its work. */
function settleAgain(ledger: Ledger, tx: Transaction, before: PromptRow, stands: Standing): void {
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
