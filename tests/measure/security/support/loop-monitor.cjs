/**
 * Loaded into a hub under test before it: writes down how long its event loop was held. `gap` is the longest by the wall clock.
 * `busy` is the most processor time of the hub's own thread within one gap: what the hub itself can have held the loop for. Where a
 * gap is long and its processor time is short, the thread was kept from running by the machine or by its disk.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs");

const LOOK_MS = 5;
const WRITE_MS = 200;
/** The kernel counts a thread's time in hundredths of a second. */
const TICK_MS = 10;
const OWN_THREAD = `/proc/self/task/${process.pid}/stat`;
const file = process.env.ATB_LOOP_FILE;
const worst = { busy: 0, gap: 0, busyInGap: 0, rss: 0 };
let last = performance.now();
let used = threadMs();
let written = 0;
let counts = false;

/** Where the kernel does not tell of threads, the process stands for its thread: no less than the truth. */
function threadMs() {
  if (!existsSync(OWN_THREAD)) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const stat = readFileSync(OWN_THREAD, "latin1");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

setInterval(() => {
  const now = performance.now();
  const usedNow = threadMs();
  const gap = now - last;
  const busy = Math.min(gap, usedNow - used);
  if (counts) {
    worst.busy = Math.max(worst.busy, busy);
    if (gap > worst.gap) Object.assign(worst, { gap, busyInGap: busy });
  }
  // From the first look on at which it serves: what happened before held nobody up.
  counts ||= process.env.ATB_LOOP_FROM === undefined || existsSync(process.env.ATB_LOOP_FROM);
  worst.rss = Math.max(worst.rss, process.memoryUsage.rss());
  last = now;
  used = usedNow;
  if (file && now - written > WRITE_MS) {
    written = now;
    // The test may read it at any instant.
    writeFileSync(`${file}.new`, JSON.stringify(worst));
    renameSync(`${file}.new`, file);
  }
}, LOOK_MS).unref();
