/** While nothing can be written to disk, no card is posted twice, no service is called without a pause, and no loop spins. */
import { describe, expect, it, vi } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { DeliveryError } from "../../../../src/sdk/channel.js";
import { turns } from "../fake-channel.js";
import { makeRig, type Rig } from "../rig.js";

const MINUTES = 5;

/** A hub whose disk is full from the first call to the service on. */
async function fillingUp(refuse: () => "lost" | undefined = () => undefined) {
  const rig = await makeRig();
  const write = rig.store.write.bind(rig.store);
  const disk = { isFull: false, tries: 0 };
  vi.spyOn(rig.store, "write").mockImplementation((work) => {
    disk.tries += 1;
    if (disk.isFull) throw new AtlasBridgeError("ATB_STORE_FAILED", "disk full");
    return write(work);
  });
  let calls = 0;
  rig.chat.fault = () => {
    calls += 1;
    disk.isFull = true;
    return refuse();
  };
  const event = await rig.raise();
  disk.tries = 0;
  await pass(rig, MINUTES * 60_000);
  return { rig, event, disk, calls: () => calls };
}

async function pass(rig: Rig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    rig.clock.advance(1_000);
    await turns();
  }
}

describe("while nothing can be written", () => {
  it("a card that was posted is not posted again, and takes its tap once that is on record", async () => {
    const { rig, event, disk } = await fillingUp();
    expect(rig.chat.cards()).toHaveLength(1);
    disk.isFull = false;
    await pass(rig, 10_000);
    expect(rig.chat.cards()).toHaveLength(1);
    await rig.chat.tap(rig.chat.cards()[0]!, "1");
    expect(rig.readState(event)).toBe("answering");
  });

  it("a service that fails is not asked without a pause, and is asked again afterwards", async () => {
    const { rig, disk, calls } = await fillingUp(() => {
      throw new DeliveryError("the service is away", { certainty: "not_sent" });
    });
    expect(calls()).toBe(1);
    disk.isFull = false;
    rig.chat.fault = () => undefined;
    await pass(rig, 60_000);
    expect(rig.chat.cards()).toHaveLength(1);
  });

  it("a card of a removed channel is given up again only every few seconds", async () => {
    const { rig, disk } = await fillingUp(() => {
      throw new DeliveryError("the service is away", { certainty: "not_sent" });
    });
    disk.isFull = false;
    await pass(rig, 10_000);
    disk.isFull = true;
    await rig.core.useChannels([]);
    disk.tries = 0;
    await pass(rig, MINUTES * 60_000);
    expect(disk.tries).toBeLessThan(MINUTES * 60);
    disk.isFull = false;
    await pass(rig, 10_000);
    expect(rig.store.outbox.count()).toBe(0);
  });
});
