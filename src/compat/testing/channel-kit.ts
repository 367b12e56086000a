/** What every channel keeps to, whatever service is behind it (docs/how-to/add-a-channel.md). */
import assert from "node:assert/strict";
import { CHANNEL_API, type Channel, type ChannelPlugin, type Notice } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import type { ContractCheck } from "./check.js";
import { promptNotice, textNotice } from "./notices.js";
import type { RecordingHost } from "./recording-host.js";

/** A channel that was not started, its hub, and the service behind it. Each check opens one of its own. */
export interface ChannelBench {
  readonly host: RecordingHost;
  readonly channel: Channel;
  /** A configured place. */
  readonly place: string;
  /** Words that must never be spoken: tokens. */
  readonly secrets: readonly string[];
  /** Another channel on the same service and the same host, as after a restart. Not started. */
  again(): Channel;
  /** Resolves once `probe` is true; it is asked again after each change of the host or the service. Errors: it took too long. */
  until(probe: () => boolean, what: string): Promise<void>;
  stop(): Promise<void>;
}

export const OUTCOME = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true } as const;
const LATER = { state: "withdrawn", text: "answered at the terminal", final: true } as const;
/** Nothing that a service sends. */
const NONSENSE = [
  null,
  undefined,
  7,
  "text",
  [],
  {},
  { update: null },
  { receivedAt: 1, update: { message: 7 } },
];
/** A check that skips itself where the channel says that it cannot do what is asked. */
export interface Demand<B> {
  readonly name: string;
  readonly run: (bench: B) => Promise<void>;
  readonly needs?: "edit" | "freeText";
}

const CANNOT = {
  edit: "the channel says that it cannot change what it posted",
  freeText: "the channel says that people cannot send words there",
} as const;

export function makeChecks<B extends ChannelBench>(
  { manifest: { capabilities } }: Pick<ChannelPlugin<never>, "manifest">,
  open: () => Promise<B>,
  demands: readonly Demand<B>[],
): readonly ContractCheck[] {
  return demands.map(({ name, run, needs }) => ({
    name,
    async run() {
      const bench = await open();
      try {
        await run(bench);
      } finally {
        await bench.stop();
      }
    },
    ...(needs !== undefined && !capabilities[needs] && { skip: CANNOT[needs] }),
  }));
}

/** The checks of every channel; `open` is called once for each. */
export function channelChecks(
  plugin: Pick<ChannelPlugin<never>, "manifest">,
  open: () => Promise<ChannelBench>,
): readonly ContractCheck[] {
  return makeChecks(plugin, open, [
    {
      name: "says who it is and which contract it speaks",
      run() {
        assert.match(plugin.manifest.id, /^[a-z][a-z0-9_-]{0,31}$/);
        assert.equal(plugin.manifest.api, CHANNEL_API);
        return Promise.resolve();
      },
    },
    { name: "connects on its own after start", run: start },
    ...DELIVERS,
    ...SETTLES,
    ...NONSENSE.map((raw) => ({
      name: `makes nothing of ${JSON.stringify(raw)}`,
      run({ channel }: ChannelBench) {
        assert.equal(channel.interpret(raw), null);
        return Promise.resolve();
      },
    })),
    {
      name: "never throws when it answers something that it cannot",
      async run({ channel }) {
        await channel.respond({ nonsense: true }, { text: "hello", alert: false });
      },
    },
    {
      name: "stops twice, and without having been started",
      async run({ channel, host }) {
        await channel.stop();
        await channel.stop();
        assert.equal(host.state, "stopped");
      },
    },
    {
      name: "speaks no token",
      async run(bench) {
        await start(bench);
        assertUnspoken(bench.host.spoken(), bench.secrets);
      },
    },
  ]);
}

export async function start(bench: ChannelBench): Promise<void> {
  const { channel, host } = bench;
  await channel.start(host);
  await bench.until(() => host.state === "connected", "the channel to connect");
}

export function deliver({ channel, place }: ChannelBench): Promise<DeliveryRef> {
  return channel.deliver(promptNotice(place));
}

export function assertUnspoken(spoken: string, secrets: readonly string[]): void {
  for (const secret of secrets) assert.ok(!spoken.includes(secret), `it speaks ${secret}: ${spoken}`);
}

const DELIVERS: readonly Demand<ChannelBench>[] = [
  {
    name: "delivers before it is started, and returns a reference that survives the disk",
    async run(bench) {
      const ref = await deliver(bench);
      assert.deepEqual(JSON.parse(JSON.stringify(ref)), ref);
    },
  },
  {
    name: "gives every delivery a reference of its own",
    async run(bench) {
      assert.notDeepEqual(await deliver(bench), await deliver(bench));
    },
  },
  {
    name: "delivers plain texts",
    async run({ channel, place }) {
      assert.ok(await channel.deliver(textNotice(place, "paused <for> now & here")));
    },
  },
];

/** Delivers a card and settles it. */
async function settleOne({ channel, place }: ChannelBench): Promise<[DeliveryRef, Notice]> {
  const sent = promptNotice(place);
  const ref = await channel.deliver(sent);
  await channel.settle(ref, sent, OUTCOME);
  return [ref, sent];
}

const SETTLES: readonly Demand<ChannelBench>[] = [
  {
    name: "settles a card twice without complaint",
    needs: "edit",
    async run(bench) {
      const [ref, sent] = await settleOne(bench);
      await bench.channel.settle(ref, sent, OUTCOME);
    },
  },
  {
    name: "settles with another outcome after the first",
    needs: "edit",
    async run(bench) {
      const [ref, sent] = await settleOne(bench);
      await bench.channel.settle(ref, sent, LATER);
    },
  },
  {
    name: "settles after a restart, from the reference and the notice alone",
    needs: "edit",
    async run(bench) {
      const sent = promptNotice(bench.place);
      const ref = await bench.channel.deliver(sent);
      await bench.again().settle(ref, sent, OUTCOME);
    },
  },
];
