/** The steps of `escalate`: people are reminded, and those that a step names may answer, too. A prompt's reminders are its step. */
import { asId, LOCAL_IDENTITY, type Identity } from "../../../model/ids.js";
import { getChannel } from "../../people/people.js";
import { readStoredVerdict, readTerms } from "../../policy/verdict.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { openCards } from "../../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../../ledger/ledger.js";
import { listPeopleOf } from "../../ledger/policy/prompt-people.js";

/** The time of the prompt, on the hub's present clock. */
function findRaisedAt(
  ledger: Ledger,
  { createdAt, verdict }: Pick<PromptRow, "createdAt" | "verdict">,
): number {
  const { movedByMs = ledger.movedByMs } = readStoredVerdict(verdict);
  return createdAt + ledger.movedByMs - movedByMs;
}

/** When people are reminded next after `now`, and how many reminders are behind then; null: never again. */
export function planReminders(
  ledger: Ledger,
  prompt: Pick<PromptRow, "createdAt" | "verdict" | "reminders">,
  now: number,
): { readonly remindAt: number | null; readonly reminders: number } {
  const { escalate } = readTerms(prompt.verdict);
  const raisedAt = findRaisedAt(ledger, prompt);
  const plan = escalate?.map(({ afterMs }) => afterMs) ?? ledger.options.settings().prompts.remind_after;
  const instants = plan.map((ms) => raisedAt + ms).sort((a, b) => a - b);
  const remindAt = instants.find((at) => at > now) ?? null;
  // If several are due at once, one reminder is sent; every step counts.
  const behind = instants.filter((at) => at <= now).length;
  return { remindAt, reminders: escalate === undefined ? prompt.reminders + 1 : behind };
}

/** The first reminder of a prompt that is asked, or asked again. */
export function findFirstReminder(
  ledger: Ledger,
  prompt: Pick<PromptRow, "createdAt" | "verdict" | "reminders">,
  now: number,
): number | null {
  if (readTerms(prompt.verdict).escalate !== undefined) return planReminders(ledger, prompt, now).remindAt;
  const [first] = ledger.options.settings().prompts.remind_after;
  return first === undefined ? null : now + first;
}

/** Null: nobody may answer since the last step. It names those who have no chat here and get no message. */
export function describeEscalation(ledger: Ledger, prompt: PromptRow): string | null {
  const step = readTerms(prompt.verdict).escalate?.[prompt.reminders - 1];
  if (step === undefined) return null;
  const named = listPeopleOf(ledger, prompt).filter(
    ({ name, role }) => step.people.includes(name) && role === "approver",
  );
  if (named.length === 0) return null;
  const reached = named.filter(({ identities }) => hasChat(ledger, prompt, identities));
  const names = reached.map(({ name }) => name).join(", ");
  const others = named.filter((person) => !reached.includes(person)).map(({ name }) => name);
  if (others.length === 0) return names === step.to ? step.to : `${step.to} (${names})`;
  const unreached = `${others.join(", ")} ${others.length === 1 ? "has" : "have"} no chat here`;
  return names === "" ? `nobody (${unreached})` : `${step.to} (${names}; ${unreached})`;
}

/**
 * Whether one of the identities has a chat of its own, or may read the card in a group. The person at this machine needs none.
 */
function hasChat(ledger: Ledger, { promptId }: PromptRow, identities: readonly string[]): boolean {
  const cards = ledger.store.deliveries.listCards(promptId);
  return identities.some(
    (identity) =>
      identity === LOCAL_IDENTITY ||
      ledger.options.configuredChannels().some(({ id, places, personAt }) =>
        places.some((place) => {
          const reader = personAt?.(place) ?? null;
          if (reader !== null) return reader === identity;
          const isCard = cards.some((card) => card.channel === id && card.place === place);
          return isCard && getChannel(asId<Identity>(identity)) === id;
        }),
      ),
  );
}

/** Opens the card in the chats of people who may answer since a step, or sends it there. */
export function openEscalatedCards(
  ledger: Ledger,
  tx: Transaction,
  before: PromptRow,
  prompt: PromptRow,
): void {
  const steps = readTerms(prompt.verdict).escalate?.slice(before.reminders, prompt.reminders) ?? [];
  const names = new Set(steps.flatMap(({ people }) => people));
  const identities = listPeopleOf(ledger, prompt)
    .filter(({ name, role }) => names.has(name) && role === "approver")
    .flatMap((person) => person.identities);
  const routes = ledger.options
    .configuredChannels()
    .flatMap((configuredChannel) =>
      configuredChannel.places
        .filter((place) => identities.includes(configuredChannel.personAt?.(place) ?? ""))
        .map((place) => ({ configuredChannel, place })),
    );
  if (prompt.answerable) openCards(ledger, tx, prompt, routes);
}
