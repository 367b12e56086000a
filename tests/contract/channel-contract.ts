/** What every channel keeps to, whatever service is behind it. A channel's own test file describes its bench. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Channel, ChannelPlugin, Inbound, Notice } from "../../src/sdk/channel.js";
import type { DeliveryRef } from "../../src/sdk/delivery-ref.js";
import { CHANNEL_API, DeliveryError } from "../../src/sdk/channel.js";
import { skipped } from "../support/skipped.js";
import { buttonsFor, CHOICES, freeTextNotice, promptNotice, textNotice } from "./channel/notices.js";
import type { RecordingHost } from "./channel/recording-host.js";
import { HANG_MS } from "../support/hang-guards.js";

const NO_EDIT = "the channel says that it cannot change what it posted, so `settle` is never called";

export interface Bench {
  readonly host: RecordingHost;
  readonly channel: Channel;
  readonly place: string;
  /** Words that must never be spoken: tokens. */
  readonly secrets: readonly string[];
  /** Another channel on the same service and the same disk, as after a restart. Not started. */
  again(): Channel;
  until(probe: () => boolean, what: string): Promise<void>;
  stop(): Promise<void>;
}

/** Benches of channels with a service of their own, which can fail and be tapped. */
export interface ServiceBench extends Bench {
  /** A person presses the first button of a delivered card. Resolves with what they are told. */
  tap(ref: DeliveryRef): { told(): Promise<string>; again(): void };
  /** A person answers a delivered card with text, in whatever way the service has for it. Never called without `freeText`. */
  reply(ref: DeliveryRef, text: string): void;
  /** The next post hangs; the returned promise of `deliver` stays open. */
  hangNextPost(): void;
  loseNextResponse(): void;
  outage(): Promise<void>;
  restore(): Promise<void>;
  /** What people see of a card now, buttons included. Never called without `edit`. */
  shown(ref: DeliveryRef): string;
}

const OUTCOME = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true } as const;
const LATER = { state: "withdrawn", text: "answered at the terminal", final: true } as const;

export function describeChannel<Config>(plugin: ChannelPlugin<Config>, open: () => Promise<Bench>): void {
  let bench: Bench;
  const notice = (): Notice => promptNotice(bench.place);

  beforeEach(async () => {
    bench = await open();
  });
  afterEach(() => bench.stop());

  describe("every channel", () => {
    it("says who it is and which contract it speaks", () => {
      expect(plugin.manifest.id).toMatch(/^[a-z][a-z0-9_-]{0,31}$/);
      expect(plugin.manifest.api).toBe(CHANNEL_API);
    });

    it("connects on its own after start", async () => {
      await bench.channel.start(bench.host);
      await bench.until(() => bench.host.state === "connected", "the channel to connect");
    });

    it("delivers before it is started, and returns a reference that survives the disk", async () => {
      const ref = await bench.channel.deliver(notice());
      expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
    });

    it("gives every delivery a reference of its own", async () => {
      const [one, two] = [await bench.channel.deliver(notice()), await bench.channel.deliver(notice())];
      expect(one).not.toEqual(two);
    });

    it("delivers plain texts", async () => {
      await expect(
        bench.channel.deliver(textNotice(bench.place, "paused <for> now & here")),
      ).resolves.toBeDefined();
    });

    describe.skipIf(skipped(plugin.manifest.capabilities.edit ? null : NO_EDIT))(
      "that can change cards",
      () => {
        it("settles a card twice without complaint", async () => {
          const sent = notice();
          const ref = await bench.channel.deliver(sent);
          await bench.channel.settle(ref, sent, OUTCOME);
          await bench.channel.settle(ref, sent, OUTCOME);
        });

        it("settles with another outcome after the first", async () => {
          const sent = notice();
          const ref = await bench.channel.deliver(sent);
          await bench.channel.settle(ref, sent, OUTCOME);
          await bench.channel.settle(ref, sent, LATER);
        });

        it("settles after a restart, from the reference and the notice alone", async () => {
          const sent = notice();
          const ref = await bench.channel.deliver(sent);
          await bench.again().settle(ref, sent, OUTCOME);
        });
      },
    );

    it.each([
      null,
      undefined,
      7,
      "text",
      [],
      {},
      { update: null },
      { receivedAt: 1, update: { message: 7 } },
    ])("makes nothing of %j", (raw) => {
      expect(bench.channel.interpret(raw)).toBeNull();
    });

    it("never throws when it answers something that it cannot", async () => {
      await bench.channel.respond({ nonsense: true }, { text: "hello", alert: false });
    });

    it("stops twice, and without having been started", async () => {
      await bench.channel.stop();
      await bench.channel.stop();
      expect(bench.host.state).toBe("stopped");
    });

    it("speaks no token", async () => {
      await bench.channel.start(bench.host);
      await bench.until(() => bench.host.state === "connected", "the channel to connect");
      for (const secret of bench.secrets) expect(bench.host.spoken()).not.toContain(secret);
    });
  });
}

/** What a channel says it cannot do is not asked of it. */
export function describeService<Config>(
  { manifest: { capabilities } }: Pick<ChannelPlugin<Config>, "manifest">,
  open: () => Promise<ServiceBench>,
): void {
  let bench: ServiceBench;

  beforeEach(async () => {
    bench = await open();
  });
  afterEach(() => bench.stop());

  const started = async (): Promise<void> => {
    await bench.channel.start(bench.host);
    await bench.until(() => bench.host.state === "connected", "the channel to connect");
  };
  const deliver = (): Promise<DeliveryRef> => bench.channel.deliver(promptNotice(bench.place));
  const deliverFreeText = (): Promise<DeliveryRef> => bench.channel.deliver(freeTextNotice(bench.place));
  const received = (count: number): Promise<void> =>
    bench.until(() => bench.host.updates.size >= count, `${count} updates`);
  const meanings = (): Inbound[] =>
    bench.host.meanings(bench.channel).filter((meaning): meaning is Inbound => meaning !== null);
  const classifyKind = ({ kind }: Inbound): string => kind;
  const tapsWith = (token: string): Inbound[] =>
    meanings().filter((meaning) => meaning.kind === "tap" && meaning.token === token);
  const texts = (): Inbound[] => meanings().filter((meaning) => classifyKind(meaning) === "text_reply");

  describe("every channel with a service", () => {
    it("can be asked whether the service answers at this moment, and posts nothing by it", async () => {
      await started();
      expect("probe" in bench.channel, "a channel with a service has `probe`").toBe(true);
      await expect(bench.channel.probe?.(HANG_MS)).resolves.toBeUndefined();
      await bench.outage();
      await expect(bench.channel.probe?.(HANG_MS)).rejects.toBeInstanceOf(DeliveryError);
    });

    it("brings a tap home with the button's token and who pressed it", async () => {
      await started();
      const ref = await deliver();
      bench.tap(ref);
      await received(1);
      expect(meanings()).toEqual([
        expect.objectContaining({ kind: "tap", token: "tok-a-1", ref, place: bench.place }),
      ]);
    });

    it.skipIf(skipped(capabilities.freeText ? null : "the channel says that people cannot send words there"))(
      "brings a reply home with the reference of the card it answers",
      async () => {
        await started();
        const ref = await deliverFreeText();
        bench.reply(ref, "use tabs");
        await bench.until(() => texts().length > 0, "the reply");
        expect(texts()).toEqual([expect.objectContaining({ ref, text: "use tabs" })]);
      },
    );

    it("tells the tapper although a post hangs", async () => {
      await started();
      const ref = await deliver();
      bench.host.onUpdate = (raw) => void bench.channel.respond(raw, { text: "Yes, noted", alert: false });
      bench.hangNextPost();
      const stuck = deliver().catch((error: unknown) => error);
      expect(await bench.tap(ref).told()).toBe("Yes, noted");
      expect(await Promise.race([stuck, Promise.resolve("still open")])).toBe("still open");
    });

    it("stores an update before it moves on, and gets it again if it died in between", async () => {
      await started();
      const ref = await deliver();
      // The disk hangs, and the process dies with the update in its hands.
      let bury = (): void => undefined;
      const died = new Promise<void>((resolve) => {
        bury = resolve;
      });
      let inHand = false;
      bench.host.beforeStore = () => {
        inHand = true;
        bench.host.onChange();
        return died;
      };
      const before = [...bench.host.steps];
      bench.tap(ref);
      await bench.until(() => inHand, "the update to arrive");
      bench.host.beforeStore = () => Promise.resolve();
      expect(bench.host.steps).toEqual(before);
      const survivor = bench.again();
      await survivor.start(bench.host);
      await received(1);
      await survivor.stop();
      bury();
    });

    it("keeps an update for later when the store fails, and says so", async () => {
      await started();
      const ref = await deliver();
      let failures = 0;
      bench.host.beforeStore = () => {
        failures += 1;
        return failures < 3 ? Promise.reject(new Error("disk full")) : Promise.resolve();
      };
      bench.tap(ref);
      await received(1);
      expect(bench.host.health).toContainEqual(expect.objectContaining({ state: "degraded" }));
      await bench.until(() => bench.host.state === "connected", "the channel to recover");
    });

    it("stores a repeated update once", async () => {
      await started();
      const other = promptNotice(bench.place, { buttons: buttonsFor(CHOICES, "b") });
      const [ref, later] = [await deliver(), await bench.channel.deliver(other)];
      const tap = bench.tap(ref);
      await received(1);
      tap.again();
      bench.tap(later);
      await bench.until(() => tapsWith("tok-b-1").length > 0, "the tap after it");
      expect(tapsWith("tok-a-1")).toHaveLength(1);
      expect(tapsWith("tok-b-1")).toHaveLength(1);
    });

    it("turns an outage into a state with advice, and recovers by itself with nothing lost", async () => {
      await started();
      const ref = await deliver();
      await bench.outage();
      await bench.until(() => bench.host.state === "degraded", "the outage to be noticed");
      expect(bench.host.health.at(-1)).toMatchObject({
        reason: expect.any(String) as string,
        action: expect.any(String) as string,
      });
      bench.tap(ref);
      await bench.restore();
      await received(1);
      await bench.until(() => bench.host.state === "connected", "the channel to recover");
    });

    it("knows that nothing was posted during an outage", async () => {
      await bench.outage();
      const error = await deliver().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(DeliveryError);
      expect(error).toMatchObject({ certainty: "not_sent", permanent: false });
      await bench.restore();
    });

    it("does not know whether something was posted when the response is lost", async () => {
      bench.loseNextResponse();
      const error = await deliver().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: "DeliveryError", certainty: "unknown", permanent: false });
    });

    it("speaks no token and no text of a card in errors and logs", async () => {
      await started();
      bench.loseNextResponse();
      const lost = await deliver().catch((caught: unknown) => caught);
      await bench.outage();
      const refused = await deliver().catch((caught: unknown) => caught);
      await bench.until(() => bench.host.state === "degraded", "the outage to be noticed");
      const spoken = [bench.host.spoken(), everythingIn(lost), everythingIn(refused)].join("\n");
      for (const secret of [...bench.secrets, "npm test", "tok-a-1"]) expect(spoken).not.toContain(secret);
    });

    it.skipIf(skipped(capabilities.edit ? null : NO_EDIT))(
      "takes the buttons away once the outcome is final",
      async () => {
        const sent = promptNotice(bench.place);
        const ref = await bench.channel.deliver(sent);
        expect(bench.shown(ref)).toContain("tok-a-1");
        await bench.channel.settle(ref, sent, OUTCOME);
        expect(bench.shown(ref)).toContain(OUTCOME.text);
        expect(bench.shown(ref)).toContain(sent.content.text);
        expect(bench.shown(ref)).not.toContain("tok-a-1");
      },
    );

    it("ends while it waits for updates", async () => {
      await started();
      await bench.channel.stop();
      expect(bench.host.state).toBe("stopped");
    });
  });
}

function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const own = Object.getOwnPropertyNames(error).map((name) => String((error as never)[name]));
  return [String(error), error.stack, ...own, everythingIn(error.cause ?? null)].join("\n");
}
