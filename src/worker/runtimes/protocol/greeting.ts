import { AtlasBridgeError } from "../../../model/errors.js";
import type { Clock } from "../../../model/clock.js";
import { withTimeLimit } from "../../../observe/within.js";

/** A started tool answers within a second or two; on a loaded machine it takes ten times as long. */
export const GREETING_WITHIN_MS = 60_000;

/** Waits longer while the tool sends other messages, as it does when it repeats an earlier session. Rejects as `answer` does, or at the time limit. */
export async function awaitAnswer<T>(
  answer: Promise<T>,
  countMessages: () => number,
  clock: Clock,
): Promise<T> {
  for (;;) {
    const before = countMessages();
    try {
      return await withTimeLimit(answer, GREETING_WITHIN_MS, clock, "it did not answer");
    } catch (error) {
      if (countMessages() === before) throw error;
    }
  }
}

/** Resolves when the tool has opened its session. Errors: ATB_TOOL_START_FAILED, with what the tool said. */
export async function awaitGreeting(opening: Promise<unknown>, clock: Clock): Promise<void> {
  try {
    await withTimeLimit(opening, GREETING_WITHIN_MS, clock, "it did not answer");
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new AtlasBridgeError("ATB_TOOL_START_FAILED", `the tool did not start a session: ${problem}`, {
      hint: "Start it by itself once, to sign in and to see what it says.",
      cause,
    });
  }
}
