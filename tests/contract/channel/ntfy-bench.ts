/** The example channel on an emulator, with waits short enough for tests. */
import { NtfyChannel, type NtfyTiming } from "../../../docs/how-to/examples/ntfy/channel.js";
import { readSettings, type NtfyConfig } from "../../../docs/how-to/examples/ntfy/config.js";
import type { DeliveryRef } from "atlasbridge/sdk";
import { RecordingHost, type ServiceBench } from "atlasbridge/sdk/testing";
import { NtfyEmulator, type NtfyAction, type NtfyMessage } from "../../support/ntfy/emulator.js";

export const QUICK: NtfyTiming = { retryMs: 10, retryMaxMs: 50, silenceMs: 30_000 };

const TOPIC = "cards-of-ara-for-tests";
const REPLY_TOPIC = "taps-of-ara-for-tests";
const TOKEN = "tk_hub000000000000000000000000000";
const REPLY_TOKEN = "tk_phone0000000000000000000000000";

export interface NtfyBench extends ServiceBench {
  readonly ntfy: NtfyEmulator;
  readonly config: NtfyConfig;
  open(over?: Partial<NtfyConfig>, timing?: NtfyTiming): NtfyChannel;
  card(ref: DeliveryRef): NtfyMessage;
  cards(): NtfyMessage[];
}

export async function openNtfy(): Promise<NtfyBench> {
  const ntfy = await NtfyEmulator.start([
    { token: TOKEN, topic: TOPIC, may: "write" },
    { token: TOKEN, topic: REPLY_TOPIC, may: "read" },
    { token: REPLY_TOKEN, topic: REPLY_TOPIC, may: "write" },
  ]);
  const config: NtfyConfig = {
    server: ntfy.origin,
    token: TOKEN,
    topic: TOPIC,
    reply_topic: REPLY_TOPIC,
    reply_token: REPLY_TOKEN,
    deliver_to: ["ara"],
  };
  const host = new RecordingHost();
  host.onChange = () => ntfy.changed();
  const channels: NtfyChannel[] = [];
  const open: NtfyBench["open"] = (over = {}, timing = QUICK) => {
    const channel = new NtfyChannel(readSettings({ ...config, ...over }), host, timing);
    channels.push(channel);
    return channel;
  };
  const card = (ref: DeliveryRef): NtfyMessage => {
    const found = ntfy
      .on(TOPIC)
      .find(({ actions = [] }) => actions.some(({ body }) => body?.includes(`"${ref["delivery"]}"`)));
    if (!found) throw new Error("no such card");
    return found;
  };
  return {
    ntfy,
    host,
    config,
    channel: open(),
    place: "ara",
    secrets: [TOKEN, REPLY_TOKEN, TOPIC, REPLY_TOPIC],
    open,
    card,
    cards: () => ntfy.on(TOPIC),
    again: () => open(),
    until: async (probe, what) => {
      await ntfy.waitFor(probe, what);
    },
    person: "ntfy:ara",
    tap: (ref) => {
      const known = new Set(ntfy.messages.map(({ id }) => id));
      const pressed = ntfy.press(card(ref).actions?.[0] as NtfyAction);
      const told = (): NtfyMessage | undefined =>
        ntfy.on(TOPIC).find(({ id, actions = [] }) => !known.has(id) && actions.length === 0);
      return {
        told: async () => (await ntfy.waitFor(told, "an answer to the tap")).message,
        again: () => void pressed.then((message) => ntfy.repeat(message)),
      };
    },
    reply: () => {
      throw new Error("nobody can write to this channel");
    },
    hangNextPost: () => ntfy.failNext("publish", "hang"),
    loseNextResponse: () => ntfy.failNext("publish", "drop-after-effect"),
    outage: () => ntfy.outage(),
    restore: () => ntfy.restore(),
    shown: (ref) => JSON.stringify(card(ref)),
    stop: async () => {
      await Promise.all(channels.map((channel) => channel.stop()));
      await ntfy.stop();
    },
  };
}
