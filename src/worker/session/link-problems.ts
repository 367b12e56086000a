/** Describes why a session has no hub: while its prompts wait, and to its user at the end. */
import type { AtlasBridgeError } from "../../model/errors.js";
import type { HubLink } from "./hub-link.js";

export type LinkFacts = Pick<
  HubLink,
  "connected" | "state" | "wasOpened" | "expectsHub" | "openFailure" | "refusal"
>;

const TOO_OLD =
  "this session was no longer relayed: its AtlasBridge is too old for the new hub. Restart the tool to have it relayed.";

/** Null while a hub has the session. */
export function describeMissingHub(link: LinkFacts, problem: AtlasBridgeError | null): string | null {
  if (link.connected) return null;
  if (link.state === "refused")
    return isTooOld(link) ? "the hub is too new for this program" : "the hub refused this session";
  if (!link.expectsHub) return "the hub was stopped";
  return problem?.message ?? link.openFailure ?? "no hub has the session";
}

/** Why prompts were not relayed, for the user after the tool has ended; or null. `problem`: why no hub could be started or trusted. */
export function describeRelayProblem(link: LinkFacts, problem: AtlasBridgeError | null): string | null {
  if (link.state === "refused") return isTooOld(link) ? TOO_OLD : describeRefusal(link);
  if (!problem || link.connected) return null;
  const since = link.wasOpened ? "this session was no longer relayed" : "nothing was relayed";
  return `${since}: ${problem.message} ${problem.hint}`.trimEnd();
}

function isTooOld({ refusal }: Pick<LinkFacts, "refusal">): boolean {
  return refusal?.code !== "ATB_HUB_REFUSED";
}

function describeRefusal({ refusal }: Pick<LinkFacts, "refusal">): string {
  return `this session was not relayed: the hub refused it (${refusal?.message ?? "no reason given"}).`;
}
