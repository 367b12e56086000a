/** Keeps the state that the tool reports (OSC 7501) up to date from its output, and answers its query as a terminal would. */
import type { Signals } from "../../sdk/view.js";
import {
  NO_REST,
  scanStatus,
  STATUS_ANSWER,
  type StatusMessage,
  type StatusReport,
} from "./program-status.js";

export interface StatusWatchOptions {
  /** The name under which the tool reports. Programs that it runs may report under their own names; those reports are ignored. */
  readonly app: string;
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

  /** The last report; undefined before the first one and after the tool withdrew it. */
  get declared(): Signals["declared"] {
    return this.#declared;
  }

  /** Call before the chunk is forwarded: the answer must reach the tool before what the terminal answers to the same chunk. */
  onOutput(chunk: Uint8Array): void {
    const { rest, messages } = scanStatus(this.#rest, chunk);
    this.#rest = rest;
    for (const message of messages) this.#onMessage(message);
  }

  #onMessage(message: StatusMessage): void {
    if (message.kind === "query") this.#answerOnce();
    else this.#onReport(message);
  }

  /** Answers once per session: output that imitates the query must not make us type, and a tool that asks again reports already. */
  #answerOnce(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    this.#options.answer(STATUS_ANSWER);
  }

  /**
   * The name is no proof: a command whose output the tool passes on could write it. That does no harm, because a report is never a
   * prompt, a choice or an answer: it makes us look at the screen, or give up a waiting call, whose dialog is then raised from the
   * screen. `clear` needs no name, because tools end with it and it only withdraws a report.
   */
  #onReport(report: StatusReport): void {
    const { state, app, blockedOn, part } = report;
    const isTools = app === this.#options.app || (app === null && state === "clear");
    if (part !== null || !isTools) return;
    this.#declared =
      state === "clear" ? undefined : { state, ...(blockedOn !== null && { kind: blockedOn }) };
    this.#options.onChange(report);
  }
}
