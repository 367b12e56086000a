/** Reports the tool's state, and its last message once it is idle, from the tool's own report or else from its screen. */
import type { Cancel, Clock } from "../../../model/clock.js";
import { limitLastMessage, type ToolState } from "../../../model/tool-state.js";
import type { StateChanged } from "../../../sdk/adapter.js";

/** The tool's own report comes within tenths of a second after its screen came to rest; by then an answer is drawn completely. */
const SCREEN_AFTER_MS = 1000;
/** For this time after the tool's own report its screen may still show the work of the finished turn. */
const LAGS_MS = 2000;

export interface LastMessageOptions {
  readonly clock: Clock;
  readonly onState: (event: StateChanged) => void;
  readonly readAnswer: () => string | null;
  readonly safeText: (text: string) => string;
}

export class LastMessage {
  readonly #options: LastMessageOptions;
  #message: { readonly said: string; readonly by: "tool" | "screen"; readonly at: number } | null = null;
  #hasWorked = false;
  #isNews = false;
  /** A turn that was stopped has no report, and the answer on the screen is that of an earlier turn. */
  #hasReported = false;
  #lastShown: string | null = null;
  #cancel: Cancel = () => undefined;

  constructor(options: LastMessageOptions) {
    this.#options = options;
  }

  noteState(state: ToolState): void {
    this.#cancel();
    if (state === "working") this.#noteWorking();
    this.#report(state);
    if (state === "idle" && !this.#hasWorked) this.#lastShown = this.#options.readAnswer();
    if (state === "idle" && this.#message === null && this.#hasWorked && !this.#hasReported)
      this.#cancel = this.#options.clock.after(SCREEN_AFTER_MS, () => this.#read());
  }

  /** Call when the tool itself reports its state; `words`: its last message, null where it reports none. */
  noteReport(state: ToolState, words: string | null): void {
    if (state === "working") this.#noteWorking();
    else if (words !== null && !this.#isNews) this.#report("working");
    if (words !== null) {
      this.#hasReported = true;
      this.#keep(words, "tool");
      this.#isNews = false;
    }
    this.#report(state);
  }

  stop(): void {
    this.#cancel();
  }

  #noteWorking(): void {
    this.#hasWorked = true;
    this.#isNews = true;
    const message = this.#message;
    if (message?.by === "tool" && this.#options.clock.monotonic() - message.at <= LAGS_MS) return;
    this.#message = null;
  }

  #read(): void {
    const shown = this.#options.readAnswer();
    if (shown === null || shown === this.#lastShown) return;
    this.#lastShown = shown;
    this.#keep(shown, "screen");
    this.#report("idle");
  }

  #keep(words: string, by: "tool" | "screen"): void {
    this.#cancel();
    const lastText = limitLastMessage(this.#options.safeText(words));
    this.#message = { said: lastText, by, at: this.#options.clock.monotonic() };
  }

  #report(state: ToolState): void {
    const said = state === "idle" ? this.#message?.said : undefined;
    this.#options.onState({ kind: "state", state, ...(said !== undefined && { said }) });
  }
}
