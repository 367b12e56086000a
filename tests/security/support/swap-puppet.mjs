// Draws one dialog after another, as it is told over a socket, and tells which one took each key.
import { connect } from "node:net";
import { createInterface } from "node:readline";

const [, , path] = process.argv;
const socket = connect(path);
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
let shown = null;
let after = "done";
let drawing = "whole";
const timers = new Set();

function later(run, ms) {
  timers.add(setTimeout(run, ms));
}

const LINE = "─".repeat(80);
const DASHES = "╌".repeat(80);

function permission(id) {
  return [
    LINE,
    " Bash command",
    " Clean up",
    DASHES,
    ` rm -rf /srv/app/${id}`,
    DASHES,
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. Yes, and don't ask again for: rm *",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend",
  ];
}

/** What it asks next looks otherwise, but for the place of its choices. */
function creation(id) {
  return [
    LINE,
    " Create file",
    ` /srv/app/${id}`,
    DASHES,
    " 1 Continue? (y/n)",
    DASHES,
    ` Do you want to create ${id}?`,
    " ❯ 1. Yes",
    "   2. Yes, and switch to accept edits (auto-approve file edits and common file",
    "      commands) for this session (shift+tab)",
    "   3. No",
    "",
    " Esc to cancel · Tab to amend",
  ];
}

/** No rule describes it. */
function list(id) {
  return [
    LINE,
    " Sandbox",
    ` Something in ${id} wants to leave it`,
    "",
    " How should this go on?",
    "",
    " ❯ 1. Leave it once",
    "   2. Leave it for good",
    "   3. Stay inside",
  ];
}

/** Nothing of it can be read, and it takes a key. */
function picture(id) {
  return [LINE, " Sandbox", ` Something in ${id} wants to leave it`, "", " a allow · d deny · esc cancel"];
}

const DRAWINGS = { dialog: permission, list, picture };

let rows = [];

function draw(id, dialog = permission) {
  shown = id;
  process.stdout.write(drawn(dialog(id)));
}

function drawn(next) {
  const before = rows;
  rows = next;
  const end = "\u001b[8;2H";
  if (drawing === "whole") return `\u001b[2J\u001b[H${rows.join("\r\n")}${end}`;
  const changes = changed(before, rows);
  if (drawing === "changes") return changes.join("") + end;
  return `\u001b[?2026h${changes.reverse().join("")}${end}\u001b[?2026l`;
}

/** Row by row, from the first character that differs on. */
function changed(before, now) {
  return Array.from({ length: Math.max(before.length, now.length) }, (_, y) => {
    const [was, becomes] = [before[y] ?? "", now[y] ?? ""];
    if (was === becomes) return "";
    const same = [...becomes].findIndex((character, x) => character !== [...was][x]);
    const x = same < 0 ? becomes.length : same;
    return `\u001b[${y + 1};${x + 1}H${[...becomes].slice(x).join("")}\u001b[K`;
  });
}

function clear(text) {
  shown = null;
  process.stdout.write(drawn([text]));
}

process.stdin.setRawMode(true);
process.stdout.write("\u001b[?25l");
process.stdin.on("data", (chunk) => {
  for (const key of chunk.toString()) {
    const took = shown;
    if (after === "next") draw(`${took}-next`, drawing === "whole" ? permission : creation);
    else clear(`Done with ${took}`);
    if (after === "later") later(() => draw(`${took}-next`), 60);
    tell({ took, key });
  }
});

createInterface({ input: socket }).on("line", (line) => {
  const { ask, swap, as, afterMs, busyMs = 0, then, draws } = JSON.parse(line);
  if (then) after = then;
  if (draws) drawing = draws;
  if (ask) {
    // What was still to come belongs to the race before.
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    draw(ask);
  }
  if (swap)
    later(() => {
      for (const end = performance.now() + busyMs; performance.now() < end;);
      draw(swap, DRAWINGS[as]);
      tell({ swapped: swap });
    }, afterMs);
});
socket.on("close", () => process.exit(0));
