/** Records the latest part of a session: a picture, and everything that came after it. */
import type { Clock } from "../../../model/clock.js";
import type { Signals, View } from "../../../sdk/view.js";
import type { RecordingEvent } from "../../screen/recording-event.js";
import { drawView } from "../../screen/draw-view.js";
import type { Screen, ScreenSize } from "../../screen/screen.js";

/** A recording holds the last one or two parts of this size: several redraws of a large screen, and seconds of a busy log. */
const PART_BYTES = 128 * 1024;
/** Above this size, what a flood brought before its latest picture is dropped: a capture is meant to be read by people. */
const KEPT_BYTES_MAX = 16 * PART_BYTES;
/** A flood has a complete picture more often than this. One that has none is cut off here, wherever that is: memory counts more. */
const PART_BYTES_MAX = 64 * PART_BYTES;

export interface TailRecording extends ScreenSize {
  readonly events: readonly RecordingEvent[];
}

export interface Capture extends TailRecording {
  readonly tty: Signals;
}

type TimedEvent =
  | { readonly at: number; readonly output: Uint8Array }
  | { readonly at: number; readonly typed: Uint8Array }
  | { readonly at: number; readonly size: ScreenSize };

const HAPPENING_BYTES_MIN = 256;

interface Part {
  readonly at: number;
  readonly view: View | null;
  readonly size: ScreenSize;
  readonly happenings: TimedEvent[];
  bytes: number;
}

export class RecordingTail {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #screen: Screen;
  readonly #partBytes: number;
  #older: Part | null = null;
  #current: Part;
  #lastOutput: Uint8Array = new Uint8Array();

  constructor(screen: Screen, size: ScreenSize, clock: Pick<Clock, "monotonic">, partBytes = PART_BYTES) {
    this.#screen = screen;
    this.#clock = clock;
    this.#partBytes = partBytes;
    this.#current = { at: clock.monotonic(), view: null, size, happenings: [], bytes: 0 };
  }

  /** Call before output is written to the screen. `bytes` must not be changed afterwards. */
  onOutput(bytes: Uint8Array): void {
    this.#current.happenings.push({ at: this.#clock.monotonic(), output: bytes });
    this.#current.bytes += Math.max(bytes.length, HAPPENING_BYTES_MIN);
    this.#lastOutput = bytes;
    if (this.#current.bytes > Math.max(PART_BYTES_MAX, this.#partBytes)) this.#begin();
  }

  onTyped(bytes: Uint8Array): void {
    this.#current.happenings.push({ at: this.#clock.monotonic(), typed: bytes });
  }

  onResized(size: ScreenSize): void {
    this.#current.happenings.push({ at: this.#clock.monotonic(), size });
  }

  /** Call when output was parsed: the picture is complete when nothing else waits and nothing was cut in the middle. */
  onParsed(): void {
    const isDue = this.#current.bytes >= this.#partBytes && this.#screen.backlogBytes === 0;
    if (isDue && isEndWhole(this.#lastOutput)) this.#begin();
  }

  createRecording(): TailRecording {
    const first = this.#older ?? this.#current;
    const drawing = first.view === null ? [] : [{ at: first.at, output: Buffer.from(drawView(first.view)) }];
    const happenings = [...drawing, ...(this.#older?.happenings ?? []), ...this.#current.happenings];
    return { ...first.size, events: happenings.map((happening) => toEvent(happening, first.at)) };
  }

  #begin(): void {
    const view = this.#screen.view();
    const isKept = this.#current.bytes <= KEPT_BYTES_MAX;
    this.#older = isKept ? this.#current : null;
    const size = { cols: view.cols, rows: view.rows };
    this.#current = { at: this.#clock.monotonic(), view, size, happenings: [], bytes: 0 };
  }
}

function toEvent(happening: TimedEvent, start: number): RecordingEvent {
  const time = { t_ms: Math.round((happening.at - start) * 10) / 10 };
  if ("size" in happening) return { ...time, resize: [happening.size.cols, happening.size.rows] };
  if ("typed" in happening) return { ...time, input_b64: Buffer.from(happening.typed).toString("base64") };
  return { ...time, data_b64: Buffer.from(happening.output).toString("base64") };
}

const SEQUENCE_BYTES_MAX = 256;
const WHOLE =
  /^\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,256}(?:\u0007|\u001b\\)|[ -/]{0,8}[0-OQ-WYZ`-~])/;

/** Whether neither a character nor a control sequence is cut at the end. */
function isEndWhole(bytes: Uint8Array): boolean {
  const end = Buffer.from(bytes.subarray(-SEQUENCE_BYTES_MAX)).toString("latin1");
  if ((end.at(-1) ?? "") > "\u007f") return false;
  const start = end.endsWith("\u001b\\")
    ? end.lastIndexOf("\u001b", end.length - 3)
    : end.lastIndexOf("\u001b");
  return start < 0 || WHOLE.test(end.slice(start));
}
