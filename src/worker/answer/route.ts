/** By which way an answer goes in. Pure. */
import type { AnswerRoute } from "../../model/receipt.js";

export interface RouteFacts {
  /** What the session advertises (`SessionCapabilities.answerRoutes`). */
  readonly routes: readonly AnswerRoute[];
  /** A request of the tool that waits for this very prompt's answer, besides the screen. */
  readonly pending: Exclude<AnswerRoute, "keys"> | null;
  /** The prompt's dialog is drawn now. */
  readonly drawn: boolean;
}

/** A pending request is answered there and only there; keys go only into a drawn dialog. Null: there is no way now. */
export function chooseRoute({ routes, pending, drawn }: RouteFacts): AnswerRoute | null {
  const way = pending ?? (drawn ? "keys" : null);
  return way !== null && routes.includes(way) ? way : null;
}
