/** A recorded dialog in a real terminal over which another program draws, and what an answer to its card then types. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseRecording } from "../../../prompt-lab/scenario/recording.js";
import { systemClock } from "../../../src/observe/clock.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import { injectAnswer } from "../../../src/worker/answer/inject.js";
import { TerminalDriver } from "../../../src/worker/answer/terminal-driver.js";
import { LiveDetector } from "../../../src/worker/detection/live/live-detector.js";
import { replay } from "../../../prompt-lab/replay/replay.js";
import type { Terminal } from "../../../src/worker/process/terminal.js";
import { TtyFacts } from "../../../src/worker/process/facts/tty-facts.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import { Screen, type ScreenSize } from "../../../src/worker/screen/screen.js";
import { HANG_MS } from "../../support/hang-guards.js";
import { eventually } from "../../support/hub-home.js";
import { replyTo } from "../../unit/worker/answer/make.js";
import { shippedAdapter } from "../../unit/worker/detection/screens.js";
import type { Below } from "./edited-screens.js";

const SCENARIOS = "prompt-lab/scenarios";
/** No key of these answers has an effect: the tool only draws what it is told. */
const TIMINGS = { settleWithinMs: HANG_MS, effectWithinMs: 50, goneForMs: 20, returnsWithinMs: 50 };
/** A dialog is raised within some 30 looks. */
const LOOKS_UNRAISED = 150;

export interface RecordedDialog {
  readonly tool: string;
  readonly size: ScreenSize;
  /** Until the tool was idle, and from then until its permission dialog was raised. */
  readonly idle: string;
  readonly dialog: string;
}

/** Up to `most` recordings of a tool that was idle and then asked for permission, chosen by `below`. */
export async function findDialogs(tool: string, most: number, below: Below): Promise<RecordedDialog[]> {
  const names = readdirSync(join(SCENARIOS, tool)).filter((name) => /-\d+x\d+-[^/]*\.jsonl$/.test(name));
  const found: RecordedDialog[] = [];
  while (found.length < most && names.length > 0) {
    const [name = ""] = names.splice(below(names.length), 1);
    const dialog = await readDialog(tool, join(SCENARIOS, tool, name));
    if (dialog) found.push(dialog);
  }
  return found;
}

async function readDialog(tool: string, file: string): Promise<RecordedDialog | null> {
  const events = parseRecording(readFileSync(file, "utf8"), file);
  const [, cols, rows] = /-(\d+)x(\d+)-/.exec(file) ?? [];
  const size = { cols: Number(cols), rows: Number(rows) };
  const { raised, states } = await replay(shippedAdapter(tool), events, size);
  const [first] = raised;
  const idleAt = states.find(({ state }) => state === "idle")?.at ?? Infinity;
  if (first?.candidate.safetyClass !== "permission" || idleAt >= first.seenAt) return null;
  // Every card is answered with its first choice.
  if (first.candidate.choices.length === 0) return null;
  if (events.some((event) => "resize" in event && event.t_ms <= first.raisedAt)) return null;
  const draw = (from: number, to: number): string =>
    Buffer.concat(
      events.flatMap((event) =>
        "data_b64" in event && event.t_ms > from && event.t_ms <= to
          ? [Buffer.from(event.data_b64, "base64")]
          : [],
      ),
    ).toString("base64");
  return { tool, size, idle: draw(-1, idleAt), dialog: draw(idleAt, first.raisedAt) };
}

/** When it is painted over: before the tool's dialog is seen, as soon as it has a card, or while its answer is on the way. */
export type PaintMoment = "before" | "with" | "after";

export type Paint = (rows: readonly string[], dialog: Candidate) => string;

export interface Painted {
  /** How many bytes an answer to a card without the mark has typed. */
  readonly typed: number;
  /** A card without the mark came after the paint. */
  readonly unmarked: boolean;
  readonly marked: boolean;
}

export class PaintRig {
  readonly #recorded: RecordedDialog;
  readonly #folder = mkdtempSync(join(tmpdir(), "paint-"));
  readonly #server: Server;
  readonly #tool: Promise<Socket>;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #detector: LiveDetector;
  readonly #port: TerminalDriver;
  readonly #raised: Candidate[] = [];
  #drawn = 0;
  #unraisedLooks = 0;

  constructor(recorded: RecordedDialog) {
    this.#recorded = recorded;
    const { size } = recorded;
    const path = join(this.#folder, "talk");
    this.#server = createServer();
    this.#tool = new Promise((resolve) => this.#server.once("connection", resolve));
    this.#server.listen(path);
    const command = [process.execPath, new URL("screen-puppet.mjs", import.meta.url).pathname, path];
    const env = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" };
    const terminal = openPty({ command, env, cwd: this.#folder, size, clock: systemClock });
    this.#terminal = terminal;
    const screen = (this.#screen = new Screen(size));
    const adapter = shippedAdapter(recorded.tool);
    const facts = new TtyFacts(terminal);
    const detector = new LiveDetector({
      adapter,
      screen,
      clock: systemClock,
      readSignals: () => ({ canonical: false, echo: false }),
      users: { readUse: () => terminal.readUse(), findMembers: () => facts.findMembers() },
    });
    this.#detector = detector;
    detector.onOutput((output) => output.kind === "raise" && this.#raised.push(output.candidate));
    terminal.onData((chunk) => screen.write(chunk));
    this.#port = new TerminalDriver(terminal, screen, systemClock, {
      detect: () => detector.detectNow(),
      detectState: () => null,
      hasEmptyComposer: () => false,
      typedAt: () => -Infinity,
      foregroundGroup: () => null,
      isEnding: () => false,
    });
  }

  async run(paint: Paint | null, moment: PaintMoment): Promise<Painted> {
    const raised = this.#raised;
    createInterface({ input: await this.#tool }).on("line", (line) => {
      if ("drawn" in (JSON.parse(line) as object)) this.#drawn++;
    });
    await this.#draw(this.#recorded.idle);
    await this.#until(() => this.#detector.toolState === "idle");
    await this.#draw(this.#recorded.dialog);
    if (moment === "before") this.#paint(paint);
    const painted = paint !== null;
    await this.#until(() => raised.length > 0 || (painted && this.#isUnraised()));
    const [card] = raised;
    if (moment === "with") this.#paint(paint);
    const isShown = card !== undefined && !card.opened;
    const typed = isShown ? await this.#answer(card, moment === "after" ? paint : null) : 0;
    if (painted) await this.#until(() => raised.some(({ opened }) => opened) || this.#isUnraised());
    const later = moment === "before" ? raised : raised.slice(1);
    return {
      typed,
      unmarked: painted && later.some(({ opened }) => !opened),
      marked: raised.some(({ opened }) => opened),
    };
  }

  async close(): Promise<void> {
    (await this.#tool).destroy();
    this.#server.close();
    this.#detector.stop();
    this.#terminal.kill("SIGKILL");
    await this.#terminal.exited;
    this.#screen.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Nothing is raised for many looks: what was drawn reads as no prompt, or as a menu that the user opened. */
  #isUnraised(): boolean {
    this.#unraisedLooks = this.#detector.pending === null ? this.#unraisedLooks + 1 : 0;
    return this.#unraisedLooks > LOOKS_UNRAISED;
  }

  async #answer(card: Candidate, paint: Paint | null): Promise<number> {
    const gate = (): Promise<void> => {
      this.#paint(paint);
      return Promise.resolve();
    };
    const reply = replyTo(card, "1");
    const result = await injectAnswer(this.#port, card, reply, gate, { raisedGroup: null, timings: TIMINGS });
    return result.kind === "receipt" ? result.receipt.bytesWritten : 0;
  }

  #paint(paint: Paint | null): void {
    const dialog = this.#raised[0] ?? this.#detector.detectNow();
    const { ptsPath } = this.#terminal;
    if (paint === null || ptsPath === null) return;
    const rows = this.#port.view().lines.map(({ text }) => text);
    writeFileSync(ptsPath, dialog === null ? "\u001b[H" : paint(rows, dialog));
  }

  async #draw(bytes: string): Promise<void> {
    const due = this.#drawn + 1;
    (await this.#tool).write(`${JSON.stringify({ name: "dialog", bytes })}\n`);
    await this.#until(() => this.#drawn === due);
    await this.#port.waitUntilParsed();
  }

  async #until(holds: () => boolean): Promise<void> {
    await eventually(() => {
      this.#detector.look();
      return holds();
    });
  }
}
