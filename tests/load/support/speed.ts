/** A minute of the services in a second: their patience and our pace, both so many times quicker, in the same proportion. */
import { PACE as SLACK_PACE } from "../../../channels/slack/pace.js";
import { PACE as TELEGRAM_PACE } from "../../../channels/telegram/pace.js";
import type { Allowance, Pace } from "../../../src/sdk/channel.js";
import { RATES, type Rate as SlackRate } from "../../support/slack/rate.js";
import { PATIENCE, type Patience } from "../../support/telegram/rate.js";

const SPEED = 60;
/** What Telegram takes from a bot in a second would last for the whole storm. */
const SPEED_IN_ALL = 4;
const MINUTE_MS = 60_000;

export const GROUP_MINUTE_MS = MINUTE_MS / SPEED;
export const SLACK_MINUTE_MS = MINUTE_MS / SPEED;
/** So many seconds of Telegram are one of ours. */
export const TELEGRAM_SECONDS = SPEED_IN_ALL;

const quicker =
  (speed: number) =>
  (allowance: Allowance): Allowance =>
    "burst" in allowance
      ? { ...allowance, everyMs: allowance.everyMs / speed }
      : { ...allowance, withinMs: allowance.withinMs / speed };

export const QUICK_TELEGRAM: Pace = {
  place: (place) => TELEGRAM_PACE.place(place).map(quicker(SPEED)),
  all: TELEGRAM_PACE.all.map(quicker(SPEED_IN_ALL)),
  edits: [],
};

export const QUICK_SLACK: Pace = {
  place: (place) => SLACK_PACE.place(place).map(quicker(SPEED)),
  all: SLACK_PACE.all.map(quicker(SPEED)),
  edits: SLACK_PACE.edits.map(quicker(SPEED)),
};

/** On a busy machine what was sent evenly may arrive in heaps, so patience is this much deeper; how often it sends is judged where it sends. */
const HEAP = 4;

export const IMPATIENT_TELEGRAM: Patience = {
  chat: { ...PATIENCE.chat, perSecond: PATIENCE.chat.perSecond * SPEED },
  all: { perSecond: PATIENCE.all.perSecond * SPEED_IN_ALL, burst: PATIENCE.all.burst * HEAP },
  groupMinuteMs: PATIENCE.groupMinuteMs / SPEED,
};

export const IMPATIENT_SLACK: Readonly<Record<string, SlackRate>> = Object.fromEntries(
  Object.entries(RATES).map(([method, { perSecond, burst }]) => [
    method,
    { perSecond: perSecond * SPEED, burst: burst * HEAP },
  ]),
);
