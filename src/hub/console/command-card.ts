/** The card of an agent's permission to type says whether it was typed: no client reads that answer. */
import type { PromptId, SessionId } from "../../model/ids.js";
import type { ConsoleResult } from "../../wire/calls/console-calls.js";
import { assertInvariant } from "../../model/errors.js";
import { describeCurrentOutcome } from "../delivery/cards.js";
import { describeAnswer } from "../delivery/notices/outcome-text.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { PromptRow } from "../store/tables/prompts.js";

/** The permission was used. Call in the transaction that records the text to type. */
export function showGiven(ledger: Ledger, tx: Transaction, sessionId: SessionId, promptId: PromptId): void {
  show(ledger, tx, sessionId, promptId, (name) => [
    "❔",
    `given to ${name}; it is not known whether it was typed`,
  ]);
}

/** What the worker said of the command; null: its end was not seen. */
export function showEnd(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  { promptId, isTyped = false }: { readonly promptId?: PromptId; readonly isTyped?: boolean },
  result: Pick<ConsoleResult, "state" | "exitCode" | "note"> | null,
): void {
  if (promptId === undefined) return;
  show(ledger, tx, sessionId, promptId, (name) => {
    if (result === null)
      return isTyped
        ? ["❔", `typed into ${name}; its end was not seen`]
        : ["❔", `given to ${name}; it is not known whether it was typed`];
    if (result.state === "refused") return ["⚠️", `nothing was typed into ${name} (${result.note})`];
    const isDoubtful = result.state !== "running" && result.note !== "";
    return [isDoubtful ? "⚠️" : "✅", `typed into ${name}${describeEnd(result)}`];
  });
}

/** What the worker said of a line; `problem`: why it was not typed. */
export function showLine(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  promptId: PromptId,
  problem: string | null,
): void {
  show(ledger, tx, sessionId, promptId, (name) =>
    problem === null ? ["✅", `typed into ${name}`] : ["⚠️", `nothing was typed into ${name} (${problem})`],
  );
}

function describeEnd({ state, exitCode, note }: Pick<ConsoleResult, "state" | "exitCode" | "note">): string {
  if (state === "running") return "; it goes on";
  const end = state === "ended" ? "; the program has ended" : exitCode === null ? "; it has ended" : "";
  return `${end}${exitCode === null ? "" : `; exit code ${exitCode}`}${note === "" ? "" : ` (${note})`}`;
}

function show(
  ledger: Ledger,
  tx: Transaction,
  sessionId: SessionId,
  promptId: PromptId,
  describe: (name: string) => readonly [sign: string, what: string],
): void {
  const { store, options } = ledger;
  const prompt = store.prompts.find(promptId);
  const reply = prompt?.replyId == null ? null : store.replies.find(prompt.replyId);
  if (!prompt || !reply) return;
  const session = store.sessions.find(sessionId);
  const [sign, what] = describe(session?.label ?? session?.tool ?? "the session");
  const label = describeAnswer(prompt.event, reply.value, options.safeText);
  rewordOutcome(ledger, tx, prompt, `${sign} ${label}, by ${reply.person}: ${options.safeText(what)}`);
}

function rewordOutcome(
  { store }: Pick<Ledger, "store">,
  tx: Transaction,
  prompt: PromptRow,
  text: string,
): void {
  const outcome = describeCurrentOutcome({ ...prompt, outcome: text });
  if (outcome?.final !== true || prompt.outcome === text) return;
  assertInvariant(store.prompts.move(prompt, { outcome: text }), `prompt ${prompt.promptId} moved meanwhile`);
  for (const { deliveryId, state } of store.deliveries.listCards(prompt.promptId)) {
    if (state === "abandoned") continue;
    store.outbox.addSettle(deliveryId, PRIORITY.edit, tx.now, outcome);
    tx.emit({ kind: "outbox" });
  }
  tx.emit({ kind: "prompt", promptId: prompt.promptId });
}
