/**
 * Two homes with one bot: `status` and `doctor` of both say so, and a tap that the wrong hub receives types nothing and leaves the
 * card to its own hub.
 */
import { expect, it } from "vitest";
import type { Diagnosis } from "../../src/doctor/check.js";
import type { HubStatus } from "../../src/wire/listings.js";
import { eventually } from "../support/hub-home.js";
import { Replay } from "../support/rig/replay.js";
import { type Rig, withRig } from "../support/rig/rig.js";

const POLLED = "another AtlasBridge or program polls this bot";

async function telegramState({ home }: Rig): Promise<HubStatus["channels"][number] | undefined> {
  const { hub } = await home.data<{ hub: HubStatus }>("status");
  return hub.channels.find(({ id }) => id === "telegram");
}

it("two hubs on one bot both say so, and neither answers for the other", () =>
  withRig((first) =>
    withRig(
      async (second) => {
        const replay = Replay.start(first, ["bash"]);
        const card = await replay.run.card();
        await second.home.run("hub", "start");
        for (const rig of [first, second]) {
          await eventually(async () => (await telegramState(rig))?.reason === POLLED);
          const { stdout } = await rig.home.run("doctor", "--json");
          const { checks } = (JSON.parse(stdout) as { data: Diagnosis }).data;
          expect(checks.find(({ name }) => name === "channel:telegram")).toMatchObject({
            state: "fail",
            found: `the hub reports: degraded: ${POLLED}`,
          });
        }
        await first.home.run("hub", "stop");
        expect(await card.press(1)).toMatch(/^Another AtlasBridge uses this bot: .*typed nothing/);
        expect(card.tokens).not.toEqual([]);
        expect(replay.typed).toEqual([]);
        await first.home.run("hub", "start");
        await second.home.run("hub", "stop");
        await card.press(4);
        expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
      },
      { beside: first },
    ),
  ));
