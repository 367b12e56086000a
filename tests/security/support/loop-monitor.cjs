/**
 * Loaded into a hub under test before it: writes down how long its event loop was held. `busy` counts only what the process itself
 * used of a processor within a gap, so that a full machine is not taken for a blocked loop; `gap` is the whole of it.
 */
const { writeFileSync } = require("node:fs");

const LOOK_MS = 5;
const WRITE_MS = 200;
const file = process.env.ATB_LOOP_FILE;
const worst = { busy: 0, gap: 0, rss: 0 };
let last = performance.now();
let used = process.cpuUsage();
let written = 0;
let counts = false;

setInterval(() => {
  const now = performance.now();
  const spent = process.cpuUsage(used);
  // From its first look on: what happens before it serves holds nobody up.
  counts ||=
    process.env.ATB_LOOP_FROM === undefined || require("node:fs").existsSync(process.env.ATB_LOOP_FROM);
  if (counts) {
    worst.busy = Math.max(worst.busy, Math.min(now - last, (spent.user + spent.system) / 1000));
    worst.gap = Math.max(worst.gap, now - last);
  }
  worst.rss = Math.max(worst.rss, process.memoryUsage.rss());
  last = now;
  used = process.cpuUsage();
  if (file && now - written > WRITE_MS) {
    written = now;
    writeFileSync(file, JSON.stringify(worst));
  }
}, LOOK_MS).unref();
