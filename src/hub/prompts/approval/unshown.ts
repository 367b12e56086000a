/** Counts what an answering person has not on their card. */
import { asksApproval } from "../../../model/hidden.js";
import { LOCAL_IDENTITY, type Identity } from "../../../model/ids.js";
import { buildPromptNotice, countOmitted } from "../../delivery/notices/build-notice.js";
import type { Ledger } from "../../ledger/ledger.js";
import { getChannel } from "../../people/people.js";
import type { PromptRow } from "../../store/tables/prompts.js";
import { createNoticeParts } from "../notice-parts.js";

/** How many characters of an approval the cards where `identity` answers leave out. Commands on this machine print everything. */
export function countUnshown(ledger: Ledger, { promptId, event }: PromptRow, identity: Identity): number {
  if (identity === LOCAL_IDENTITY || !asksApproval(event)) return 0;
  const parts = createNoticeParts(ledger, () => false);
  const cards = ledger.store.deliveries.listCards(promptId);
  const own = cards.filter(({ channel }) => channel === getChannel(identity));
  const counts = (own.length > 0 ? own : cards).map((card) =>
    countOmitted(parts, buildPromptNotice(parts, card), card.channel),
  );
  return Math.max(0, ...counts);
}
