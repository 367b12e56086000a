/** A session that is used all day keeps nothing of the commands that have ended: no memory, no descriptor and no file. */
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, notLinux, skipped } from "../../../../support/skipped.js";
import { waitFor } from "../../../../support/wait-for.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is alive, after the first commands have made the runtime warm. */
const WARM_UP = 100;
const COMMANDS = 1_000;
/** A kept command would cost at least the rows of its emulator, 48 kB, so 900 of them 43 MB. Measured: no growth once all is collected. */
const GROWTH_MAX_BYTES = 24 * 1024 * 1024;

/** The runtime gives freed buffers back from a thread of its own, so one collection does not show yet what is alive. */
function aliveBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The session's files, and open descriptors of this process, which holds its side. */
function countOpen({ folder }: TestProgram): { readonly descriptors: number; readonly files: number } {
  return {
    descriptors: readdirSync("/proc/self/fd").length,
    files: readdirSync(folder).length,
  };
}

const PROGRAMS = [
  {
    name: "bash",
    executable: "bash",
    line: (n: number) => `echo line ${n}; (exit ${n % 2})`,
    block: (n: number) => `echo block ${n}\n(exit ${n % 2})`,
  },
  {
    name: "python",
    executable: "python3",
    line: (n: number) => `print("line ${n}") or ${n % 2} and 1 / 0`,
    block: (n: number) => `print("block ${n}")\nif ${n % 2}:\n    1 / 0`,
  },
];

for (const { name, executable, line, block } of PROGRAMS)
  it.skipIf(skipped(notInstalled(executable) ?? notLinux))(
    `${name} gives a thousand commands exactly, and its memory, descriptors and files stay`,
    async () => {
      const program = await openTestProgram(name);
      const run = async (from: number, to: number): Promise<void> => {
        for (let n = from; n < to; n++) {
          const isBlock = n % 5 === 0;
          const { output, exitCode, outOfBand } = await program.run(isBlock ? block(n) : line(n));
          const [first] = output.text.split("\n");
          expect({ first, exitCode, outOfBand, isExact: output.isExact }).toEqual({
            first: `${isBlock ? "block" : "line"} ${n}`,
            exitCode: n % 2,
            outOfBand: "",
            isExact: true,
          });
        }
      };
      await run(0, WARM_UP);
      const [open, before] = [countOpen(program), aliveBytes()];
      await run(WARM_UP, COMMANDS);
      await waitFor(() => expect(aliveBytes() - before).toBeLessThan(GROWTH_MAX_BYTES));
      expect(countOpen(program)).toEqual(open);
      await program.close();
    },
  );
