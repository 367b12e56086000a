/** Answers that settle more than they are given to: a No takes all that is asked in its session with it, a Yes for good what it covers. */
import { toText, type Json } from "../../../model/data/json.js";

const SWEEPING: readonly unknown[] = ["reject", "always"];

/** A request that waits. */
export interface Sweepable {
  readonly session: string | null;
  /** Answers of ours to others that may have settled this one as well. */
  readonly sweptBy: Set<string>;
}

/** This was answered by us in `session`: whatever waits there may be over by it, and nobody else has answered that then. */
export function sweep(waiting: Iterable<Sweepable>, session: string | null, answer: Json | null): void {
  const how = toText(answer?.["reply"]);
  if (session === null || how === null || !SWEEPING.includes(how)) return;
  for (const each of waiting) if (each.session === session) each.sweptBy.add(how);
}

/** What is told of a request that is over says that an answer of ours to another one did that. */
export function isSwept({ sweptBy }: Sweepable, { reply }: Json): boolean {
  return sweptBy.has(toText(reply) ?? "");
}
