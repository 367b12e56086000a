/**
 * From a tap to the first byte of its answer in the tool: a real hub, worker and terminal, an emulated Telegram. Built without the
 * limits of a chat (twenty messages a minute), which would make a hundred answers take a quarter of an hour.
 */
import { setTimeout as pause } from "node:timers/promises";
import { buildArmed } from "../tests/faults/support/build.js";
import { FaultRig } from "../tests/faults/support/fault-rig.js";
import { isAbout } from "../tests/faults/support/play.js";
import { median, quantile, short, type Report } from "./figures.js";

const ANSWERS = 100;
/** Loads what is loaded once. */
const WARM_UP = 5;
const ASKED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 5;
/** A person does not tap in the instant in which a card arrives. */
const READ_MS = 150;

export async function answers(): Promise<readonly Report[]> {
  const rig = await FaultRig.start(await buildArmed());
  try {
    const tapped: number[] = [];
    for (let n = 0; n < WARM_UP + ANSWERS; n += 1) tapped.push(await answerOnce(rig));
    const taps = tapped.slice(WARM_UP);
    const row = [median(taps), quantile(taps, 0.95), Math.max(...taps)].map(short);
    const text = `From the tap in the chat to the first key at the tool; ${ANSWERS} answers, one after the other. On the way: the chat's long poll, the spool, the claim, the leave to begin, each on disk. The bar is 50 ms at the 95th percentile.`;
    return [
      {
        title: "Answers",
        text,
        columns: ["", "median ms", "p95 ms", "worst ms"],
        rows: [["Telegram, a tap", ...row]],
      },
    ];
  } finally {
    await rig.close();
  }
}

/** Takes the highlighted row of the question that stands: one key. ms from the tap to it. */
async function answerOnce(rig: FaultRig): Promise<number> {
  const { log, run } = rig.session();
  const card = await soon("a card", () => {
    const job = log.open?.job;
    return job === undefined
      ? undefined
      : run.cards.find((each) => each.buttons.length > 0 && isAbout(each, job));
  });
  await pause(READ_MS);
  const id = log.open?.id;
  const at = Date.now();
  void card.press(1).catch(() => undefined);
  const key = await soon("the key", () =>
    log.entries.find((entry) => entry.in !== undefined && entry.to === id),
  );
  return key.at - at;
}

async function soon<T>(what: string, look: () => T | undefined): Promise<T> {
  for (const end = Date.now() + ASKED_WITHIN_MS; Date.now() < end;) {
    const found = look();
    if (found !== undefined) return found;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`${what} never came`);
}
