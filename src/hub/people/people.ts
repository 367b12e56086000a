/** A role belongs to the person and is looked up for each decision; it never depends on the chat. */
import type { Config } from "../../config/schema.js";
import { asId, LOCAL_IDENTITY, POLICY_IDENTITY, TIMEOUT_IDENTITY, type Identity } from "../../model/ids.js";

export type People = Config["people"];

export interface Membership {
  readonly name: string;
  readonly role: "approver" | "viewer";
}

const OWN_NAMES: Readonly<Record<string, string>> = {
  [LOCAL_IDENTITY]: "the local user",
  [TIMEOUT_IDENTITY]: "the timeout",
  [POLICY_IDENTITY]: "the policy",
};

/** Name and role of an identity, or null for a stranger. The local user is an approver unless configured otherwise. */
export function findMembership(people: People, identity: Identity): Membership | null {
  const person = people.find(({ identities }) => identities.includes(identity));
  if (person) return { name: person.name, role: person.role };
  return identity === LOCAL_IDENTITY ? { name: getDisplayName(identity), role: "approver" } : null;
}

export function getDisplayName(identity: Identity): string {
  return OWN_NAMES[identity] ?? identity;
}

export function listApprovers(people: People, channel: string): Identity[] {
  return people
    .filter(({ role }) => role === "approver")
    .flatMap(({ identities }) => identities.map((identity) => asId<Identity>(identity)))
    .filter((identity) => getChannel(identity) === channel);
}

/** Accounts that may answer now and might not before, with the person's name. */
export function listNewApprovers(before: People, now: People): { name: string; identity: Identity }[] {
  return now
    .filter(({ role }) => role === "approver")
    .flatMap(({ name, identities }) => identities.map((each) => ({ name, identity: asId<Identity>(each) })))
    .filter(({ identity }) => findMembership(before, identity)?.role !== "approver");
}

export function getChannel(identity: Identity): string {
  return identity.slice(0, identity.indexOf(":"));
}

/** Whether anyone can answer there. A channel without approvers is used for pairing only. */
export function hasApprover(people: People, channel: string): boolean {
  const ofChannel = people.flatMap(({ role, identities }) =>
    identities.filter((identity) => identity.startsWith(`${channel}:`)).map(() => role),
  );
  if (ofChannel.includes("approver")) return true;
  return LOCAL_IDENTITY.startsWith(`${channel}:`) && ofChannel.length === 0;
}
