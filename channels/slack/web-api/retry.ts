/** Plans the delay after a failed or ended connection, and the advice for people. Pure. */
import type { ChannelHealth } from "../../../src/sdk/channel.js";
import { computeDelay, addJitter } from "../../../src/sdk/waiting.js";
import type { SlackFailure } from "./failure.js";
import type { SlackTiming } from "../limits.js";
import type { SocketEnd } from "../socket-mode/socket.js";

export interface SlackRetryPlan {
  readonly waitMs: number;
  readonly health: ChannelHealth;
}

/** `attempt` is 1 for the first failure in a row; `random` in 0..1 spreads the retries of many machines. */
export function planRetry(
  end: SocketEnd,
  attempt: number,
  random: number,
  timing: SlackTiming,
): SlackRetryPlan {
  if (end.kind === "lost") return planAfterFailure(end.failure, attempt, random, timing);
  if (end.reason === "link_disabled") {
    const reason = "Socket Mode is disabled for this app";
    return { waitMs: addJitter(timing.refusedMs, random), health: createFailed(reason, LINK_ADVICE) };
  }
  if (end.reason === "too_many_websockets") {
    const waitMs = computeDelay(timing.crowdedMs, timing.crowdedMaxMs, attempt, random);
    return { waitMs, health: createDegraded("the app has more than ten connections", CROWD_ADVICE) };
  }
  const waitMs = computeDelay(timing.retryMs, timing.retryMaxMs, attempt, random);
  return { waitMs, health: createDegraded(`Slack ended the connection (${end.reason})`, NETWORK_ADVICE) };
}

function planAfterFailure(
  failure: SlackFailure,
  attempt: number,
  random: number,
  timing: SlackTiming,
): SlackRetryPlan {
  const { reason, kind } = failure;
  const first = kind === "lost" ? timing.lostMs : timing.retryMs;
  const again = computeDelay(first, timing.retryMaxMs, attempt, random);
  switch (kind) {
    case "unauthorized":
      return {
        waitMs: addJitter(timing.refusedMs, random),
        health: createFailed(reason, adviseOnToken(reason)),
      };
    case "rate_limited":
      return {
        waitMs: failure.retryAfterMs ?? again,
        health: createDegraded(reason, "Nothing to do: Slack asked to wait."),
      };
    case "refused":
      return { waitMs: addJitter(timing.refusedMs, random), health: createFailed(reason, REFUSED_ADVICE) };
    case "lost":
    case "unreachable":
      return { waitMs: again, health: createDegraded(reason, NETWORK_ADVICE) };
  }
}

const LINK_ADVICE =
  "Enable it at https://api.slack.com/apps (Settings, Socket Mode); AtlasBridge retries automatically.";
const CROWD_ADVICE =
  "Stop other programs that use this app, or use one app per machine; AtlasBridge retries automatically.";
const REFUSED_ADVICE =
  "Slack refuses the connection: check that the app was made from the manifest and has Socket Mode on, and channels.slack.api_url.";
const NETWORK_ADVICE = "Check this machine's network; AtlasBridge retries automatically.";

function adviseOnToken(reason: string): string {
  if (reason.startsWith("missing_scope"))
    return "Give the token that scope at https://api.slack.com/apps, install the app again, then run `atlasbridge hub reload`.";
  return "Copy both tokens again from https://api.slack.com/apps (app-level: xapp-, bot: xoxb-), then run `atlasbridge hub reload` (where a token is a variable: in a shell that has the new value).";
}

function createDegraded(reason: string, action: string): ChannelHealth {
  return { state: "degraded", reason, action };
}

function createFailed(reason: string, action: string): ChannelHealth {
  return { state: "failed", reason, action };
}
