/** Polling Telegram stores every update exactly once, under any order of failures. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../../support/telegram/emulator.js";
import type { TelegramChannel } from "../../../../channels/telegram/channel.js";
import { openTelegram, type TelegramBench } from "../../../contract/channel/telegram-bench.js";

type Step = "write" | "outage" | "restore" | "restart" | "full disk" | "reorder" | "repeat" | Fault;

const FAULTS: readonly Fault[] = [
  "drop",
  "drop-after-effect",
  "garbage",
  "hollow",
  { status: 502 },
  { status: 409, description: "Conflict: terminated by other getUpdates request" },
];
const STEPS: readonly Step[] = [
  "write",
  "write",
  "write",
  "outage",
  "restore",
  "restart",
  "full disk",
  "reorder",
  "repeat",
  ...FAULTS,
];

describe("polling Telegram under many failures", () => {
  it("stores every update exactly once, under any failures in any order", async () => {
    const day = fc.array(fc.constantFrom(...STEPS), { minLength: 10, maxLength: 40 });
    await fc.assert(fc.asyncProperty(day, liveThrough), { numRuns: 25 });
  });
});

async function liveThrough(steps: readonly Step[]): Promise<void> {
  const bench = await openTelegram({
    lostMs: 1,
    lostMaxMs: 5,
    retryMs: 1,
    retryMaxMs: 5,
    conflictMs: 1,
    conflictMaxMs: 5,
    emptyPollMs: 2,
  });
  let channel: TelegramChannel = bench.channel;
  let written = 0;
  await channel.start(bench.host);
  for (const step of steps) {
    if (step === "write") bench.ara.send(`message ${(written += 1)}`);
    else channel = await happen(step, bench, channel);
    await turn();
  }
  bench.telegram.clearFaults();
  await bench.restore();
  await bench.until(
    () => bench.host.updates.size === written,
    `${written} updates, not ${bench.host.updates.size}`,
  );
  expect(
    bench.host
      .meanings(channel)
      .map((meaning) => (meaning as { text: string }).text)
      .sort(),
  ).toEqual(Array.from({ length: written }, (_, at) => `message ${at + 1}`).sort());
  await bench.stop();
}

async function happen(
  step: Exclude<Step, "write">,
  bench: TelegramBench,
  channel: TelegramChannel,
): Promise<TelegramChannel> {
  const { telegram, host } = bench;
  const last = [...host.updates.keys()].at(-1)?.split(":")[1];
  if (step === "outage") await bench.outage();
  else if (step === "restore") await bench.restore();
  else if (step === "full disk") host.beforeStore = failingOnce(host);
  else if (step === "reorder") telegram.reverseNextBatch();
  else if (step === "repeat") {
    if (last !== undefined) telegram.repeatUpdate(Number(last));
  } else if (step === "restart") return restarted(bench, channel);
  else telegram.failNext("getUpdates", step);
  return channel;
}

async function restarted(bench: TelegramBench, channel: TelegramChannel): Promise<TelegramChannel> {
  await channel.stop();
  const next = bench.open(bench.host);
  await next.start(bench.host);
  return next;
}

function failingOnce(host: TelegramBench["host"]): () => Promise<void> {
  return () => {
    host.beforeStore = () => Promise.resolve();
    return Promise.reject(new Error("disk full"));
  };
}

/** Lets whatever is ready happen, without waiting for anything in particular. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
