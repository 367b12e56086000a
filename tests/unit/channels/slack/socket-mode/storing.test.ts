/** Acknowledged within three seconds, after it was stored; repeated, reordered and duplicate envelopes do no harm. */
import { describe, expect, it } from "vitest";
import { promptNotice } from "../../../../contract/channel/notices.js";
import { useLine } from "./line.js";

describe("what comes over the connection to Slack", () => {
  const line = useLine();
  const { start, gateway, until, connected, received, deliver, texts } = line;

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
  ])("is not hurt by what cannot be read: %s", async (frame) => {
    await start();
    await connected();
    gateway().babble(frame);
    line.bench.ara.say("hello");
    await until(() => texts().includes("hello"), "the next event");
    await connected();
  });

  it("acknowledges within three seconds although two hundred answers come at once to a slow disk", async () => {
    await start();
    await connected();
    line.bench.host.beforeStore = () => new Promise((resolve) => setTimeout(resolve, 5));
    const card = line.bench.post(await deliver());
    const acks = await Promise.all(Array.from({ length: 200 }, () => line.bench.ara.press(card, 0).ack));
    expect(acks.every(({ kind }) => kind === "acked")).toBe(true);
    const slowest = Math.max(
      ...gateway().records.map(({ sentAt, ackedAt }) => (ackedAt ?? Infinity) - sentAt),
    );
    expect(slowest).toBeLessThan(3_000);
    expect(line.bench.host.updates.size).toBe(200);
  });

  it("acknowledges nothing that it could not store, and the event comes again", async () => {
    await start({ storeMs: 50 }, { timing: { ackMs: 200, eventRetryMs: [0, 0] } });
    await connected();
    let full = true;
    line.bench.host.beforeStore = () => (full ? Promise.reject(new Error("disk full")) : Promise.resolve());
    line.bench.ara.say("hello");
    await until(() => gateway().records.length >= 2, "the second attempt");
    expect(line.bench.host.health).toContainEqual(
      expect.objectContaining({ state: "degraded", reason: "an answer could not be stored" }),
    );
    full = false;
    await until(() => texts().length === 1, "the event");
    await connected();
  });

  it("stores an event once that came again because its acknowledgement was lost", async () => {
    await start({}, { timing: { ackMs: 100, eventRetryMs: [0, 0, 0] } });
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

  it("keeps apart what a person did twice and what the service repeated", async () => {
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

  it("takes events in any order", async () => {
    await start();
    await connected();
    gateway().hold();
    for (const word of ["one", "two", "three"]) line.bench.ara.say(word);
    gateway().release("reversed");
    await until(() => texts().length === 3, "three events");
    expect(texts()).toEqual(["three", "two", "one"]);
  });

  it("stores no verification token and no trace of its own messages", async () => {
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

  it("goes on under the same key after a restart: an event that is known is not stored twice", async () => {
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
