/** A person lets another one answer in their place for a time. Pure. */
import type { Delegation } from "../../model/answer/delegation.js";
import type { People } from "./people.js";

/** `people` with their roles for one prompt: a delegate of an approver is an approver, too. A delegation cannot be passed on. */
export function applyDelegations(people: People, delegations: readonly Delegation[]): People {
  if (delegations.length === 0) return people;
  const mayAnswer = new Set(people.filter(({ role }) => role === "approver").map(({ name }) => name));
  return people.map((person) =>
    delegations.some(({ from, to }) => to === person.name && mayAnswer.has(from))
      ? { ...person, role: "approver" }
      : person,
  );
}
