/** A decision counts as read only when the peer responds to a later request, or acknowledges it. */
import { expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  confirmDelivery,
  DELIVERY_KNOWN_WITHIN_MS,
} from "../../../../src/worker/prompts/confirm-delivery.js";

const never = new Promise<never>(() => undefined);

it("a peer that responds to a later request has read the decision", async () => {
  const peer = { ping: () => Promise.resolve() };
  expect(await confirmDelivery(peer, never, new ManualClock())).toBe("heard");
});

it.each([
  ["messages that counted before", { messages: 7, ping: () => never }],
  ["nothing", { ping: () => never }],
])("a peer that sends %s and no response has not proved that it read the decision", async (_, peer) => {
  const clock = new ManualClock();
  const proof = confirmDelivery(peer, never, clock);
  await new Promise((resolve) => setImmediate(resolve));
  if ("messages" in peer) peer.messages += 1;
  clock.advance(DELIVERY_KNOWN_WITHIN_MS);
  expect(await proof).toBe("silent");
});

it("a peer that ends before it responds has not proved that it read the decision", async () => {
  const peer = { messages: 1, ping: () => Promise.reject(new Error("the connection ended")) };
  const proof = confirmDelivery(peer, never, new ManualClock());
  peer.messages += 1;
  expect(await proof).toBe("gone");
  const exited = Promise.resolve();
  expect(await confirmDelivery({ ping: () => never }, exited, new ManualClock())).toBe("gone");
});

it("only the acknowledgement counts where the tool gives one", async () => {
  const peer = { ping: () => Promise.resolve() };
  const acknowledged = () => Promise.resolve("refused" as const);
  expect(await confirmDelivery(peer, never, new ManualClock(), acknowledged)).toBe("refused");
});
