/** What the tracker makes of a screen that cannot be followed (ADR 28). */
import { INITIAL_TRACKER, type TrackerState } from "./tracker-state.js";

interface LostStep {
  readonly state: TrackerState;
  readonly outputs: readonly (
    | { readonly kind: "withdraw"; readonly reason: "screen_lost" }
    | { readonly kind: "state"; readonly state: "screen_lost" }
  )[];
}

/** The open question is over without an outcome: what becomes of it is not seen. What is drawn later is another question. */
export function loseScreen({ epoch, pending, outputBytes, toolState }: TrackerState): LostStep {
  const state = { ...INITIAL_TRACKER, epoch: epoch + 1, outputBytes, toolState: "screen_lost" } as const;
  return {
    state,
    outputs: [
      ...(pending ? [{ kind: "withdraw", reason: "screen_lost" } as const] : []),
      ...(toolState === "screen_lost" ? [] : [{ kind: "state", state: "screen_lost" } as const]),
    ],
  };
}
