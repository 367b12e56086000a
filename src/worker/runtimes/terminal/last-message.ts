/**
 * What the tool does, and once it waits for its next task what it said last: in its own words where it tells them, else as its
 * screen shows them. Screen and hooks tell of the same turn at different moments; people hear of it once it is settled.
 */
import type { Cancel, Clock } from "../../../model/clock.js";
import { limitLastMessage, type ToolState } from "../../../model/tool-state.js";
import type { StateChanged } from "../../../sdk/adapter.js";

/** The tool's own word comes within tenths of a second after its screen came to rest; by then an answer is drawn whole. */
const SCREEN_AFTER_MS = 1000;
/** For so long after the tool's own word its screen may still show the work of the turn that is over. */
const LAGS_MS = 2000;

export interface ToolWordsOptions {
  readonly clock: Clock;
  readonly tell: (event: StateChanged) => void;
  /** The last answer as the screen shows it now; null when it shows none. */
  readonly read: () => string | null;
  readonly redact: (text: string) => string;
}

export class LastMessage {
  readonly #options: ToolWordsOptions;
  #words: { readonly said: string; readonly at: number } | null = null;
  /** Before its first task it has said nothing. */
  #hasWorked = false;
  /** It was seen at work since it told its last words. */
  #isNews = false;
  #cancel: Cancel = () => undefined;

  constructor(options: ToolWordsOptions) {
    this.#options = options;
  }

  /** The screen, or a status report, shows another state. */
  seen(state: ToolState): void {
    this.#cancel();
    if (state === "working") this.#works();
    this.#tell(state);
    if (state === "idle" && this.#words === null && this.#hasWorked)
      this.#cancel = this.#options.clock.after(SCREEN_AFTER_MS, () => this.#read());
  }

  /** The tool says by itself what it does; `words`: what it said last, null where it does not tell. */
  told(state: ToolState, words: string | null): void {
    if (state === "working") this.#works();
    // A turn that nobody saw: it was over before anybody looked.
    else if (words !== null && !this.#isNews) this.#tell("working");
    if (words !== null) {
      this.#keep(words);
      this.#isNews = false;
    }
    this.#tell(state);
  }

  stop(): void {
    this.#cancel();
  }

  #works(): void {
    this.#hasWorked = true;
    this.#isNews = true;
    if (this.#words && this.#options.clock.monotonic() - this.#words.at > LAGS_MS) this.#words = null;
  }

  #read(): void {
    const shown = this.#options.read();
    if (shown === null) return;
    this.#keep(shown);
    this.#tell("idle");
  }

  #keep(words: string): void {
    this.#cancel();
    const said = limitLastMessage(this.#options.redact(words));
    this.#words = { said, at: this.#options.clock.monotonic() };
  }

  #tell(state: ToolState): void {
    const said = state === "idle" ? this.#words?.said : undefined;
    this.#options.tell({ kind: "state", state, ...(said !== undefined && { said }) });
  }
}
