/** What every channel with a service of its own keeps to: outages, lost responses, a crash between store and offset. */
import assert from "node:assert/strict";
import { DeliveryError, type ChannelPlugin, type Inbound } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import {
  assertUnspoken,
  deliver,
  makeChecks,
  OUTCOME,
  start,
  type ChannelBench,
  type Demand,
} from "./channel-kit.js";
import type { ContractCheck } from "./check.js";
import { buttonsFor, CHOICES, freeTextNotice, promptNotice } from "./notices.js";

/** A bench of a channel with a service of its own, which can fail and be tapped. */
export interface ServiceBench extends ChannelBench {
  /** Who taps and replies, as `<channel>:<user id>`. */
  readonly person: string;
  /** A person presses the first button of a delivered card. `told` resolves with what they are told; `again` repeats the update. */
  tap(ref: DeliveryRef): { told(): Promise<string>; again(): void };
  /** A person answers a delivered card with text, in whatever way the service has for it. Never called without `freeText`. */
  reply(ref: DeliveryRef, text: string): void;
  /** The next post hangs: the promise of `deliver` stays open. */
  hangNextPost(): void;
  /** The next post has its effect, and its response is lost. */
  loseNextResponse(): void;
  /** From now on the service is not there, until `restore`. */
  outage(): Promise<void>;
  restore(): Promise<void>;
  /** What people see of a card now, buttons included. Never called without `edit`. */
  shown(ref: DeliveryRef): string;
}

/** Of `probe`: only ends what hangs. */
const PROBE_MS = 60_000;

/** The checks of a channel with a service, beside those of every channel; `open` is called once for each. */
export function serviceChecks(
  plugin: Pick<ChannelPlugin<never>, "manifest">,
  open: () => Promise<ServiceBench>,
): readonly ContractCheck[] {
  return makeChecks(plugin, open, [...RECEIVES, ...STORES, ...FAILS, ...SHOWS]);
}

/** The delivery fails; resolves with its error. */
async function deliverInVain(bench: ChannelBench): Promise<unknown> {
  return deliver(bench).then(
    () => assert.fail("the delivery did not fail"),
    (error: unknown) => error,
  );
}

function received(bench: ServiceBench, count: number): Promise<void> {
  return bench.until(() => bench.host.updates.size >= count, `${count} updates`);
}

function meanings(bench: ServiceBench): Inbound[] {
  return bench.host.meanings(bench.channel).filter((meaning): meaning is Inbound => meaning !== null);
}

function tapsWith(bench: ServiceBench, token: string): Inbound[] {
  return meanings(bench).filter((meaning) => meaning.kind === "tap" && meaning.token === token);
}

const RECEIVES: readonly Demand<ServiceBench>[] = [
  {
    name: "can be asked whether the service answers at this moment",
    async run(bench) {
      await start(bench);
      assert.ok("probe" in bench.channel, "a channel with a service has `probe`");
      await bench.channel.probe(PROBE_MS);
      await bench.outage();
      await assert.rejects(async () => bench.channel.probe?.(PROBE_MS), DeliveryError);
    },
  },
  {
    name: "brings a tap home with the button's token and who pressed it",
    async run(bench) {
      await start(bench);
      const ref = await deliver(bench);
      bench.tap(ref);
      await received(bench, 1);
      const [tap, ...others] = meanings(bench);
      assert.deepEqual(others, []);
      assert.equal(tap?.kind, "tap");
      assert.deepEqual(
        { token: tap.token, ref: tap.ref, place: tap.place, identity: tap.identity },
        { token: "tok-a-1", ref, place: bench.place, identity: bench.person },
      );
    },
  },
  {
    name: "brings a reply home with the reference of the card it answers, and who wrote it",
    needs: "freeText",
    async run(bench) {
      await start(bench);
      const ref = await bench.channel.deliver(freeTextNotice(bench.place));
      bench.reply(ref, "use tabs");
      const texts = (): Extract<Inbound, { kind: "text_reply" }>[] =>
        meanings(bench).filter((meaning) => meaning.kind === "text_reply");
      await bench.until(() => texts().length > 0, "the reply");
      assert.deepEqual(
        texts().map((reply) => ({ ref: reply.ref, text: reply.text, identity: reply.identity })),
        [{ ref, text: "use tabs", identity: bench.person }],
      );
    },
  },
  {
    name: "tells the tapper although a post hangs",
    async run(bench) {
      await start(bench);
      const ref = await deliver(bench);
      bench.host.onUpdate = (raw) => void bench.channel.respond(raw, { text: "Yes, noted", alert: false });
      bench.hangNextPost();
      const stuck = deliver(bench).catch((error: unknown) => error);
      assert.equal(await bench.tap(ref).told(), "Yes, noted");
      assert.equal(await Promise.race([stuck, Promise.resolve("still open")]), "still open");
    },
  },
];

const STORES: readonly Demand<ServiceBench>[] = [
  {
    name: "stores an update before it moves on, and gets it again if it died in between",
    async run(bench) {
      await start(bench);
      const ref = await deliver(bench);
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
      assert.deepEqual(bench.host.steps, before);
      const survivor = bench.again();
      await survivor.start(bench.host);
      await received(bench, 1);
      await survivor.stop();
      bury();
    },
  },
  {
    name: "keeps an update for later when the store fails, and says so",
    async run(bench) {
      await start(bench);
      const ref = await deliver(bench);
      let failures = 0;
      bench.host.beforeStore = () => {
        failures += 1;
        return failures < 3 ? Promise.reject(new Error("disk full")) : Promise.resolve();
      };
      bench.tap(ref);
      await received(bench, 1);
      assert.ok(
        bench.host.health.some(({ state }) => state === "degraded"),
        "it does not report that the store fails",
      );
      await bench.until(() => bench.host.state === "connected", "the channel to recover");
    },
  },
  {
    name: "stores a repeated update once",
    async run(bench) {
      await start(bench);
      const other = promptNotice(bench.place, { buttons: buttonsFor(CHOICES, "b") });
      const [ref, later] = [await deliver(bench), await bench.channel.deliver(other)];
      const tap = bench.tap(ref);
      await received(bench, 1);
      tap.again();
      bench.tap(later);
      await bench.until(() => tapsWith(bench, "tok-b-1").length > 0, "the tap after it");
      assert.equal(tapsWith(bench, "tok-a-1").length, 1);
      assert.equal(tapsWith(bench, "tok-b-1").length, 1);
    },
  },
];

const FAILS: readonly Demand<ServiceBench>[] = [
  {
    name: "turns an outage into a state with advice, and recovers by itself with nothing lost",
    async run(bench) {
      await start(bench);
      const ref = await deliver(bench);
      await bench.outage();
      await bench.until(() => bench.host.state === "degraded", "the outage to be noticed");
      const health = bench.host.health.at(-1);
      assert.ok(health && "reason" in health && "action" in health, "the state has a reason and an action");
      bench.tap(ref);
      await bench.restore();
      await received(bench, 1);
      await bench.until(() => bench.host.state === "connected", "the channel to recover");
    },
  },
  {
    name: "knows that nothing was posted during an outage",
    async run(bench) {
      await bench.outage();
      const error = await deliverInVain(bench);
      assert.ok(error instanceof DeliveryError, `it is no DeliveryError: ${String(error)}`);
      const { certainty, permanent } = error;
      assert.deepEqual({ certainty, permanent }, { certainty: "not_sent", permanent: false });
      await bench.restore();
    },
  },
  {
    name: "does not know whether something was posted when the response is lost",
    async run(bench) {
      bench.loseNextResponse();
      const error = await deliverInVain(bench);
      assert.ok(error instanceof DeliveryError, `it is no DeliveryError: ${String(error)}`);
      const { certainty, permanent } = error;
      assert.deepEqual({ certainty, permanent }, { certainty: "unknown", permanent: false });
    },
  },
  {
    name: "speaks no token and no text of a card in errors and logs",
    async run(bench) {
      await start(bench);
      bench.loseNextResponse();
      const lost = await deliverInVain(bench);
      await bench.outage();
      const refused = await deliverInVain(bench);
      await bench.until(() => bench.host.state === "degraded", "the outage to be noticed");
      const spoken = [bench.host.spoken(), everythingIn(lost), everythingIn(refused)].join("\n");
      assertUnspoken(spoken, [...bench.secrets, "npm test", "tok-a-1"]);
    },
  },
];

const SHOWS: readonly Demand<ServiceBench>[] = [
  {
    name: "takes the buttons away once the outcome is final",
    needs: "edit",
    async run(bench) {
      const shown = (card: DeliveryRef): string => bench.shown(card);
      const sent = promptNotice(bench.place);
      const ref = await bench.channel.deliver(sent);
      assert.ok(shown(ref).includes("tok-a-1"), "the card has no button");
      await bench.channel.settle(ref, sent, OUTCOME);
      assert.ok(shown(ref).includes(OUTCOME.text), "the outcome is not shown");
      assert.ok(shown(ref).includes(sent.content.text), "the content is gone");
      assert.ok(!shown(ref).includes("tok-a-1"), "the button is still there");
    },
  },
  {
    name: "ends while it waits for updates",
    async run(bench) {
      await start(bench);
      await bench.channel.stop();
      assert.equal(bench.host.state, "stopped");
    },
  },
];

function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const own = Object.getOwnPropertyNames(error).map((name) => String((error as never)[name]));
  return [String(error), error.stack, ...own, everythingIn(error.cause ?? null)].join("\n");
}
