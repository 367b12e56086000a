/** A live session on a virtual clock: what is drawn, typed and known, and what came out. */
import { ManualClock } from "../../../../src/observe/clock.js";
import type { Signals } from "../../../../src/sdk/view.js";
import { LiveDetector } from "../../../../src/worker/detection/live/live-detector.js";
import { Screen } from "../../../../src/worker/screen/screen.js";
import { shippedAdapter } from "./screens.js";

export class Session {
  readonly clock = new ManualClock(0);
  readonly screen = new Screen({ cols: 80, rows: 24 });
  readonly log: string[] = [];
  /** When each prompt was raised. */
  readonly raisedAt: number[] = [];
  readonly detector: LiveDetector;
  signals: Signals = {};
  /** Another program opens the terminal again and again. */
  isOpened = false;

  constructor(adapter: string, stuckTimeoutMs?: number) {
    this.detector = new LiveDetector({
      ...(stuckTimeoutMs === undefined ? {} : { stuckTimeoutMs }),
      adapter: shippedAdapter(adapter),
      screen: this.screen,
      clock: this.clock,
      readSignals: () => this.signals,
      users: {
        readUse: () => ({ isOpened: this.isOpened, isWritten: false }),
        findMembers: () => [],
      },
    });
    this.detector.onOutput((output) => {
      if (output.kind === "raise") {
        this.log.push(`raise ${output.candidate.promptType}`);
        this.raisedAt.push(this.clock.monotonic());
      } else this.log.push(output.kind === "withdraw" ? `withdraw ${output.reason}` : output.state);
    });
  }

  /** Prompts raised and withdrawn, without the tool's states. */
  get prompts(): string[] {
    return this.log.filter((line) => /^(?:raise|withdraw) /.test(line));
  }

  async draw(text: string): Promise<this> {
    this.screen.write(Buffer.from(text));
    await this.screen.flushed();
    return this;
  }

  wait(ms: number): this {
    this.clock.advance(ms);
    return this;
  }

  type(text: string, canonical?: boolean): this {
    this.detector.onTyped(Buffer.from(text), canonical);
    return this;
  }

  /** Our answer's last key was written. */
  answer(): this {
    this.detector.onCommitted();
    return this;
  }
}
