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
  /** The name under which the tool reports. Programs that it runs may report as well, and are not believed. */
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

  #report(report: StatusReport): void {
    const { state, app, blockedOn, part } = report;
    if (part !== null || (app !== null && app !== this.#options.app)) return;
    this.#declared =
      state === "clear" ? undefined : { state, ...(blockedOn !== null && { kind: blockedOn }) };
    this.#options.onChange(report);
  }
}
