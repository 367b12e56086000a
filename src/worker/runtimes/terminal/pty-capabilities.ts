/** What a tool in a terminal can be asked for. */
import type { SessionCapabilities } from "../../../sdk/adapter.js";
import type { SideChannelSource } from "../side-channel.js";
import type { CompiledAdapter } from "../../adapter-format/compiled/compiled.js";
import { ANSWER_WITHIN_MS } from "../../prompts/limits.js";

/** `hookAccess`: where the tool was told to call its hooks; `joinAccess`: how it is joined. */
export function capabilitiesOf(
  { composer }: Pick<CompiledAdapter, "composer">,
  sideChannel: SideChannelSource | undefined,
): SessionCapabilities {
  const answersBy = sideChannel?.answersBy ?? null;
  return {
    answerRoutes: answersBy === null ? ["keys"] : [answersBy, "keys"],
    freeText: true,
    chatTurns: composer !== null,
    screenView: true,
    answerWithinMs: ANSWER_WITHIN_MS,
  };
}
