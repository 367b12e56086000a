/** A call for a session that has not come back to a hub that has just started waits for it, and not for ever. */
import { expect, it } from "vitest";
import { createLinkWait, RETURN_LIMIT_MS } from "../../../../src/hub/console/await-link.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import type { WorkerLink } from "../../../../src/wire/connection-ends.js";
import { turns } from "../fake-channel.js";

const LINK: WorkerLink = { call: () => Promise.reject(new Error("not called")) };

it("waits for a session that comes back", async () => {
  const clock = new ManualClock();
  let link: WorkerLink | null = null;
  const awaited = createLinkWait(clock, () => link)("work");
  await turns();
  link = LINK;
  clock.advance(1_000);
  expect(await awaited).toBe(LINK);
});

it("gives up on a session that does not come back in time, and waits for none later", async () => {
  const clock = new ManualClock();
  const awaitLink = createLinkWait(clock, () => null);
  const awaited = awaitLink("work");
  for (let waited = 0; waited <= RETURN_LIMIT_MS; waited += 50) {
    await turns();
    clock.advance(50);
  }
  expect(await awaited).toBeNull();
  expect(await awaitLink("work")).toBeNull();
});

it("keeps the order of the calls for a session, also of one that comes when it is back", async () => {
  const clock = new ManualClock();
  let link: WorkerLink | null = null;
  const awaitLink = createLinkWait(clock, () => link);
  const done: number[] = [];
  const call = (n: number): unknown => awaitLink("work").then(() => done.push(n));
  call(1);
  clock.advance(30);
  call(2);
  link = LINK;
  call(3);
  clock.advance(50);
  await turns();
  call(4);
  await turns();
  expect(done).toEqual([1, 2, 3, 4]);
});
