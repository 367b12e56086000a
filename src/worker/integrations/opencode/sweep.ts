/** Answers that also settle other requests: a No ends all requests of its session, an "always" Yes those that it covers. */
import { toText, type Json } from "../../../model/data/json.js";

const SWEEPING: readonly unknown[] = ["reject", "always"];

/** A request that waits. */
export interface Sweepable {
  readonly session: string | null;
  /** Answers of ours to others that may have settled this one as well. */
  readonly sweptBy: Set<string>;
}

/** Notes that our answer in `session` may have settled the other requests there; then nobody else has answered those. */
export function markSwept(waiting: Iterable<Sweepable>, session: string | null, answer: Json | null): void {
  const how = toText(answer?.["reply"]);
  if (session === null || how === null || !SWEEPING.includes(how)) return;
  for (const each of waiting) if (each.session === session) each.sweptBy.add(how);
}

/** Whether the reported end of a request matches an answer of ours to another one. */
export function isSwept({ sweptBy }: Sweepable, { reply }: Json): boolean {
  return sweptBy.has(toText(reply) ?? "");
}
