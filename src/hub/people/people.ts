/** Who somebody is and what they may do: a property of the person, looked up when it counts, never of the chat. */
import type { Config } from "../../config/schema.js";
import { asId, LOCAL_IDENTITY, POLICY_IDENTITY, TIMEOUT_IDENTITY, type Identity } from "../../model/ids.js";

export type People = Config["people"];

export interface Membership {
  /** As others are told. */
  readonly name: string;
  readonly role: "approver" | "viewer";
}

const OWN_NAMES: Readonly<Record<string, string>> = {
  [LOCAL_IDENTITY]: "the local user",
  [TIMEOUT_IDENTITY]: "the timeout",
  [POLICY_IDENTITY]: "the policy",
};

/** Name and role of an identity, or null for a stranger. The local user is an approver unless listed otherwise. */
export function membershipOf(people: People, identity: Identity): Membership | null {
  const person = people.find(({ identities }) => identities.includes(identity));
  if (person) return { name: person.name, role: person.role };
  return identity === LOCAL_IDENTITY ? { name: displayName(identity), role: "approver" } : null;
}

/** What people are told instead of an identity that is nobody's. */
export function displayName(identity: Identity): string {
  return OWN_NAMES[identity] ?? identity;
}

/** The identities on a channel of everybody who may answer. */
export function approversOn(people: People, channel: string): Identity[] {
  return people
    .filter(({ role }) => role === "approver")
    .flatMap(({ identities }) => identities.map((identity) => asId<Identity>(identity)))
    .filter((identity) => channelOf(identity) === channel);
}

export function channelOf(identity: Identity): string {
  return identity.slice(0, identity.indexOf(":"));
}

/** Whether anybody could answer there; a channel without is for pairing only. */
export function hasApprover(people: People, channel: string): boolean {
  const ofChannel = people.flatMap(({ role, identities }) =>
    identities.filter((identity) => identity.startsWith(`${channel}:`)).map(() => role),
  );
  if (ofChannel.includes("approver")) return true;
  return LOCAL_IDENTITY.startsWith(`${channel}:`) && ofChannel.length === 0;
}
