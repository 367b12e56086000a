/**
 * Nothing that its approver did not write is typed into a console: no stranger's text, no viewer's, no copy of a text, no edited text.
 * The program is a real shell, so its terminal shows whatever was typed.
 */
import { expect, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { ChatConsole } from "../support/rig/chat-console.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { withSlack } from "../support/rig/slack-desk.js";

const GROUP = -1_005_000;
const COMMAND = "touch made";

/** Who was refused for what reason, and how often. */
function countRefused({ home }: Rig): Readonly<Record<string, number>> {
  const sql = `SELECT identity || ' ' || (details ->> 'code') AS who, count(*) AS times FROM audit
    WHERE step IN ('console_refused', 'answer_rejected') GROUP BY who`;
  const rows = readDatabase<{ who: string; times: number }>(home.paths.database, sql);
  return Object.fromEntries(rows.map(({ who, times }) => [who, times]));
}

/** What came before it has been handled by then, as a service keeps the order. */
async function expectNothingTyped(chat: ChatConsole): Promise<void> {
  expect(await chat.say("echo only this", /only this/)).toMatch(/^✅[^]*\nonly this$/);
  expect(chat.run.text).not.toContain(COMMAND);
}

it("in Telegram: in a chat, and in a group where each session has its topic", () =>
  withRig(
    async (rig) => {
      const { telegram, phone, ben, stranger } = rig;
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      const ara = phone.user;
      const opening = await telegram.waitFor(
        () => telegram.posts(GROUP).find(({ text }) => text.includes("its console is open")),
        "the group",
      );
      const inTopic = { chat: GROUP, threadId: opening.threadId! };
      const copies = {
        forward: { forward_origin: { type: "user", sender_user: { id: 6666 }, date: 1 } },
        inline: { via_bot: { id: 77, is_bot: true, first_name: "Inline" } },
        anonymous: { sender_chat: { id: GROUP, type: "supergroup" } },
      };

      stranger.send(`$ ${COMMAND}`);
      stranger.send(COMMAND, inTopic);
      stranger.send(COMMAND, { chat: GROUP, replyTo: opening.id });
      ben.user.send(COMMAND, inTopic);
      ben.user.send(`$ ${COMMAND}`);
      for (const fields of Object.values(copies)) {
        ara.send(COMMAND, { ...inTopic, fields });
        ara.send(`$ ${COMMAND}`, { fields });
      }
      // What a person replies to is not what they say.
      const theirs = stranger.send(`$ ${COMMAND}`, { chat: GROUP });
      ara.send("thanks", { chat: GROUP, replyTo: theirs, fields: { quote: { text: `$ ${COMMAND}` } } });
      const mine = ara.send("mode", inTopic);
      ara.edit(mine, COMMAND, GROUP);
      const direct = ara.send("$ true");
      ara.edit(direct, `$ ${COMMAND}`);
      // The app has not asked for them.
      expect(telegram.world.updates.add("channel_post", { text: `$ ${COMMAND}` })).toBeNull();

      await expectNothingTyped(chat);
      expect(countRefused(rig)).toEqual({
        "telegram:6666 not_allowed": 4,
        "telegram:1002 not_allowed": 2,
        "telegram:1001 forwarded": 4,
        "telegram:1001 anonymous": 2,
        "telegram:1001 edited": 2,
      });
    },
    { ben: "viewer", group: GROUP },
  ));

it("in Slack: in the session's thread, in the channel and in the app's own conversation", () =>
  withSlack(
    async (rig, desk) => {
      const { slack, ara, place } = desk;
      const chat = await ChatConsole.openInSlack(rig, desk, "work", "bash", "--norc");
      await desk.connected();
      const [root] = slack.posts(place);
      const inThread = { threadTs: root!.ts };
      const eve = slack.user("U0EVE", "Eve");
      const ben = slack.user("U0BEN", "Ben");
      for (const { id } of [eve, ben]) slack.world.conversations.get(place)!.members.add(id);
      const share = { text: "", attachments: [{ is_share: true, text: `$ ${COMMAND}`, author_id: "U0EVE" }] };

      eve.mention(place, COMMAND, inThread);
      eve.mention(place, `$ ${COMMAND}`);
      eve.command(`$ ${COMMAND}`);
      ben.mention(place, COMMAND, inThread);
      ben.command(`$ ${COMMAND}`);
      ara.say("", { fields: share });
      ara.mention(place, "", { ...inThread, fields: { attachments: share.attachments } });
      ara.mention(place, COMMAND, { ...inThread, fields: { bot_id: "B0OTHER", app_id: "A0OTHER" } });
      ara.mention(place, COMMAND, { ...inThread, fields: { subtype: "bot_message" } });
      // A quotation in Slack is a line for what runs, and nothing does.
      ara.mention(place, `> $ ${COMMAND}`, inThread);
      const mine = ara.mention(place, "mode", inThread);
      ara.edit(mine, COMMAND);
      const direct = ara.say("hello");
      ara.edit(direct, `$ ${COMMAND}`);
      const outsider = slack.outsider("U9OUT", "Out", place);
      outsider.mention(place, COMMAND, inThread);

      await expectNothingTyped(chat);
      expect(countRefused(rig)).toEqual({
        "slack:T0TEAM/U0EVE not_allowed": 3,
        "slack:T0TEAM/U0BEN not_allowed": 2,
        "slack:T0TEAM/U0ARA edited": 2,
        "slack:T0TEAM/U0ARA not_typed": 1,
        "slack:T9OTHER/U9OUT outsider": 1,
      });
      // What was sent without words is told how the console is used.
      const told = slack.world.conversations.ephemerals.filter(({ text }) => text.includes("is one command"));
      expect(told).toHaveLength(1);
      // A reply that is shown in the channel, too, is its sender's own.
      ara.mention(place, "echo shown to all", { ...inThread, fields: { subtype: "thread_broadcast" } });
      expect(await chat.next(/shown to all/)).toMatch(/^✅/);
    },
    { ben: "viewer" },
  ));
