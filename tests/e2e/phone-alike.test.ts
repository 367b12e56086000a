/** The same request of several sessions, answered together from a phone: each by its own claim and its own proof, and what is gone is named. */
import { expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import type { Message } from "../support/telegram/emulator.js";
import { JoinedRun } from "../support/rig/joined.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const LABELS = ["one", "two", "three"];
const COMMAND = "touch made.txt";

/** One session each, whose interface is up and which is joined. */
async function withTools(rig: Rig, test: (tools: readonly JoinedRun[]) => Promise<void>): Promise<void> {
  const open = (tools: readonly JoinedRun[]): Promise<void> => {
    const label = LABELS[tools.length];
    return label === undefined
      ? test(tools)
      : JoinedRun.with(rig, { label }, (tool) => open([...tools, tool]));
  };
  await open([]);
}

/** The list that `prompts` brings, as it is when one request is asked as often as this. */
async function findList(rig: Rig, times: number): Promise<Message> {
  const { telegram, phone } = rig;
  phone.user.send("prompts");
  const find = (): Message | undefined =>
    telegram
      .posts(phone.user.id)
      .find(({ text }) => text.includes(`Same request, ${times} times: ${COMMAND} · `));
  return telegram.waitFor(find, "the list with its button");
}

it("is approved by one tap for those that still ask, with the one that is gone left out by name", () =>
  withRig((rig) =>
    withTools(rig, async (tools) => {
      await Promise.all(tools.map((tool) => tool.becomesKnown()));
      for (const tool of tools) {
        tool.asks(1, COMMAND);
        tool.draws(COMMAND);
      }
      const cards = await Promise.all(tools.map((tool) => tool.run.card()));
      const ids = cards.map(({ shortId }) => shortId);
      const { id, buttons, text } = await findList(rig, 3);
      const [button] = buttons.flat();
      const [gone, ...asked] = [...(text.match(/answer (\S+) yes/)?.[1]?.split(",") ?? [])];
      expect([gone, ...asked].sort()).toEqual(ids.toSorted());
      expect(button?.text).toBe(`Yes to these 3: ${[gone, ...asked].join(", ")}`);

      // Somebody answers the first of them at its keyboard meanwhile.
      const there = tools[ids.indexOf(gone ?? "")];
      there?.run.terminal.press("y");
      await eventually(() => there?.heard === "y");
      there?.goesOn(1);
      await cards[ids.indexOf(gone ?? "")]?.settled();

      const tap = await rig.phone.user.pressToken(id, button?.data ?? "").answered();
      expect(tap.text).toBe(
        `${asked.join(", ")}: Yes, accepted\nLeft out:\n${gone}: The prompt is gone: it was answered at the terminal or disappeared.`,
      );
      for (const tool of tools.filter((each) => each !== there)) {
        await eventually(() => tool.server.answers.length === 1);
        tool.goesOn(1);
        expect(tool.server.answers).toEqual([{ id: 1, result: { decision: "accept" } }]);
      }
      const ends = await Promise.all(cards.map((card) => card.settled()));
      expect(ends.toSorted()).toEqual([
        "⌨️ Answered at the terminal",
        "✅ Yes, by Ara, confirmed",
        "✅ Yes, by Ara, confirmed",
      ]);
      expect(there?.server.answers).toEqual([]);
      for (const step of ["prompt_claimed", "injection_ended"]) {
        const lines = rig.record.filter((line) => line.includes(` ${step} `));
        expect(new Set(lines.map((line) => /"replyId":"([^"]+)"/.exec(line)?.[1])).size).toBe(2);
      }
      // A second tap on the old button answers nothing twice.
      const again = await rig.phone.user.pressToken(id, button?.data ?? "").answered();
      expect(again.text).not.toContain("accepted");
      expect((await rig.home.run("audit", "verify")).code).toBe(0);
    }),
  ));
