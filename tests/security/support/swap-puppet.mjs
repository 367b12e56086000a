// Draws one dialog after another, as it is told over a socket, and tells which one took each key.
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [, , path] = process.argv;
const socket = connect(path);
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
let shown = null;
let after = "done";
const timers = new Set();

function later(run, ms) {
  timers.add(setTimeout(run, ms));
}

function draw(id) {
  shown = id;
  const rows = [
    "─".repeat(80),
    " Bash command",
    " Clean up",
    "╌".repeat(80),
    ` rm -rf /srv/app/${id}`,
    "╌".repeat(80),
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for: rm *",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend",
  ];
  process.stdout.write(`\u001b[2J\u001b[H${rows.join("\r\n")}\u001b[8;2H`);
}

function clear(text) {
  shown = null;
  process.stdout.write(`\u001b[2J\u001b[H${text}\r\n`);
}

process.stdin.setRawMode(true);
process.stdout.write("\u001b[?25l");
process.stdin.on("data", (chunk) => {
  for (const key of chunk.toString()) {
    const took = shown;
    if (after === "next") draw(`${took}-next`);
    else clear(`Done with ${took}`);
    if (after === "later") later(() => draw(`${took}-next`), 60);
    tell({ took, key });
  }
});

createInterface({ input: socket }).on("line", (line) => {
  const { ask, swap, afterMs, busyMs = 0, then } = JSON.parse(line);
  if (then) after = then;
  if (ask) {
    // What was still to come belongs to the race before.
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    draw(ask);
  }
  if (swap)
    later(() => {
      for (const end = performance.now() + busyMs; performance.now() < end;);
      draw(swap);
    }, afterMs);
});
socket.on("close", () => process.exit(0));
