/** Replays a recording through the screen, rules and tracker of a live session, on a virtual clock (ADR 7). */
import { ManualClock } from "../../src/observe/clock.js";
import type { Candidate } from "../../src/sdk/candidate.js";
import type { RecordingEvent } from "../../src/worker/screen/recording-event.js";
import type { ToolState } from "../../src/model/tool-state.js";
import type { Signals, View } from "../../src/sdk/view.js";
import { StatusWatch } from "../../src/worker/signals/status-watch.js";
import { Screen } from "../../src/worker/screen/screen.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import { LiveDetector } from "../../src/worker/detection/live/live-detector.js";
import type { TrackerOutput, TrackerReason } from "../../src/worker/detection/live/tracker.js";

/** The default time after the last event. */
export const SETTLE_MS = 3000;

export interface ReplayOptions {
  readonly cols: number;
  readonly rows: number;
  readonly settleMs?: number;
  /** The tty's facts at the end. */
  readonly tty?: Signals;
}

export interface RaisedPrompt {
  readonly candidate: Candidate;
  readonly epoch: number;
  /** On the recording's clock: first seen complete, and raised. */
  readonly seenAt: number;
  readonly raisedAt: number;
  readonly withdrawnAt: number | null;
  readonly withdrawReason: TrackerReason | null;
}

export interface StateChange {
  readonly at: number;
  readonly state: ToolState;
}

export interface ReplayResult {
  readonly raised: readonly RaisedPrompt[];
  /** As drawn at the end. */
  readonly pending: { readonly candidate: Candidate; readonly epoch: number } | null;
  readonly state: ToolState | null;
  readonly states: readonly StateChange[];
  readonly view: View;
  /** On the recording's clock. */
  readonly endedAt: number;
}

export async function replay(
  adapter: CompiledAdapter,
  recording: readonly RecordingEvent[],
  options: ReplayOptions,
): Promise<ReplayResult> {
  const run = new Run(adapter, options);
  for (const event of recording) await run.play(event);
  return run.finish();
}

class Run {
  readonly #clock = new ManualClock(0);
  readonly #screen: Screen;
  readonly #detector: LiveDetector;
  readonly #status: StatusWatch | null;
  readonly #options: ReplayOptions;
  readonly #raised: RaisedPrompt[] = [];
  readonly #states: StateChange[] = [];
  #tty: Signals = {};

  constructor(adapter: CompiledAdapter, options: ReplayOptions) {
    this.#options = options;
    this.#screen = new Screen(options);
    const { programStatus: app } = adapter.signals;
    // The recording contains the replies that the tool got.
    const answer = (): void => undefined;
    this.#status =
      app === null ? null : new StatusWatch({ app, answer, onChange: () => this.#detector.wake() });
    this.#detector = new LiveDetector({
      adapter,
      screen: this.#screen,
      clock: this.#clock,
      readSignals: () => this.#readSignals(),
    });
    this.#detector.onOutput((output) => this.#record(output));
  }

  async play(event: RecordingEvent): Promise<void> {
    await this.#advanceTo(event.t_ms);
    if ("data_b64" in event) this.#write(Buffer.from(event.data_b64, "base64"));
    else if ("resize" in event) await this.#resize(event.resize);
    else this.#detector.onTyped(Buffer.from(event.input_b64, "base64"));
  }

  async finish(): Promise<ReplayResult> {
    await this.#screen.flushed();
    this.#tty = this.#options.tty ?? {};
    await this.#advanceTo(this.#clock.monotonic() + (this.#options.settleMs ?? SETTLE_MS));
    const { pending, toolState } = this.#detector;
    const view = this.#screen.view();
    this.#detector.stop();
    this.#screen.dispose();
    const endedAt = this.#clock.monotonic();
    return { raised: this.#raised, pending, state: toolState, states: this.#states, view, endedAt };
  }

  #write(bytes: Uint8Array): void {
    this.#status?.onOutput(bytes);
    this.#screen.write(bytes);
  }

  #readSignals(): Signals {
    const declared = this.#status?.declared;
    return { ...this.#tty, ...(declared && { declared }) };
  }

  /** Parses output before each timer fires, because a detection must see all earlier output. */
  async #advanceTo(instant: number): Promise<void> {
    await this.#screen.flushed();
    for (
      let due = this.#clock.findNextDue();
      due !== null && due <= instant;
      due = this.#clock.findNextDue()
    ) {
      await this.#screen.flushed();
      this.#clock.advance(due - this.#clock.monotonic());
    }
    this.#clock.advance(Math.max(0, instant - this.#clock.monotonic()));
  }

  async #resize([cols, rows]: readonly [number, number]): Promise<void> {
    await this.#screen.flushed();
    this.#screen.resize({ cols, rows });
    this.#detector.onResized();
  }

  #record(output: TrackerOutput): void {
    const now = this.#clock.monotonic();
    if (output.kind === "raise") {
      const { candidate, epoch, known } = output;
      this.#raised.push({
        candidate,
        epoch,
        seenAt: known,
        raisedAt: now,
        withdrawnAt: null,
        withdrawReason: null,
      });
    } else if (output.kind === "withdraw") {
      const last = this.#raised.pop();
      if (last) this.#raised.push({ ...last, withdrawnAt: now, withdrawReason: output.reason });
    } else this.#states.push({ at: now, state: output.state });
  }
}
