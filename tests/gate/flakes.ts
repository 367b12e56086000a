/**
 * `npm run flakes [-- RUNS] [--busy N]`: runs the tests of the gate again and again (three times, beside four busy loops, unless
 * told otherwise) and prints which tests failed how often. The exit status is 1 if one did.
 */
import { parseArgs } from "node:util";
import { startBusyLoops } from "./busy.js";
import { readCount } from "./read-count.js";
import { runVitest } from "./vitest-run.js";

const { values, positionals } = parseArgs({
  options: { busy: { type: "string", default: "4" } },
  allowPositionals: true,
});
const runs = readCount("RUNS", positionals[0] ?? "3", 1);
const counts = new Map<string, number>();
const stopLoops = startBusyLoops(readCount("--busy", values.busy, 0));
try {
  for (let run = 0; run < runs; run += 1)
    for (const script of ["test", "test:slow"])
      for (const failure of runVitest(script, [], {}).failures)
        counts.set(failure, (counts.get(failure) ?? 0) + 1);
} finally {
  stopLoops();
}
for (const [test, count] of [...counts].sort(([, one], [, other]) => other - one))
  console.log(`${count} of ${runs}: ${test}`);
if (counts.size === 0) console.log(`Nothing failed in ${runs} runs.`);
process.exitCode = counts.size === 0 ? 0 : 1;
