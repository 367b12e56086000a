/** How the tracker reacts to a screen that cannot be followed (ADR 28). */
import { INITIAL_TRACKER, type TrackerState } from "./tracker-state.js";

interface LostStep {
  readonly state: TrackerState;
  readonly outputs: readonly (
    | { readonly kind: "withdraw"; readonly reason: "screen_lost" }
    | { readonly kind: "state"; readonly state: "screen_lost" }
  )[];
}

/** The pending prompt is withdrawn without an outcome, because its end cannot be seen. Whatever is drawn later is a new prompt. */
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
