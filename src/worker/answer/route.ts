/**
 * Which way an answer goes (ADR 13): to the hook call that waits, or as keys into the dialog that is drawn. One pure
 * decision from what is known at this moment; the receipt names it.
 */
import type { Reply } from "../../model/reply.js";
import { rejection, type Rejection } from "../../model/rejection.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Ask, AskChoice } from "../detect/ask.js";
import { decide, isDecision, type Answer } from "./decision.js";

export type Route =
  { readonly by: "hook"; readonly decision: object } | { readonly by: "keys"; readonly candidate: Candidate };

/** What asks, now. */
export interface Sources {
  /** Whose choices people saw. */
  readonly stampedBy: "screen" | "hook";
  /** Its dialog, while it is on the screen. */
  readonly drawn: Candidate | null;
  /** The call, while the tool waits for it. */
  readonly ask: Ask | null;
}

export function isRoute(routed: Route | Rejection): routed is Route {
  return "by" in routed;
}

/**
 * A call that waits is answered there and only there, if it can say what was chosen. The row of a dialog that it has no word for is
 * taken on the dialog. A choice of a call that nobody waits for any more has no row: it is refused.
 */
export function routeOf({ stampedBy, drawn, ask }: Sources, answer: Answer): Route | Rejection {
  if (stampedBy === "hook") return ask ? byHook(ask, answer) : rejection("withdrawn");
  const same = ask && drawn ? sameChoice(ask, drawn, answer) : null;
  const routed = ask && same ? byHook(ask, same) : null;
  if (routed && isRoute(routed)) return routed;
  return drawn ? { by: "keys", candidate: drawn } : rejection("withdrawn");
}

function byHook(ask: Ask, answer: Answer): Route | Rejection {
  const decided = decide(ask, answer);
  return isDecision(decided) ? { by: "hook", decision: decided.json } : decided;
}

/** The call's own choice that does exactly what the dialog's row does; null where that is not certain. */
function sameChoice(
  ask: Ask,
  drawn: Candidate,
  { value, text }: Pick<Reply, "value" | "text">,
): Answer | null {
  const row = drawn.constraints.multi ? undefined : drawn.choices[Number(value) - 1];
  if (!row || drawn.promptType !== "multiple_choice" || ask.promptType !== "multiple_choice") return null;
  const rows = drawn.choices.filter(({ intent }) => intent === row.intent);
  const isSame = (choice: AskChoice): boolean => {
    if (choice.intent !== row.intent) return false;
    // What is remembered, and for what, only the label says; an option is its label.
    if (row.intent !== "allow_once" && row.intent !== "reject_once") return choice.label === row.label;
    return rows.length === 1;
  };
  const matching = ask.choices.flatMap((choice, at) => (isSame(choice) ? [at + 1] : []));
  const [only] = matching;
  if (only === undefined || matching.length > 1) return null;
  return { value: String(only), ...(text !== undefined && { text }) };
}
