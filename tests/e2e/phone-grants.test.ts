/** "Yes for…" under a card on the phone: the offers come below it, a tap on one answers, and the same request is not asked again. */
import { afterEach, expect, it } from "vitest";
import type { PromptEvent } from "../../src/model/prompt.js";
import { FakeWorker } from "../support/fake-worker.js";
import { eventually } from "../support/hub-home.js";
import { commandPrompt } from "../support/policy/policies.js";
import { withRig, type Rig } from "../support/rig/rig.js";

const workers: FakeWorker[] = [];
afterEach(() => workers.splice(0).forEach((worker) => worker.close()));

function command(line: string): Partial<PromptEvent> {
  const { content, safetyClass, choices, constraints } = commandPrompt(line);
  return { content, safetyClass, choices, constraints };
}

const readState = async (rig: Rig, shortId: string) =>
  (await rig.prompts()).find((prompt) => prompt.shortId === shortId)?.state;

it("is offered, given and ended from a phone", () =>
  withRig(async (rig) => {
    expect((await rig.home.run("hub", "start")).code).toBe(0);
    const worker = new FakeWorker(rig.home.paths, { label: "api" });
    workers.push(worker);
    await eventually(() => worker.link.state === "connected");
    const first = await worker.raise(command("npm test"));
    const card = await rig.phone.card("api");
    await card.pressWords("Yes for…");
    const offer = await rig.telegram.waitFor(
      () =>
        rig.telegram.posts(rig.phone.user.id).find(({ text }) => text.startsWith("Nothing was answered yet")),
      "the offers",
    );
    expect(offer.text).toContain("npm test");
    expect(await readState(rig, first)).toBe("pending");
    const row = offer.buttons.findIndex(([button]) => button?.text === "Yes, 5 times, in this session");
    rig.phone.user.press(offer.id, row, rig.phone.user.id);
    expect(await card.settled()).toMatch(/^✅ Yes, by Ara/);
    const second = await worker.raise(command("npm test"));
    await eventually(async () => (await readState(rig, second)) === "answered");
    rig.phone.user.send("grants");
    await rig.phone.notice(/^g1 {2}.*npm test.*used 1 of 5/);
    rig.phone.user.send("revoke g1");
    await rig.phone.notice(/^Ended: g1/);
    const third = await worker.raise(command("npm test"));
    expect(await readState(rig, third)).toBe("pending");
    // The offers are gone from the chat with the answer.
    const offers = () => rig.telegram.messages(rig.phone.user.id).find(({ id }) => id === offer.id);
    await eventually(() => (offers()?.buttons.length ?? 0) === 0);
  }));
