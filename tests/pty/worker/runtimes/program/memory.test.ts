/** A session that is used all day keeps nothing of the commands that have ended. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { openTestProgram } from "../../../../support/program/open.js";
import { waitFor } from "../../../../support/wait-for.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is alive, after the first commands have made the runtime warm. */
const WARM_UP = 200;
const COMMANDS = 1_000;
/** A kept command would cost at least the rows of its emulator, 48 kB, so 1,000 of them 48 MB. Measured: no growth once all is collected. */
const GROWTH_MAX_BYTES = 24 * 1024 * 1024;

/** The runtime gives freed buffers back from a thread of its own, so one collection does not show yet what is alive. */
function aliveBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("gives a thousand commands exactly, and its memory stays", async () => {
  const bash = await openTestProgram("bash");
  const run = async (from: number, count: number): Promise<void> => {
    for (let at = from; at < from + count; at++) {
      const { output } = await bash.session.run(`echo line ${at}`, { timeoutMs: 60_000 });
      expect(output.text).toBe(`line ${at}\n`);
    }
  };
  await run(0, WARM_UP);
  const before = aliveBytes();
  await run(WARM_UP, COMMANDS);
  await waitFor(() => expect(aliveBytes() - before).toBeLessThan(GROWTH_MAX_BYTES));
  await bash.close();
});
