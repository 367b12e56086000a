import type { Clock } from "../../src/model/clock.js";
import { asId, type SessionId } from "../../src/model/ids.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { sanitizeText } from "../../src/safety/safe-text.js";
import { PendingRequests, type PendingRequestsOptions } from "../../src/worker/prompts/pending-requests.js";
import { createPromptStamper } from "../../src/worker/prompts/stamp-prompt.js";

/** The open requests of an attended session, whose answers always arrive. */
export function makePendingRequests(
  options: Partial<PendingRequestsOptions> & Pick<PendingRequestsOptions, "onRaised">,
  sessionId = asId<SessionId>(systemRandom.uuid()),
  clock: Clock = systemClock,
): PendingRequests {
  return new PendingRequests({
    stamp: createPromptStamper({ sessionId, random: systemRandom, clock, safeText: sanitizeText }),
    onWithdrawn: () => undefined,
    onAnswered: () => undefined,
    onRefused: () => undefined,
    isAttended: true,
    withdrawReasonFor: () => "taken_back",
    confirmDelivery: () => Promise.resolve("heard"),
    ...options,
  });
}
