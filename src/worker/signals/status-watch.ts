/** What the tool says of itself (OSC 7501), kept up to date from its output; its question is answered as a terminal would. */
import type { Signals } from "../../sdk/view.js";
import {
  NO_REST,
  scanStatus,
  STATUS_ANSWER,
  type StatusMessage,
  type StatusReport,
} from "./program-status.js";

export interface StatusWatchOptions {
  /** The name under which the tool reports. Programs that it runs may report as well, under theirs, and are not believed. */
  readonly app: string;
  /** Writes to the tool, at once. */
  readonly answer: (bytes: Uint8Array) => void;
  readonly onChange: (report: StatusReport) => void;
}

export class StatusWatch {
  readonly #options: StatusWatchOptions;
  #rest = NO_REST;
  #declared: Signals["declared"];
  #hasAnswered = false;

  constructor(options: StatusWatchOptions) {
    this.#options = options;
  }

  /** What was said last; undefined before the first report and after the tool took it back. */
  get declared(): Signals["declared"] {
    return this.#declared;
  }

  /** Call before the chunk is passed on: the answer must reach the tool before what the terminal says to the same chunk. */
  see(chunk: Uint8Array): void {
    const { rest, messages } = scanStatus(this.#rest, chunk);
    this.#rest = rest;
    for (const message of messages) this.#take(message);
  }

  #take(message: StatusMessage): void {
    if (message.kind === "query") this.#answerOnce();
    else this.#report(message);
  }

  /** Once a run: output that imitates the question must not make us type, and a tool that asks again reports already. */
  #answerOnce(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    this.#options.answer(STATUS_ANSWER);
  }

  /**
   * A state counts from whoever signs with the tool's name; `clear` needs no name (tools end with it), for it only takes back, and the
   * screen decides again. The name is no proof: what a tool passes on raw of the output of a command could carry it. That cannot
   * matter, because a report is never a question, a choice or an answer. `blocked` makes us look, and what is asked is read from
   * screen or hook; any other state neither hides a dialog that is drawn nor lets a key be typed. The worst of a forged one is a
   * question about the screen as it stands, or a waiting call given up: then its dialog, which nobody answered, is asked from the screen.
   */
  #report(report: StatusReport): void {
    const { state, app, blockedOn, part } = report;
    const isTools = app === this.#options.app || (app === null && state === "clear");
    if (part !== null || !isTools) return;
    this.#declared =
      state === "clear" ? undefined : { state, ...(blockedOn !== null && { kind: blockedOn }) };
    this.#options.onChange(report);
  }
}
