/** Which fault strikes at which step in which round: from a seed, so that a run can be had again. */
import { seeded } from "../../support/seeded.js";
import type { Step } from "./orders.js";

export const STEPS = [
  "stored",
  "sent",
  "tapped",
  "inbox_stored",
  "claimed",
  "before_text",
  "between_text_and_enter",
  "after_enter",
  "receipt",
  "settle",
] as const satisfies readonly Step[];

/**
 * `twin`: the question is taken back and the very same words are asked again; `other`: another question takes its place;
 * `second_tap`: the person taps another button of the same card.
 */
export const FAULTS = [
  "kill_hub",
  "kill_worker",
  "disk_full",
  "database_busy",
  "cut",
  "chat_outage",
  "clock_forward",
  "clock_back",
  "twin",
  "other",
  "second_tap",
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Round {
  readonly step: Step;
  readonly fault: FaultKind;
}

/** Steps come in turn, so that each is struck equally often; what strikes is drawn. */
export function planRounds(count: number, seed: number): Round[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => ({
    step: STEPS[index % STEPS.length] ?? "stored",
    fault: FAULTS[Math.floor(random() * FAULTS.length)] ?? "kill_hub",
  }));
}
