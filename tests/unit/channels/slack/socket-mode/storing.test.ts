/** An event of Slack is acknowledged after it was stored, and only then, and a repeated event is stored once. */
import { describe, expect, it } from "vitest";
import { promptNotice } from "../../../../../src/compat/testing/notices.js";
import { useLine } from "./line.js";
import { HANG_MS } from "../../../../support/hang-guards.js";

/** The service sends an event again until the test is over. */
const AGAIN = Array<number>(3_000).fill(20);

describe("an event over the connection to Slack", () => {
  const line = useLine();
  const { start, gateway, until, connected, received, deliver, texts, health, last } = line;

  it.each([
    "",
    "null",
    "7",
    "[]",
    "{",
    '{"type":"hello"',
    '{"type":"events_api","envelope_id":"e","payload":{"type":"app_rate_limited"}}',
    '{"type":"events_api","envelope_id":"e","payload":{"event":null}}',
    '{"type":"events_api","envelope_id":"e"}',
    '{"type":"interactive","envelope_id":7,"payload":{}}',
    '{"type":"close","envelope_id":"e","payload":{}}',
    '{"type":"disconnect"}',
  ])("is taken after data that cannot be read: %s", async (frame) => {
    await start();
    await connected();
    gateway().babble(frame);
    line.bench.ara.say("hello");
    await until(() => texts().includes("hello"), "the next event");
    await connected();
  });

  it("is acknowledged although two hundred come at once to a slow disk", async () => {
    await start({ storeMs: HANG_MS }, { timing: { ackMs: HANG_MS } });
    await connected();
    line.bench.host.beforeStore = () => new Promise((resolve) => setImmediate(resolve));
    const card = line.bench.post(await deliver());
    const acks = await Promise.all(Array.from({ length: 200 }, () => line.bench.ara.press(card, 0).ack));
    expect(acks.every(({ kind }) => kind === "acked")).toBe(true);
    expect(line.bench.host.updates.size).toBe(200);
  });

  it("is not acknowledged when it could not be stored, and comes again", async () => {
    await start({ storeMs: 50 }, { timing: { ackMs: 200, eventRetryMs: AGAIN } });
    await connected();
    let full = true;
    line.bench.host.beforeStore = () => (full ? Promise.reject(new Error("disk full")) : Promise.resolve());
    line.bench.ara.say("hello");
    await until(() => gateway().records.length >= 2, "the second attempt");
    await health("degraded");
    expect(last()).toMatchObject({ reason: "an answer could not be stored" });
    full = false;
    await until(() => texts().length === 1, "the event");
    await connected();
  });

  it("is stored once when it came again because its acknowledgement was lost", async () => {
    await start({}, { timing: { ackMs: 100, eventRetryMs: AGAIN } });
    await connected();
    let cut = 2;
    line.bench.host.onUpdate = () => {
      cut -= 1;
      if (cut >= 0) gateway().cut();
    };
    line.bench.ara.say("hello");
    await until(() => gateway().records.some(({ ackedAt }) => ackedAt !== null), "an acknowledgement");
    expect(texts()).toEqual(["hello"]);
  });

  it("is stored twice when a person acted twice, and once when the service repeated it", async () => {
    await start();
    await connected();
    const card = line.bench.post(await deliver());
    await line.bench.ara.press(card, 0).ack;
    gateway().repeatLast();
    await until(
      () => gateway().records.length === 2 && gateway().records[1]!.ackedAt !== null,
      "the repetition",
    );
    await line.bench.ara.press(card, 0).ack;
    expect(line.bench.host.updates.size).toBe(2);
  });

  it("is taken in any order", async () => {
    await start();
    await connected();
    gateway().hold();
    for (const word of ["one", "two", "three"]) line.bench.ara.say(word);
    gateway().release("reversed");
    await until(() => texts().length === 3, "three events");
    expect(texts()).toEqual(["three", "two", "one"]);
  });

  it("is stored without its verification token, and never for our own messages", async () => {
    await start();
    await connected();
    const im = line.bench.ara.im!;
    await line.bench.channel.deliver(promptNotice(im));
    line.bench.ara.say("hello");
    await until(() => texts().length === 1, "the event");
    expect(JSON.stringify([...line.bench.host.updates])).not.toContain("verification-token");
    expect(line.bench.host.meanings(line.bench.channel).filter((meaning) => meaning !== null)).toHaveLength(
      1,
    );
  });

  it("has the same key after a restart, so that a known event is not stored twice", async () => {
    await start();
    await connected();
    line.bench.ara.say("hello");
    await received(1);
    await line.bench.channel.stop();
    const survivor = line.bench.again();
    await survivor.start(line.bench.host);
    await connected();
    gateway().repeatLast();
    await until(
      () => gateway().records.length === 2 && gateway().records[1]!.ackedAt !== null,
      "the repetition",
    );
    expect(line.bench.host.updates.size).toBe(1);
  });
});
