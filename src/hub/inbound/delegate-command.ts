/** `delegate Cat 2h`: for that time Cat may answer what the writer may. `delegations` lists them, `undelegate` ends one's own. */
import type { Identity } from "../../model/ids.js";
import { parseDuration } from "../../config/schema.js";
import type { InboundResponse } from "../../sdk/channel.js";
import { formatDuration } from "../delivery/notices/span.js";
import { findMembership } from "../people/people.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { endDelegation, findDelegationHold, makeDelegation } from "../ledger/policy/delegations.js";
import { readDelegations } from "../store/delegations.js";

const DELEGATE = /^\/?delegate(?:@\w{1,64})? +(?:to +)?@?(\S(?:.{0,78}?\S)?) +(?:for +)?(\d{1,6}[mhd])$/i;
const LIST = /^\/?delegations(?:@\w{1,64})?$/i;
const END = /^\/?undelegate(?:@\w{1,64})?$/i;

export function runDelegateCommand(
  ledger: Ledger,
  tx: Transaction,
  text: string,
  identity: Identity,
): InboundResponse | null {
  const words = text.trim();
  if (LIST.test(words)) return say(describeAll(ledger, tx.now));
  const [, to, time] = DELEGATE.exec(words) ?? [];
  const isEnd = END.test(words);
  if (!isEnd && (to === undefined || time === undefined)) return null;
  const { people } = ledger.options.settings();
  const own = findMembership(people, identity);
  // An approver by delegation is none here: a delegation cannot be passed on.
  if (own?.role !== "approver") {
    tx.record({ step: "answer_rejected", identity, details: { code: "not_allowed" } });
    return warn("You may not do that.");
  }
  if (isEnd)
    return endDelegation(ledger, tx, own.name, identity)
      ? say("Ended: nobody answers in your place any more.")
      : warn("Nobody answers in your place.");
  const other = people.find(({ name }) => name.toLowerCase() === to?.toLowerCase());
  const forMs = parseDuration(time?.toLowerCase() ?? "");
  if (other === undefined || other.name === own.name)
    return warn(`Name somebody else of: ${people.map(({ name }) => name).join(", ")}`);
  if (forMs === null || forMs === 0) return warn("Write for how long: delegate Cat 2h. At most 7 days.");
  makeDelegation(ledger, tx, { from: own.name, to: other.name, forMs, identity });
  return say(
    `${other.name} may answer what you may, except where a rule asks for two people, for ${formatDuration(forMs)}. To end it, write: undelegate`,
  );
}

function describeAll(ledger: Ledger, now: number): string {
  const all = readDelegations(ledger.store, now, ledger.movedByMs);
  if (all.length === 0) return "Nobody answers in another's place.";
  return all
    .map(({ from, to, endsAt }) => {
      const hold = findDelegationHold(ledger, { from, to });
      return `${to} answers for ${from}: ${formatDuration(endsAt - now)} left${hold === null ? "" : ` · ⚠ ${hold}`}`;
    })
    .join("\n");
}

function say(text: string): InboundResponse {
  return { text, alert: false };
}

function warn(text: string): InboundResponse {
  return { text, alert: true };
}
