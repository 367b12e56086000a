/** Channels that break the contract fail the checks that they break. */
import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import cli from "../../../channels/cli/index.js";
import ntfy from "../../../docs/how-to/examples/ntfy/index.js";
import { asId, type Identity } from "../../../src/model/ids.js";
import { DeliveryError, type Channel } from "../../../src/sdk/channel.js";
import type { ContractCheck } from "../../../src/compat/testing/check.js";
import { channelChecks, type ChannelBench } from "../../../src/compat/testing/channel-kit.js";
import { serviceChecks } from "../../../src/compat/testing/service-kit.js";
import { RecordingHost } from "../../../src/compat/testing/recording-host.js";
import { openNtfy } from "./ntfy-bench.js";

type Change = (channel: Channel, bench: ChannelBench) => Partial<Channel>;

/** The same bench with a channel that differs in what `change` returns. */
function spoil<B extends ChannelBench>(bench: B, change: Change): B {
  const changed = change(bench.channel, bench);
  const channel = new Proxy(bench.channel, {
    get(target, key) {
      const value: unknown = Reflect.get(key in changed ? changed : target, key);
      return typeof value === "function" ? (value.bind(key in changed ? changed : target) as unknown) : value;
    },
  });
  return { ...bench, channel };
}

function openCli(): ChannelBench {
  const host = new RecordingHost();
  const channel = cli.create({}, host);
  return {
    host,
    channel,
    place: "terminal",
    secrets: ["tk_secret"],
    again: () => cli.create({}, host),
    until: (probe, what) => (probe() ? Promise.resolve() : Promise.reject(new Error(`no ${what}`))),
    stop: () => channel.stop(),
  };
}

async function expectFailure(checks: readonly ContractCheck[], name: string): Promise<void> {
  const check = checks.find((each) => each.name === name);
  await expect(check?.run()).rejects.toThrow(AssertionError);
}

describe("a channel", () => {
  it.each<[string, string, Change]>([
    [
      "whose reference does not survive the disk",
      "delivers before it is started, and returns a reference that survives the disk",
      () => ({ deliver: () => Promise.resolve({ at: new Date(0) as never }) }),
    ],
    [
      "that gives two deliveries one reference",
      "gives every delivery a reference of its own",
      () => ({ deliver: () => Promise.resolve({ id: 1 }) }),
    ],
    [
      "that takes any text for an update",
      'makes nothing of "text"',
      () => ({ interpret: () => ({ kind: "text" }) as never }),
    ],
    [
      "that does not say that it has stopped",
      "stops twice, and without having been started",
      () => ({ stop: () => Promise.resolve() }),
    ],
    [
      "that logs a token",
      "speaks no token",
      (channel, { host }) => ({
        start(inbox) {
          host.log("info", "connecting with tk_secret");
          return channel.start(inbox);
        },
      }),
    ],
  ])("%s fails its check", async (_, name, change) => {
    await expectFailure(
      channelChecks(cli, () => Promise.resolve(spoil(openCli(), change))),
      name,
    );
  });

  it("of another contract fails its check", async () => {
    const manifest = { ...cli.manifest, api: 1 };
    await expectFailure(
      channelChecks({ manifest }, () => Promise.resolve(openCli())),
      "says who it is and which contract it speaks",
    );
  });
});

describe("a channel with a service", () => {
  const failing =
    (certainty: "not_sent" | "unknown", message = "it failed"): Change =>
    (channel) => ({
      deliver: (notice) =>
        channel.deliver(notice).catch(() => Promise.reject(new DeliveryError(message, { certainty }))),
    });

  it.each<[string, string, Change]>([
    [
      "that always answers its probe",
      "can be asked whether the service answers at this moment",
      () => ({ probe: () => Promise.resolve() }),
    ],
    [
      "that loses which card was tapped",
      "brings a tap home with the button's token and who pressed it",
      (channel) => ({
        interpret(raw) {
          const meaning = channel.interpret(raw);
          return meaning?.kind === "tap" ? { ...meaning, ref: {} } : meaning;
        },
      }),
    ],
    [
      "that takes everybody for one person",
      "brings a tap home with the button's token and who pressed it",
      (channel) => ({
        interpret(raw) {
          const meaning = channel.interpret(raw);
          return meaning && { ...meaning, identity: asId<Identity>("ntfy:bob") };
        },
      }),
    ],
    [
      "that does not know what an outage leaves certain",
      "knows that nothing was posted during an outage",
      failing("unknown"),
    ],
    [
      "that takes a lost response for a refusal",
      "does not know whether something was posted when the response is lost",
      failing("not_sent"),
    ],
    [
      "that names the command in an error",
      "speaks no token and no text of a card in errors and logs",
      failing("unknown", "could not post: npm test"),
    ],
  ])("%s fails its check", async (_, name, change) => {
    await expectFailure(
      serviceChecks(ntfy, async () => spoil(await openNtfy(), change)),
      name,
    );
  });
});
