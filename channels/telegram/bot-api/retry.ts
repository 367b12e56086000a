/** Plans the delay after a failed poll, and the advice for people. Pure. */
import type { ChannelHealth } from "../../../src/sdk/channel.js";
import { computeDelay, addJitter } from "../../../src/sdk/waiting.js";
import type { TelegramFailure } from "./failure.js";
import { isWebhookConflict } from "./failure.js";
import type { TelegramTiming } from "../limits.js";

export interface TelegramRetryPlan {
  readonly waitMs: number;
  readonly health: ChannelHealth;
}

/** `attempt` is 1 for the first failure in a row of its kind; `random` in 0..1 spreads the retries of many machines. */
export function planRetry(
  failure: TelegramFailure,
  attempt: number,
  random: number,
  timing: TelegramTiming,
): TelegramRetryPlan {
  const { reason } = failure;
  switch (failure.kind) {
    case "unauthorized":
      return {
        waitMs: addJitter(timing.refusedMs, random),
        health: { state: "failed", reason, action: TOKEN_ADVICE },
      };
    case "conflict":
      return {
        waitMs: computeDelay(timing.conflictMs, timing.conflictMaxMs, attempt, random),
        health: isWebhookConflict(failure) ? HOOKED : SHARED,
      };
    case "rate_limited":
      return {
        waitMs: failure.retryAfterMs ?? computeDelay(timing.retryMs, timing.retryMaxMs, attempt, random),
        health: { state: "degraded", reason, action: "Nothing to do: Telegram asked to wait." },
      };
    case "refused":
      return {
        waitMs: computeDelay(timing.retryMs, timing.retryMaxMs, attempt, random),
        health: { state: "degraded", reason, action: REFUSED_ADVICE },
      };
    case "lost":
      return {
        waitMs: computeLostDelay(attempt, random, timing),
        health: { state: "degraded", reason, action: NETWORK_ADVICE },
      };
    case "unreachable":
      return {
        waitMs: computeDelay(timing.retryMs, timing.retryMaxMs, attempt, random),
        health: { state: "degraded", reason, action: NETWORK_ADVICE },
      };
  }
}

/** For about a minute a service with broken responses is polled every second; then less and less often. */
function computeLostDelay(attempt: number, random: number, timing: TelegramTiming): number {
  const { lostMs, lostMaxMs, lostTries, retryMaxMs } = timing;
  if (attempt <= lostTries) return computeDelay(lostMs, lostMaxMs, attempt, random);
  return computeDelay(lostMaxMs, retryMaxMs, attempt - lostTries, random);
}

const TOKEN_ADVICE =
  "Telegram does not know this token: copy it again from @BotFather (and check channels.telegram.api_root), then run `atlasbridge hub reload` (where the token is a variable: in a shell that has the new value).";
const REFUSED_ADVICE =
  "Telegram refuses the request: check channels.telegram.api_root; AtlasBridge retries automatically.";
const NETWORK_ADVICE = "Check this machine's network; AtlasBridge retries automatically.";

const HOOKED: ChannelHealth = {
  state: "degraded",
  reason: "the bot has a webhook",
  action: "Another program set a webhook for this bot: stop it, or use a bot of its own.",
};

/** Both pollers are in this state for as long as both poll: the service hands an update to whichever polls at that moment. */
export const SHARED: ChannelHealth = {
  state: "degraded",
  reason: "another AtlasBridge or program polls this bot",
  action:
    "It receives some of the answers: stop it, or give each hub a bot of its own. About a minute later this one is connected again.",
};
