/** The same request of several sessions, answered together from Slack: by the list of a command and by one in the channel, each with its own proof. */
import { expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { JoinedRun } from "../support/rig/joined.js";
import type { Rig } from "../support/rig/rig.js";
import { withSlack, type SlackDesk } from "../support/rig/slack-desk.js";
import { listButtons } from "../support/slack/payloads.js";

const COMMANDS = ["touch made.txt", "touch other.txt"] as const;

/** Two sessions whose interfaces are up and which are joined. */
const withTools = (rig: Rig, test: (tools: readonly JoinedRun[]) => Promise<void>): Promise<void> =>
  JoinedRun.with(rig, { label: "one" }, (one) =>
    JoinedRun.with(rig, { label: "two" }, async (two) => {
      await Promise.all([one.becomesKnown(), two.becomesKnown()]);
      await test([one, two]);
    }),
  );

async function ask(desk: SlackDesk, tools: readonly JoinedRun[], id: number): Promise<void> {
  const command = COMMANDS[id - 1]!;
  for (const tool of tools) {
    tool.asks(id, command);
    tool.draws(command);
    await desk.card(tool.run.label, id);
  }
}

/** Each tool got one yes, and each says so. */
async function expectYeses(
  rig: Rig,
  desk: SlackDesk,
  tools: readonly JoinedRun[],
  id: number,
): Promise<void> {
  for (const tool of tools) {
    await eventually(() => tool.server.answers.length === id);
    tool.goesOn(id);
    expect(tool.server.answers.at(-1)).toEqual({ id, result: { decision: "accept" } });
    expect(await desk.shows(await desk.card(tool.run.label, id), /^✅/)).toBe("✅ Yes, by Ara, confirmed");
  }
  for (const step of ["prompt_claimed", "injection_ended"]) {
    const lines = rig.record.filter((line) => line.includes(` ${step} `));
    expect(new Set(lines.map((line) => /"replyId":"([^"]+)"/.exec(line)?.[1])).size).toBe(2 * id);
  }
}

it("is approved by one button of the list that the command shows, and of the list in the channel", () =>
  withSlack((rig, desk) =>
    withTools(rig, async (tools) => {
      await desk.connected();
      await ask(desk, tools, 1);
      const seen = desk.ara.command("prompts", { channel: desk.place });
      expect(await seen.told(20_000)).toMatch(
        /Same request, 2 times: touch made\.txt · .*\n.* answer \S+,\S+ yes/,
      );
      const shown = desk.slack.world.conversations.ephemerals.at(-1)!;
      const [together] = listButtons(shown);
      const told = await desk.ara.pressSeen(shown, together!).told(20_000);
      expect(told).toMatch(/^[a-z0-9]+, [a-z0-9]+: Yes, accepted$/);
      await expectYeses(rig, desk, tools, 1);
      // The old button answers nothing twice.
      expect(await desk.ara.pressSeen(shown, together!).told(20_000)).not.toContain("accepted");

      await ask(desk, tools, 2);
      desk.ara.mention(desk.place, "prompts");
      const find = () =>
        desk.slack
          .posts(desk.place)
          .find((post) => desk.shown(post).includes("Same request, 2 times: touch other.txt"));
      const list = await desk.slack.waitFor(find, "the list in the channel");
      expect(await desk.ara.press(list, 0).told(20_000)).toMatch(/: Yes, accepted$/);
      await expectYeses(rig, desk, tools, 2);
      expect(await desk.ara.press(list, 0).told(20_000)).not.toContain("accepted");
      expect(
        rig.record.filter(
          (line) => line.includes(" injection_ended ") && line.includes('"outcome":"answered"'),
        ),
      ).toHaveLength(4);
      expect((await rig.home.run("audit", "verify")).code).toBe(0);
    }),
  ));
