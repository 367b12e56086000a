/** What a tool in a terminal can be asked for. */
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { ANSWER_WITHIN_MS } from "../../prompts/limits.js";

/** `hookAccess`: where the tool was told to call its hooks; `joinAccess`: how it is joined. */
export function capabilitiesOf(
  { composer, hooks }: Pick<CompiledAdapter, "composer" | "hooks">,
  { hookAccess, joinAccess }: { readonly hookAccess?: object | null; readonly joinAccess?: object | null },
): SessionCapabilities {
  const isCalled = hookAccess != null && hooks?.events.some(({ asks }) => asks);
  return {
    answerRoutes: joinAccess ? ["protocol", "keys"] : isCalled ? ["hook", "keys"] : ["keys"],
    freeText: true,
    chatTurns: composer !== null,
    screenView: true,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
}
