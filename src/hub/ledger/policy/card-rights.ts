/** Keeps the buttons of cards equal to what their readers may do: after a delegation, after changed people, and at a start. */
import type { Identity } from "../../../model/ids.js";
import type { DeliveryRoute } from "../../people/routing.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { closeCards, openCards } from "../enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger.js";
import { listPeopleOf } from "./prompt-people.js";

/** Does `change`, and edits the cards of people who may answer only before or only after it. */
export function updateCards(
  ledger: Ledger,
  tx: Transaction,
  names: readonly string[],
  change: () => void,
): void {
  const cards = listAsked(ledger).flatMap((prompt) =>
    names.map((name) => ({ prompt, name, couldAnswer: mayAnswer(ledger, prompt, name) })),
  );
  change();
  for (const { prompt, name, couldAnswer } of cards) {
    const mayNow = mayAnswer(ledger, prompt, name);
    if (mayNow && !couldAnswer) openCards(ledger, tx, prompt, listRoutes(ledger, prompt, name), true);
    if (!mayNow && couldAnswer) closeFor(ledger, tx, prompt, name);
  }
}

/** Cards of people who may not answer any more after `reload` lose their buttons, and cards of people who now may get them. */
export function updateCardsOnReload(ledger: Ledger, reload: () => void): void {
  const asked = listAsked(ledger);
  const before = asked.flatMap((prompt) =>
    ledger.options
      .settings()
      .people.filter(({ name }) => mayAnswer(ledger, prompt, name))
      .map(({ name }) => ({ prompt, name, routes: listRoutes(ledger, prompt, name) })),
  );
  reload();
  const lost = before.filter(({ prompt, name }) => !mayAnswer(ledger, prompt, name));
  const gained = asked.flatMap((prompt) =>
    ledger.options
      .settings()
      .people.filter(({ name }) => !before.some((each) => each.prompt === prompt && each.name === name))
      .filter(({ name }) => mayAnswer(ledger, prompt, name))
      .map(({ name }) => ({ prompt, routes: listRoutes(ledger, prompt, name) })),
  );
  if (lost.length + gained.length === 0) return;
  ledger.commit((tx) => {
    for (const { prompt, routes } of lost) closeCards(ledger, tx, prompt, routes);
    for (const { prompt, routes } of gained) openCards(ledger, tx, prompt, routes, true);
  });
}

/** At a start: takes the buttons from cards of people who lost their right to answer while no hub ran. */
export function closeCardsOfFormer(ledger: Ledger): void {
  const { store, options } = ledger;
  const former = listAsked(ledger).flatMap((prompt) => {
    const people = listPeopleOf(ledger, prompt);
    const mayAnswerAt = (identity: Identity): boolean =>
      people.some(({ role, identities }) => role === "approver" && identities.includes(identity));
    return store.deliveries
      .listCards(prompt.promptId)
      .filter((card) => store.deliveries.listTokens(card).length > 0)
      .flatMap(({ channel, place }) => {
        const configuredChannel = options.configuredChannels().find(({ id }) => id === channel);
        const identity = configuredChannel?.personAt?.(place) ?? null;
        if (configuredChannel === undefined || identity === null || mayAnswerAt(identity)) return [];
        return [{ prompt, route: { configuredChannel, place } }];
      });
  });
  if (former.length === 0) return;
  ledger.commit((tx) => {
    for (const { prompt, route } of former) closeCards(ledger, tx, prompt, [route]);
  });
}

export function closeFor(ledger: Ledger, tx: Transaction, prompt: PromptRow, name: string): void {
  closeCards(ledger, tx, prompt, listRoutes(ledger, prompt, name));
}

export function listAsked({ store }: Ledger): PromptRow[] {
  return store.prompts.listOpen().filter(({ state, answerable }) => state === "pending" && answerable);
}

export function mayAnswer(ledger: Ledger, prompt: PromptRow, name: string): boolean {
  return listPeopleOf(ledger, prompt).some((each) => each.name === name && each.role === "approver");
}

/** Where that person alone reads a card of the prompt. */
function listRoutes({ store, options }: Ledger, prompt: PromptRow, name: string): DeliveryRoute[] {
  const { identities = [] } = options.settings().people.find((each) => each.name === name) ?? {};
  const cards = store.deliveries.listCards(prompt.promptId);
  return options.configuredChannels().flatMap((configuredChannel) =>
    cards
      .filter(({ channel }) => channel === configuredChannel.id)
      .filter(({ place }) => identities.includes(configuredChannel.personAt?.(place) ?? ""))
      .map(({ place }) => ({ configuredChannel, place })),
  );
}
