/** What a tool in a terminal can be asked for. */
import type { SessionCapabilities } from "../../../sdk/adapter.js";

/** From a claimed reply to its receipt: typing pause, gate, keys and the watched effect, on a loaded machine. */
const ANSWER_WITHIN_MS = 15_000;

/** Besides the ways of answering, which hang on the tool. */
export const CAPABILITIES: Omit<SessionCapabilities, "answerRoutes"> = {
  freeText: true,
  chatTurns: false,
  screenView: true,
  answerWithinMs: ANSWER_WITHIN_MS,
};
