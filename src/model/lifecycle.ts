/**
 * The life of a prompt: one table, one pure function (docs/explanation/architecture.md#life-of-a-prompt). Effects are data; the
 * hub's `advance-prompt.ts` carries them out.
 */
import { InvariantError } from "./errors.js";
import type { ReceiptOutcome } from "./answer/receipt.js";

export const PROMPT_STATES = [
  "detected",
  "pending",
  "answering",
  "injecting",
  "answered",
  "uncertain",
  "failed",
  "withdrawn",
  "superseded",
  "expired",
] as const;
export type PromptState = (typeof PROMPT_STATES)[number];

/** States in which the prompt can still be answered or settled. */
export const OPEN_STATES = [
  "detected",
  "pending",
  "answering",
  "injecting",
] as const satisfies readonly PromptState[];

export function isOpen(state: PromptState): boolean {
  return (OPEN_STATES as readonly PromptState[]).includes(state);
}

export type LifecycleEvent =
  | { readonly kind: "asked" }
  | { readonly kind: "claimed" }
  | { readonly kind: "refused" }
  | { readonly kind: "noted" }
  | { readonly kind: "injection_began" }
  | { readonly kind: "receipt"; readonly outcome: ReceiptOutcome }
  | { readonly kind: "withdrawn" }
  | { readonly kind: "superseded" }
  | { readonly kind: "expired" }
  | { readonly kind: "session_ended"; readonly planForesawEnd: boolean };

export type LifecycleEffect = "mint_nonce" | "deliver" | "remind_later" | "settle";

export interface LifecycleStep {
  readonly state: PromptState;
  readonly effects: readonly LifecycleEffect[];
}

/** The whole table. A pair outside it is a bug of the caller. */
const TABLE: Readonly<Partial<Record<PromptState, Readonly<Record<string, LifecycleStep>>>>> = {
  // Only inside the transaction that raises the prompt: no deadline passes meanwhile.
  detected: {
    asked: { state: "pending", effects: ["mint_nonce", "deliver", "remind_later"] },
    claimed: { state: "answering", effects: [] },
    withdrawn: { state: "withdrawn", effects: ["settle"] },
    superseded: { state: "superseded", effects: ["settle"] },
    session_ended: { state: "withdrawn", effects: ["settle"] },
  },
  pending: {
    claimed: { state: "answering", effects: [] },
    noted: { state: "pending", effects: ["settle"] },
    withdrawn: { state: "withdrawn", effects: ["settle"] },
    superseded: { state: "superseded", effects: ["settle"] },
    expired: { state: "expired", effects: ["settle"] },
    session_ended: { state: "withdrawn", effects: ["settle"] },
  },
  answering: {
    injection_began: { state: "injecting", effects: [] },
    refused: { state: "pending", effects: ["mint_nonce", "settle"] },
    withdrawn: { state: "withdrawn", effects: ["settle"] },
    superseded: { state: "superseded", effects: ["settle"] },
    session_ended: { state: "withdrawn", effects: ["settle"] },
  },
  injecting: {
    "receipt:answered": { state: "answered", effects: ["settle"] },
    "receipt:uncertain": { state: "uncertain", effects: ["settle"] },
    "receipt:failed": { state: "failed", effects: ["settle"] },
    withdrawn: { state: "withdrawn", effects: ["settle"] },
    "session_ended:foreseen": { state: "answered", effects: ["settle"] },
    session_ended: { state: "uncertain", effects: ["settle"] },
  },
};

function getTableKey(state: PromptState, event: LifecycleEvent): string {
  if (event.kind === "receipt") return `receipt:${event.outcome}`;
  if (event.kind === "session_ended" && state === "injecting" && event.planForesawEnd)
    return "session_ended:foreseen";
  return event.kind;
}

/** The next state and its effects. Throws InvariantError for a pair outside the table. */
export function advance(state: PromptState, event: LifecycleEvent): LifecycleStep {
  const step = TABLE[state]?.[getTableKey(state, event)];
  if (!step) throw new InvariantError(`a ${state} prompt cannot take ${getTableKey(state, event)}`);
  return step;
}
