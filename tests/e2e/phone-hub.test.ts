/**
 * A card answers its prompt after the hub was killed and started again, and two sessions on one bot never get each other's
 * answers. A session that ends settles its open card.
 */
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { isAlive } from "../support/rig/processes.js";
import { Replay } from "../support/rig/replay.js";
import { withRig } from "../support/rig/rig.js";

describe.concurrent("a hub that is killed while a question is open", () => {
  it("leaves tool and terminal alone, comes back, and the same card answers", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"]);
      const card = await replay.run.card();
      const { screen } = replay.run.terminal;
      const killed = await rig.killHub();
      expect(await rig.hubPid()).not.toBe(killed);
      expect(replay.run.terminal.screen).toBe(screen);
      expect(replay.run.cards).toHaveLength(1);
      await card.press(4);
      expect(await card.settled()).toBe("✅ No, by Ara, confirmed");
      expect(replay.typed).toEqual(["4"]);
      expect(replay.run.cards).toHaveLength(1);
    }));

  it("lets the keyboard answer, and the card is settled when the hub is back", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"]);
      const card = await replay.run.card();
      await replay.run.terminal.settled();
      await rig.killHub();
      replay.run.terminal.press("4");
      await replay.answered(1);
      expect(await card.settled()).toBe("⌨️ Answered at the terminal");
    }));

  it("twice in a row, while two sessions wait: every tap still goes where it belongs", () =>
    withRig(async (rig) => {
      const one = Replay.start(rig, ["bash"], { label: "one" });
      const two = Replay.start(rig, ["write"], { label: "two" });
      const cards = await Promise.all([one.run.card(), two.run.card()]);
      await rig.killHub();
      await rig.killHub();
      await Promise.all([cards[0].press(4), cards[1].press(1)]);
      await Promise.all(cards.map((card) => card.settled()));
      expect([one.typed, two.typed]).toEqual([["4"], ["1"]]);
    }));
});

describe.concurrent("two sessions on one bot", () => {
  it("never get each other's answers", () =>
    withRig(async (rig) => {
      const labels = ["one", "two"];
      const replays = labels.map((label) => Replay.start(rig, ["bash", "bash"], { label }));
      for (const nth of [1, 2]) {
        const cards = await Promise.all(replays.map(({ run }) => run.card(nth)));
        await Promise.all(cards.map((card, index) => card.press(index === 0 ? 1 : 4)));
        await Promise.all(cards.map((card) => card.settled()));
      }
      expect(replays.map(({ typed }) => typed)).toEqual([
        ["1", "1"],
        ["4", "4"],
      ]);
    }));
});

describe.concurrent("a session that ends with an open question", () => {
  it("settles the card and shows the exit code when the tool is killed", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { label: "doomed" });
      const card = await replay.run.card();
      const [yes = ""] = card.tokens;
      process.kill((await replay.pids()).tool, "SIGKILL");
      expect(await replay.run.exited).toBe(128 + 9);
      expect(await card.settled()).toBe("⏹ The session ended; AtlasBridge typed nothing");
      expect(await rig.phone.notice(/doomed|ended/)).toMatch(/SIGKILL|137/);
      expect(await card.pressOld(yes)).toMatch(/ended/);
    }));

  it("settles the card when the run is killed, and the tool ends with it", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"]);
      const card = await replay.run.card();
      const { tool, worker } = await replay.pids();
      process.kill(worker, "SIGKILL");
      expect(await card.settled()).toBe(
        "⏹ AtlasBridge's process for this session has exited; AtlasBridge typed nothing. Check the terminal.",
      );
      await eventually(() => !isAlive(tool));
    }));
});
