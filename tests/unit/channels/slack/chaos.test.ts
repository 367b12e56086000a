/** The connection to Slack stores every event exactly once, under any order of failures. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SlackChannel } from "../../../../channels/slack/channel.js";
import { openSlack, type SlackBench } from "../../../contract/channel/slack-bench.js";
import type { Fault } from "../../../support/slack/emulator.js";

type Step =
  | "write"
  | "outage"
  | "restore"
  | "restart"
  | "full disk"
  | "repeat"
  | "babble"
  | "cut"
  | "warning"
  | "refresh_requested"
  | "hold"
  | "release"
  | Fault;

const FAULTS: readonly Fault[] = [
  "drop",
  "drop-after-effect",
  "garbage",
  "hollow",
  { status: 502 },
  { error: "fatal_error" },
];
const STEPS: readonly Step[] = [
  "write",
  "write",
  "write",
  "outage",
  "restore",
  "restart",
  "full disk",
  "repeat",
  "babble",
  "cut",
  "warning",
  "refresh_requested",
  "hold",
  "release",
  ...FAULTS,
];

describe("the connection to Slack under many failures", () => {
  it("stores every event exactly once, under any failures in any order", async () => {
    const day = fc.array(fc.constantFrom(...STEPS), { minLength: 10, maxLength: 30 });
    await fc.assert(fc.asyncProperty(day, liveThrough), { numRuns: 15 });
  });
});

/** An event that was not acknowledged comes again soon, and often enough for any day of ours. */
const SOON = { ackMs: 1_000, recycleMs: 20, eventRetryMs: Array<number>(200).fill(30) };

async function liveThrough(steps: readonly Step[]): Promise<void> {
  const bench = await openSlack(
    { retryMs: 1, retryMaxMs: 5, storeMs: 50, storeRetryMs: 5 },
    { timing: SOON },
  );
  let channel: SlackChannel = bench.channel;
  let written = 0;
  await channel.start(bench.host);
  for (const step of steps) {
    if (step === "write") bench.ara.say(`message ${(written += 1)}`);
    else channel = await happen(step, bench, channel);
    await turn();
  }
  bench.slack.clearFaults();
  bench.slack.world.gateway.release();
  await bench.restore();
  await bench.until(
    () => bench.host.updates.size === written,
    `${written} events, not ${bench.host.updates.size}`,
  );
  const texts = bench.host.meanings(channel).map((meaning) => (meaning?.kind === "text" ? meaning.text : ""));
  expect(texts.sort()).toEqual(Array.from({ length: written }, (_, at) => `message ${at + 1}`).sort());
  await bench.stop();
}

async function happen(
  step: Exclude<Step, "write">,
  bench: SlackBench,
  channel: SlackChannel,
): Promise<SlackChannel> {
  const { slack, host } = bench;
  const { gateway } = slack.world;
  if (step === "restart") return restarted(bench, channel);
  if (step === "outage") await bench.outage();
  else if (step === "restore") await bench.restore();
  else if (step === "full disk") host.beforeStore = failingOnce(host);
  else if (step === "repeat") gateway.repeatLast();
  else if (step === "babble") gateway.babble('{"type":"events_api","envelope_id":"e","payload":{}}');
  else if (step === "cut") gateway.cut();
  else if (step === "warning" || step === "refresh_requested") gateway.recycle(step);
  else if (step === "hold") gateway.hold();
  else if (step === "release") gateway.release("reversed");
  else slack.failNext("*", step);
  return channel;
}

async function restarted(bench: SlackBench, channel: SlackChannel): Promise<SlackChannel> {
  await channel.stop();
  const next = bench.open(bench.host);
  await next.start(bench.host);
  return next;
}

function failingOnce(host: SlackBench["host"]): () => Promise<void> {
  return () => {
    host.beforeStore = () => Promise.resolve();
    return Promise.reject(new Error("disk full"));
  };
}

/** Lets whatever is ready happen, without waiting for anything in particular. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
