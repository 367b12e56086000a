/** A terminal without a process: what is drawn and how it reacts is said by the test, time by a manual clock. */
import type { Cancel } from "../../../../src/model/clock.js";
import type { ToolState } from "../../../../src/model/tool-state.js";
import { ManualClock } from "../../../../src/observe/clock.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import type { View } from "../../../../src/sdk/view.js";
import type { TerminalPort } from "../../../../src/worker/answer/terminal-port.js";
import { makeCandidate, makeChoices, makeView, type ChoiceParts, type ViewParts } from "./make.js";

/** The row of the composer while nothing is typed in it. */
export const EMPTY_COMPOSER = "> Type a task";

/** The foreground group of every fake tool. */
export const GROUP = 4242;

export class FakePort implements TerminalPort {
  readonly clock = new ManualClock();
  /** Every write, in order. */
  readonly written: string[] = [];
  /** What the tool does with a write. */
  react: (keys: string) => void = () => undefined;
  /** How many bytes the terminal takes; throws for a broken one. */
  takes: (bytes: number) => number = (bytes) => bytes;
  /** Something that happens while the injection waits for the screen to settle. */
  meanwhile: () => void = () => undefined;
  /** What is found in the very moment of a write; true when that was something. */
  news: () => boolean = () => false;
  /** What the kernel tells; null: nothing. */
  inTerminal: () => { input: number; output: number } | null = () => null;
  /** Somebody ended the tool. */
  ended = false;
  typed = -Infinity;
  group: number | null = GROUP;
  lives = true;
  #live: Candidate | null;
  #view: View;
  #frame = 1;
  readonly #listeners = new Set<() => void>();

  constructor(live: Candidate | null, view: View = makeView([])) {
    this.#live = live;
    this.#view = view;
  }

  draw(live: Candidate | null, rows: readonly string[] = [], parts: ViewParts = {}): void {
    this.#live = live;
    this.#view = makeView(rows, { ...parts, frame: ++this.#frame });
    this.#tell();
  }

  end(): void {
    this.lives = false;
    this.#tell();
  }

  /** The same as `draw`, later. */
  drawIn(ms: number, live: Candidate | null, rows: readonly string[] = [], parts: ViewParts = {}): void {
    this.clock.after(ms, () => this.draw(live, rows, parts));
  }

  type(): void {
    this.typed = this.clock.monotonic();
  }

  view(): View {
    return this.#view;
  }

  detect(): Candidate | null {
    return this.#live;
  }

  detectState(view: View): ToolState | null {
    if (view.lines.some(({ text }) => text.includes("Working…"))) return "working";
    return view.lines.some(({ text }) => text.startsWith("> ")) ? "idle" : null;
  }

  hasEmptyComposer(view: View): boolean {
    return view.lines.some(({ text }) => text === EMPTY_COMPOSER);
  }

  async waitUntilParsed(): Promise<void> {
    await Promise.resolve();
    this.meanwhile();
  }

  readPending(): boolean {
    return this.news();
  }

  write(bytes: Uint8Array): Promise<number> {
    const taken = this.takes(bytes.length);
    const keys = Buffer.from(bytes).subarray(0, taken).toString();
    if (taken > 0) this.written.push(keys);
    if (taken > 0) this.react(keys);
    return Promise.resolve(taken);
  }

  typedAt(): number {
    return this.typed;
  }

  foregroundGroup(): number | null {
    return this.group;
  }

  wasEnded(): boolean {
    return this.ended;
  }

  outputBytes(): { written: number; parsed: number } {
    return { written: this.#frame, parsed: this.#frame };
  }

  setStepped(): void {
    // Each drawing is one step.
  }

  readQueues(): { input: number; output: number } | null {
    return this.inTerminal();
  }

  isAlive(): boolean {
    return this.lives;
  }

  onFrame(callback: () => void): Cancel {
    this.#listeners.add(callback);
    return () => void this.#listeners.delete(callback);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Moves the clock from timer to timer until the promise settles. */
export async function drive<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let done = false as boolean;
  const watched = promise.finally(() => (done = true));
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (done) return watched;
    const due = clock.findNextDue();
    if (due === null) throw new Error("the injection waits for nothing");
    clock.advance(due - clock.monotonic());
  }
}

/** A list of rows that are reached with arrows. */
export function arrowList(
  labels: readonly string[],
  highlighted: number,
  parts: Partial<Candidate> = {},
): Candidate {
  const rows = labels.map((label): ChoiceParts => ({ label, answer: { by: "arrows" } }));
  return makeCandidate({ choices: makeChoices(...rows), highlighted, ...parts });
}

const ARROWS: Readonly<Record<string, number>> = { "\u001b[A": -1, "\u001b[B": 1 };

/** Makes the hands behave as such a list: arrows move after `slowMs`, Enter takes the highlighted row and closes. */
export function behaveAsList(port: FakePort, slowMs = 20): { taken: () => number | null } {
  let taken: number | null = null;
  port.react = (keys) => {
    const live = port.detect();
    if (live?.highlighted == null) return;
    const move = ARROWS[keys];
    if (move !== undefined) port.drawIn(slowMs, { ...live, highlighted: live.highlighted + move });
    if (keys === "\r") {
      taken = live.highlighted;
      port.drawIn(slowMs, null);
    }
  };
  return { taken: () => taken };
}
