/** A Slack channel on an emulator, with waits short enough for tests. */
import { createSlack } from "../../../channels/slack/create.js";
import { TIMING, type SlackTiming } from "../../../channels/slack/limits.js";
import type { SlackChannel } from "../../../channels/slack/channel.js";
import type { DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import {
  startSlack,
  type Deed,
  type EmulatorOptions,
  type Message,
  type SlackEmulator,
  type User,
} from "../../support/slack/emulator.js";
import type { ServiceBench } from "../../../src/compat/testing/service-kit.js";
import { RecordingHost } from "../../../src/compat/testing/recording-host.js";

/** Waits between tries are milliseconds; limits on calls stay long enough for a busy machine. */
export const QUICK: SlackTiming = {
  ...TIMING,
  storeRetryMs: 10,
  watchMs: 20,
  goodbyeMs: 30,
  drainMs: 50,
  lostMs: 10,
  retryMs: 10,
  retryMaxMs: 50,
  crowdedMs: 20,
  crowdedMaxMs: 100,
  sharedMs: 50,
  refusedMs: 20,
  homeMs: 10,
};

export interface SlackBench extends ServiceBench {
  readonly slack: SlackEmulator;
  readonly ara: User;
  readonly channel: SlackChannel;
  open(host: RecordingHost, timing?: Partial<SlackTiming>): SlackChannel;
  post(ref: DeliveryRef): Message;
}

export async function openSlack(
  timing: Partial<SlackTiming> = {},
  options: EmulatorOptions = {},
): Promise<SlackBench> {
  const slack = await startSlack({ rates: null, ...options });
  const ara = slack.user("U0ARA", "Ara");
  const place = slack.channel("C0WORK", [ara]);
  const channels: SlackChannel[] = [];
  let over = false;
  const open = (host: RecordingHost, other: Partial<SlackTiming> = timing): SlackChannel => {
    host.onChange = () => slack.changed();
    const { botToken: bot_token, appToken: app_token, apiUrl: api_url } = slack;
    const config = { app_token, bot_token, api_url, deliver_to: [place] };
    const channel = createSlack(config, host, { ...QUICK, ...other });
    const deliver = channel.deliver.bind(channel);
    channel.deliver = (notice) => {
      if (notice.kind === "prompt") host.open.set(notice.deliveryId, notice);
      return deliver(notice);
    };
    channels.push(channel);
    return channel;
  };
  const host = new RecordingHost();
  const post = (ref: DeliveryRef): Message => {
    const found = slack.messages(String(ref["channel"])).find(({ ts }) => ts === ref["ts"]);
    if (!found) throw new Error("no such card");
    return found;
  };
  /** Slack says that it failed, so a person does it again. */
  const untilHeard = async (deed: () => Deed): Promise<Deed> => {
    for (;;) {
      const tried = deed();
      const { kind } = await tried.ack;
      if (kind === "acked" || over) return tried;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    slack,
    ara,
    host,
    channel: open(host),
    place,
    secrets: [slack.botToken, slack.appToken],
    open,
    post,
    again: () => open(host),
    until: async (probe, what) => {
      await slack.waitFor(probe, what);
    },
    person: "slack:T0TEAM/U0ARA",
    tap: (ref) => {
      const message = post(ref);
      const heard = untilHeard(() => ara.press(message, 0));
      return {
        told: async () => (await heard).told(),
        again: () => slack.world.gateway.repeatLast(),
      };
    },
    reply: (ref, text) => {
      void untilHeard(() => ara.press(post(ref), "💬 Answer…"))
        .then(() => ara.openForm())
        .then(() => untilHeard(() => ara.submit({ text })));
    },
    hangNextPost: () => slack.failNext("chat.postMessage", "hang"),
    loseNextResponse: () => slack.failNext("chat.postMessage", "drop-after-effect"),
    outage: () => slack.outage(),
    restore: () => slack.restore(),
    shown: (ref) => JSON.stringify(post(ref).blocks),
    stop: async () => {
      over = true;
      await Promise.all(channels.map((channel) => channel.stop()));
      await slack.stop();
    },
  };
}
