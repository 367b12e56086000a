/** Every card that people see in either service, and what it says now. */
import { readable, type Message as SlackMessage } from "../../support/slack/conversations.js";
import { listButtons } from "../../support/slack/payloads.js";
import { ARA, type Stage } from "./stage.js";

export interface Card {
  readonly key: string;
  readonly channel: "telegram" | "slack";
  readonly job: string;
  readonly text: string;
  readonly buttons: number;
  /** Ara presses the button with this number, from 0. Returns a way to have the same press come once more. */
  press(which: number): (as: "same" | "new") => void;
}

const JOB = /job-\d+/;

export function listCards(stage: Stage): Card[] {
  return [...telegramCards(stage), ...slackCards(stage)];
}

const read = new WeakMap<SlackMessage, string>();

function readText(message: SlackMessage): string {
  const text = read.get(message) ?? readable(message.blocks);
  read.set(message, text);
  return text;
}

function* telegramCards({ telegram, groups }: Stage): Generator<Card> {
  const ara = telegram.user(ARA.telegram, "Ara");
  const rooms = new Set(groups);
  for (const { id, chatId, from, text, buttons } of telegram.world.chats.all) {
    if (!rooms.has(chatId) || from !== telegram.world.bot.id) continue;
    const job = JOB.exec(text)?.[0];
    if (job === undefined) continue;
    yield {
      key: `telegram ${chatId} ${id}`,
      channel: "telegram",
      job,
      text,
      buttons: buttons.length,
      press: (which) => {
        const { updateId } = ara.press(id, which, chatId);
        return (as) => telegram.repeatUpdate(updateId ?? 0, as);
      },
    };
  }
}

function* slackCards({ slack, rooms }: Stage): Generator<Card> {
  const ara = slack.user(ARA.slack, "Ara");
  for (const message of rooms.flatMap((room) => slack.posts(room))) {
    const text = readText(message);
    const job = JOB.exec(text)?.[0];
    if (job !== undefined) yield slackCard(stagePress(slack, ara, message), message, job, text);
  }
}

type Press = Card["press"];

function slackCard(press: Press, message: SlackMessage, job: string, text: string): Card {
  const key = `slack ${message.channel} ${message.ts}`;
  return { key, channel: "slack", job, text, buttons: listButtons(message).length, press };
}

function stagePress(
  slack: Stage["slack"],
  ara: ReturnType<Stage["slack"]["user"]>,
  message: SlackMessage,
): Press {
  return (which) => {
    ara.press(message, which, { sure: true });
    return () => slack.world.gateway.repeatLast();
  };
}
