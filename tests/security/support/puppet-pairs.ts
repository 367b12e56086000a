/** A program in a real pseudo-terminal that shows a dialog, and by the time the key would go in another one that differs by one edit. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "../../../src/observe/clock.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import { waitFor } from "../../../src/worker/answer/terminal-port.js";
import { injectAnswer } from "../../../src/worker/answer/inject.js";
import { TerminalDriver } from "../../../src/worker/answer/terminal-driver.js";
import { detect } from "../../../src/worker/detection/detect.js";
import { Screen } from "../../../src/worker/screen/screen.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import type { Terminal } from "../../../src/worker/process/terminal.js";
import { HANG_MS } from "../../support/hang-guards.js";
import { replyTo } from "../../unit/worker/answer/make.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";
import {
  drawBytes,
  editableRows,
  editRow,
  isVisiblyEqual,
  makeBase,
  type Base,
  type Below,
} from "./edited-screens.js";

const CLEAN = "\u001b[?1049l\u001b[2J\u001b[3J\u001b[H";
/** Shows nothing. One is written after each drawing, so their number tells which drawings have arrived. */
const DRAWING_END = "\u001b[m".repeat(3);
const GAP_MAX_MS = 100;
const CONTROL_EVERY = 10;
/** Reading the screen and the tool's state is never cut short by a busy machine; nobody looks at the receipt. */
const TIMINGS = {
  settleWithinMs: HANG_MS,
  toolReadsWithinMs: HANG_MS,
  effectWithinMs: 50,
  goneForMs: 20,
  returnsWithinMs: 120,
  holdAfterMs: 1,
};

interface Told {
  readonly drawn?: string;
  readonly keys?: string;
  readonly met?: string | null;
}

export interface Pair {
  readonly isControl: boolean;
  /** What was typed and where it went; empty: nothing. */
  readonly keys: string;
  readonly told: string;
}

export class PuppetRig {
  readonly #size: Base["size"];
  readonly #folder = mkdtempSync(join(tmpdir(), "pairs-"));
  readonly #screen: Screen;
  readonly #server: Server;
  readonly #terminal: Terminal;
  readonly #port: TerminalDriver;
  readonly #tool: Promise<Socket>;
  #adapter = "generic";
  #isLine = false;
  #dialogs = 0;
  #unmarked = "";
  #sent = 0;
  #arrived = 0;
  #onDrawn: (name: string) => void = () => undefined;
  #onTaken: (keys: string) => void = () => undefined;

  constructor(size: Base["size"]) {
    this.#size = size;
    this.#screen = new Screen(size);
    const path = join(this.#folder, "talk");
    this.#server = createServer();
    this.#tool = new Promise((resolve) => this.#server.once("connection", resolve));
    this.#server.listen(path);
    this.#terminal = openPty({
      command: [process.execPath, new URL("screen-puppet.mjs", import.meta.url).pathname, path],
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
      cwd: this.#folder,
      size,
      clock: systemClock,
    });
    this.#terminal.onData((chunk) => {
      const pieces = (this.#unmarked + Buffer.from(chunk).toString("latin1")).split(DRAWING_END);
      this.#arrived += pieces.length - 1;
      this.#unmarked = pieces.at(-1) ?? "";
      this.#screen.write(chunk);
    });
    this.#port = new TerminalDriver(this.#terminal, this.#screen, systemClock, {
      detect: (view) => {
        const signals = { echo: true, blockedOnRead: true, canonical: this.#isLine };
        return detect(shippedAdapter(this.#adapter), view, signals).candidate;
      },
      detectState: () => null,
      hasEmptyComposer: () => false,
      typedAt: () => -Infinity,
      foregroundGroup: () => null,
      isEnding: () => false,
    });
  }

  async start(): Promise<this> {
    createInterface({ input: await this.#tool }).on("line", (line) => {
      const told = JSON.parse(line) as Told;
      if (told.drawn !== undefined) this.#onDrawn(told.drawn);
      if (told.keys !== undefined) this.#onTaken(`${JSON.stringify(told.keys)} on the ${told.met}`);
    });
    return this;
  }

  async run(below: Below): Promise<Pair | null> {
    const base = makeBase(below, this.#size);
    this.#adapter = base.adapter;
    this.#isLine = base.cursorUp === null;
    await this.#draw("first", `${CLEAN}${drawBytes(base)}`);
    await this.#awaitArrival();
    const port = this.#port;
    await port.waitUntilParsed();
    const asked = await waitFor(port, () => port.detect(), HANG_MS);
    if (!asked) throw new Error(`nothing is asked:\n${base.rows.join("\n")}`);
    // A line that is written anew is another question, however equal.
    const isControl = !this.#isLine && this.#dialogs++ % CONTROL_EVERY === 0;
    const [before, rows] = edited(base, asked, isControl ? null : below);
    if (!isControl && rows === base.rows) return null;
    const gapMs = below(GAP_MAX_MS);
    const isAtGate = below(2) === 0;
    const taken = new Promise<string>((resolve) => (this.#onTaken = resolve));
    const swap = async (): Promise<void> => {
      await this.#draw("second", drawBytes(base, rows), gapMs);
      // A redraw that the kernel still holds would be refused like an edit: its screen is erased.
      if (isControl) await this.#awaitArrival();
    };
    if (!isAtGate) await swap();
    const reply = replyTo(asked, asked.promptType === "yes_no" ? "y" : "1");
    const gate = isAtGate ? swap : (): Promise<void> => Promise.resolve();
    const result = await injectAnswer(port, asked, reply, gate, { raisedGroup: null, timings: TIMINGS });
    const isTyped = result.kind === "receipt" && result.receipt.bytesWritten > 0;
    const keys = isTyped ? await taken : "";
    const why = result.kind === "receipt" ? result.receipt.evidence : result.rejection.text;
    const told = `${base.adapter} ${base.size.cols}x${base.size.rows} after ${gapMs} ms${isAtGate ? " at the gate" : ""}: ${before}: ${why}`;
    return { isControl, keys, told };
  }

  async close(): Promise<void> {
    (await this.#tool).destroy();
    this.#server.close();
    this.#terminal.kill("SIGKILL");
    await this.#terminal.exited;
    this.#terminal.close();
    this.#screen.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Resolves once all of it is in the terminal, though perhaps not yet read. `afterMs`: nothing is shown for so long before. */
  async #draw(name: string, bytes: string, afterMs?: number): Promise<void> {
    this.#sent++;
    const drawn = new Promise<void>((resolve) => {
      this.#onDrawn = (which) => which === name && resolve();
    });
    const message = { name, bytes: Buffer.from(bytes + DRAWING_END).toString("base64"), afterMs };
    (await this.#tool).write(`${JSON.stringify(message)}\n`);
    await drawn;
  }

  async #awaitArrival(): Promise<void> {
    const arrived = (): true | null => (this.#arrived === this.#sent ? true : null);
    if (!(await waitFor(this.#port, arrived, HANG_MS))) throw new Error("the drawing did not arrive");
  }
}

/** What was changed into what, and the rows with it; the very same rows where nothing can be seen of it. */
function edited(base: Base, asked: Candidate, below: Below | null): [string, readonly string[]] {
  if (below === null) return ["drawn anew", base.rows];
  const rows = editableRows(base, asked);
  const at = rows[below(rows.length)] ?? 0;
  const before = base.rows[at] ?? "";
  const after = editRow(before, below);
  if (isVisiblyEqual(before, after)) return ["", base.rows];
  return [JSON.stringify([before, after]), base.rows.map((row, index) => (index === at ? after : row))];
}
