/** What a tool in a terminal can be asked for. */
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import type { CompiledAdapter } from "../../detect/compiled.js";

/** From a claimed reply to its receipt: typing pause, gate, keys and the watched effect, on a loaded machine. */
const ANSWER_WITHIN_MS = 15_000;

/** `hookAccess`: where the tool was told to call its hooks, or null. */
export function capabilitiesOf(
  { composer, hooks }: Pick<CompiledAdapter, "composer" | "hooks">,
  hookAccess: object | null,
): SessionCapabilities {
  return {
    answerRoutes: hookAccess && hooks?.events.some(({ asks }) => asks) ? ["hook", "keys"] : ["keys"],
    freeText: true,
    chatTurns: composer !== null,
    screenView: true,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
}
