/** Joins the lines of a stream of events (SSE). The length of each event is limited as that of one line, however many lines it has. */
import { LINE_BYTES_MAX } from "../process/line-reader.js";

export interface EventDataOptions {
  /** Called with the data of each event. */
  readonly onData: (data: string) => void;
  /** Called once for each event that is longer than LINE_BYTES_MAX. */
  readonly onTooLong: () => void;
}

export class EventData {
  readonly #options: EventDataOptions;
  #data: string[] = [];
  #length = 0;
  #isTooLong = false;

  constructor(options: EventDataOptions) {
    this.#options = options;
  }

  take(line: string): void {
    const [, text] = /^data: ?(.*?)\r?$/s.exec(line) ?? [];
    if (text !== undefined) this.#add(text);
    else if (line.trim() === "") this.#end();
  }

  /** Skips the rest of this event. */
  skipEvent(): void {
    if (!this.#isTooLong) this.#options.onTooLong();
    this.#isTooLong = true;
    this.#data = [];
  }

  #add(text: string): void {
    this.#length += text.length + 1;
    if (this.#isTooLong || this.#length > LINE_BYTES_MAX) this.skipEvent();
    else this.#data.push(text);
  }

  #end(): void {
    const data = this.#data;
    this.#data = [];
    this.#length = 0;
    this.#isTooLong = false;
    if (data.length > 0) this.#options.onData(data.join("\n"));
  }
}
