/** A Telegram channel on an emulator, with waits short enough for tests. */
import { createTelegram } from "../../../channels/telegram/create.js";
import { TIMING, type TelegramTiming } from "../../../channels/telegram/limits.js";
import type { TelegramChannel } from "../../../channels/telegram/channel.js";
import type { DeliveryRef } from "../../../src/sdk/delivery-ref.js";
import {
  startTelegram,
  type EmulatorOptions,
  type Message,
  type TelegramEmulator,
  type User,
} from "../../support/telegram/emulator.js";
import type { ServiceBench } from "../../../src/compat/testing/service-kit.js";
import { RecordingHost } from "../../../src/compat/testing/recording-host.js";

export const ARA = 1001;

/** Waits between tries are milliseconds; limits on calls stay long enough for a busy machine. */
export const QUICK: TelegramTiming = {
  ...TIMING,
  lostMs: 10,
  lostMaxMs: 50,
  retryMs: 10,
  retryMaxMs: 50,
  conflictMs: 20,
  conflictMaxMs: 100,
  refusedMs: 20,
  emptyPollMs: 20,
};

export interface TelegramBench extends ServiceBench {
  readonly telegram: TelegramEmulator;
  readonly ara: User;
  readonly channel: TelegramChannel;
  open(host: RecordingHost, timing?: Partial<TelegramTiming>): TelegramChannel;
  post(ref: DeliveryRef): Message;
}

export async function openTelegram(
  timing: Partial<TelegramTiming> = {},
  options: EmulatorOptions = {},
): Promise<TelegramBench> {
  const telegram = await startTelegram({ rate: null, ...options });
  const ara = telegram.user(ARA, "Ara");
  const channels: TelegramChannel[] = [];
  const open = (host: RecordingHost, over: Partial<TelegramTiming> = timing): TelegramChannel => {
    host.onChange = () => telegram.changed();
    const config = { token: telegram.token, api_root: telegram.apiRoot, deliver_to: [ARA] };
    const channel = createTelegram(config, host, { ...QUICK, ...over });
    channels.push(channel);
    return channel;
  };
  const host = new RecordingHost();
  const post = (ref: DeliveryRef): Message => {
    const found = telegram.messages(Number(ref["chatId"])).find(({ id }) => id === ref["messageId"]);
    if (!found) throw new Error("no such card");
    return found;
  };
  return {
    telegram,
    ara,
    host,
    channel: open(host),
    place: String(ARA),
    secrets: [telegram.token, telegram.token.split(":")[1] ?? "", encodeURIComponent(telegram.token)],
    open,
    post,
    again: () => open(host),
    until: async (probe, what) => {
      await telegram.waitFor(probe, what);
    },
    person: `telegram:${ARA}`,
    tap: (ref) => {
      const tap = ara.press(Number(ref["messageId"]), 0);
      return {
        told: async () => (await tap.answered()).text,
        again: () => telegram.repeatUpdate(tap.updateId ?? 0),
      };
    },
    reply: (ref, text) => void ara.send(text, { replyTo: Number(ref["messageId"]) }),
    hangNextPost: () => telegram.failNext("sendMessage", "hang"),
    loseNextResponse: () => telegram.failNext("sendMessage", "drop-after-effect"),
    outage: () => telegram.outage(),
    restore: () => telegram.restore(),
    shown: (ref) => JSON.stringify(post(ref)),
    stop: async () => {
      await Promise.all(channels.map((channel) => channel.stop()));
      await telegram.stop();
    },
  };
}
