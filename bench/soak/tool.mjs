/** A tool of the soak: prints a little or a lot, draws, waits, and asks, in an order that its seed decides. Ends when its input does. */
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "./random.mjs";

const random = createRandom(Number(process.argv[2] ?? 1));
const lines = createInterface({ input: process.stdin, output: process.stdout });
lines.on("close", () => process.exit(0));

const ACTS = [
  () => pause(random(4000)),
  () => pause(random(4000)),
  () => print(random(40)),
  () => print(random(4000)),
  () => draw(random(30)),
  async () => void (await lines.question("Delete the old reports? [y/N] ")),
];

function print(count) {
  for (let line = 0; line < count; line++)
    process.stdout.write(`\x1b[3${line % 8}mline ${line}\x1b[0m ${"x".repeat(random(100))}\n`);
}

async function draw(frames) {
  for (let frame = 0; frame < frames; frame++) {
    process.stdout.write(
      `\x1b[2J\x1b[H${Array.from({ length: 24 }, (_, row) => `row ${row} frame ${frame}`).join("\r\n")}\r\n`,
    );
    await pause(20);
  }
}

for (;;) await ACTS[random(ACTS.length)]();
