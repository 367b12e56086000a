/** A session without a process: the real screen, detector, tracker, guard and injector, on a manual clock. */
import { ManualClock } from "../../../src/observe/clock.js";
import type { Cancel } from "../../../src/model/clock.js";
import type { ToolState } from "../../../src/model/tool-state.js";
import type { InjectionResult } from "../../../src/sdk/adapter.js";
import type { Candidate } from "../../../src/sdk/candidate.js";
import type { View } from "../../../src/sdk/view.js";
import type { TerminalPort } from "../../../src/worker/answer/terminal-port.js";
import { injectAnswer } from "../../../src/worker/answer/inject.js";
import type { CompiledAdapter } from "../../../src/worker/adapter-format/compiled/compiled.js";
import { LiveDetector } from "../../../src/worker/detection/live/live-detector.js";
import { detectState } from "../../../src/worker/detection/states.js";
import { Screen, type ScreenSize } from "../../../src/worker/screen/screen.js";
import { replyTo } from "../../unit/worker/answer/make.js";
import { drive } from "../../unit/worker/answer/fake-port.js";

/** Kernel facts of a program that reads a line; a drawn dialog does not look at them. */
const READING = { echo: true, blockedOnRead: true };
const GROUP = 4242;

export class ScreenSession implements TerminalPort {
  readonly clock = new ManualClock(0);
  readonly screen: Screen;
  readonly log: string[] = [];
  readonly written: string[] = [];
  /** Runs while the injection waits for the screen to settle. */
  meanwhile: () => void = () => undefined;
  /** Runs when the injection looks for news for the last time; true when there was something. */
  news: () => boolean = () => false;
  readonly #adapter: CompiledAdapter;
  readonly #detector: LiveDetector;
  readonly #listeners = new Set<() => void>();

  constructor(adapter: CompiledAdapter, size: ScreenSize, canonical: boolean) {
    this.#adapter = adapter;
    this.screen = new Screen(size);
    this.#detector = new LiveDetector({
      adapter,
      screen: this.screen,
      clock: this.clock,
      readSignals: () => ({ ...READING, canonical }),
    });
    this.#detector.onOutput((output) => {
      if (output.kind === "raise") this.log.push("raise");
      if (output.kind === "withdraw") this.log.push(output.reason);
    });
    this.screen.onChange(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  get pending(): {
    readonly raised: Candidate;
    readonly candidate: Candidate;
    readonly epoch: number;
  } | null {
    return this.#detector.pending;
  }

  async draw(bytes: string): Promise<void> {
    this.screen.write(Buffer.from(bytes));
    await this.screen.flushed();
    this.#detector.look();
  }

  resize(size: ScreenSize): void {
    this.screen.resize(size);
    this.#detector.onResized();
  }

  drawUnseen(bytes: string): void {
    this.screen.write(Buffer.from(bytes));
  }

  wait(ms: number): void {
    this.clock.advance(ms);
    this.#detector.look();
  }

  /** Answers what was raised as the card has it; `atGate` happens once the leave is asked for. */
  answer(value: string, atGate: () => Promise<void>): Promise<InjectionResult | null> {
    const { pending } = this;
    if (!pending) return Promise.resolve(null);
    const { candidate, epoch } = pending;
    return drive(
      this.clock,
      injectAnswer(this, candidate, replyTo(candidate, value), atGate, {
        raisedGroup: GROUP,
        isCurrent: () => this.#detector.isCurrent(epoch),
        timings: { effectWithinMs: 50, returnsWithinMs: 20, stepWithinMs: 50, goneForMs: 10 },
      }),
    );
  }

  dispose(): void {
    this.#detector.stop();
    this.screen.dispose();
  }

  view(): View {
    return this.screen.view();
  }

  detect(): Candidate | null {
    return this.#detector.detectNow();
  }

  detectState(view: View): ToolState | null {
    return detectState(this.#adapter, view, {});
  }

  hasEmptyComposer(): boolean {
    return false;
  }

  readPending(): boolean {
    return this.news();
  }

  async waitUntilParsed(): Promise<void> {
    this.meanwhile();
    await this.screen.flushed();
  }

  write(bytes: Uint8Array): Promise<number> {
    this.written.push(Buffer.from(bytes).toString());
    return Promise.resolve(bytes.length);
  }

  typedAt(): number {
    return -Infinity;
  }

  foregroundGroup(): number {
    return GROUP;
  }

  isAlive(): boolean {
    return true;
  }

  wasEnded(): boolean {
    return false;
  }

  outputBytes(): { written: number; parsed: number } {
    return { written: this.screen.writtenBytes, parsed: this.screen.parsedBytes };
  }

  setStepped(): void {
    // The picture between two drawings does not matter here.
  }

  readQueues(): null {
    return null;
  }

  onFrame(callback: () => void): Cancel {
    this.#listeners.add(callback);
    return () => void this.#listeners.delete(callback);
  }
}
