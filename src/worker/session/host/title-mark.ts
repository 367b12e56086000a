/**
 * Shows text in the window's title while a prompt reaches nobody or needs a number. It is our only output after the start, changes no cell,
 * is written between two sequences while the tool is silent, and yields to the tool's own title.
 */
import type { Cancel, Clock } from "../../../model/clock.js";
import { makeVisible } from "../../../safety/display.js";
import { systemClock } from "../../../observe/clock.js";
import { writeToScreen } from "./host-output.js";
import type { HostTerminal } from "./host-terminal.js";

export const SILENT_MS = 200;
const TITLE_LENGTH_MAX = 120;

/** Xterm's title stack, so that we need not know the previous title. */
const PUSH = "\u001b[22;2t";
const POP = "\u001b[23;2t";

export interface TitleMarkOptions {
  readonly write: (text: string) => void;
  readonly writeLast: (text: string) => void;
  readonly clock: Clock;
}

export class TitleMark {
  readonly #options: TitleMarkOptions;
  readonly #output = new ToolOutput();
  #warning: string | null = null;
  #note: string | null = null;
  #shown: string | null = null;
  #outputAt = -Infinity;
  #stopTimer: Cancel = () => undefined;

  constructor(options: TitleMarkOptions) {
    this.#options = options;
  }

  onOutput(chunk: Uint8Array): void {
    this.#output.push(chunk);
    this.#outputAt = this.#options.clock.monotonic();
  }

  /** Sets why prompts reach nobody, or null. It appears when the tool is silent. */
  show(text: string | null): void {
    this.#warning = text;
    this.#update();
  }

  /** Sets the number that a yes requires, by order of the hub. */
  note(text: string | null): void {
    this.#note = text;
    this.#update();
  }

  close(): void {
    this.#stopTimer();
    if (this.#shown !== null) this.#options.writeLast(this.#buildRestore());
    this.#shown = null;
  }

  #update(): void {
    this.#stopTimer();
    const wanted = [this.#note, this.#warning].filter((part) => part !== null).join(" · ") || null;
    if (wanted === this.#shown) return;
    const { clock, write } = this.#options;
    const silentMs = clock.monotonic() - this.#outputAt;
    if (silentMs < SILENT_MS || !this.#output.isComplete) {
      this.#stopTimer = clock.after(Math.max(SILENT_MS - silentMs, 1) + 1, () => this.#update());
      return;
    }
    const title = makeVisible(wanted ?? "")
      .replaceAll(/\s+/g, " ")
      .slice(0, TITLE_LENGTH_MAX);
    write(wanted === null ? this.#buildRestore() : (this.#shown === null ? PUSH : "") + setTitle(title));
    this.#shown = wanted;
  }

  #buildRestore(): string {
    return POP + (this.#output.title === null ? "" : setTitle(this.#output.title));
  }
}

function setTitle(title: string): string {
  return `\u001b]2;${title}\u0007`;
}

/** Null if there is no window, or it is not `wanted`. */
export function openTitleMark(
  host: Pick<HostTerminal, "isWindow" | "write">,
  wanted: boolean,
): TitleMark | null {
  if (!host.isWindow || !wanted) return null;
  const write = (text: string): void => void host.write(Buffer.from(text));
  return new TitleMark({ write, writeLast: writeToScreen, clock: systemClock });
}

/** A longer sequence sets no title. */
const SEQUENCE_LENGTH_MAX = 4096;
const TITLES = /\u001b\][02];([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;
/** An incomplete sequence. CAN (18) and SUB (1A) end every sequence, and ESC (1B) begins the next. */
const OPEN_SEQUENCE =
  /\x1b(?:[ -/]*|\[[^@-~\x18\x1a\x1b]*|\][^\x07\x18\x1a\x1b]*\x1b?|[PX^_][^\x18\x1a\x1b]*)$/;
/** The first bytes of a character in UTF-8. */
const OPEN_CHARACTER = /(?:[\xc0-\xff]|[\xe0-\xff][\x80-\xbf]|[\xf0-\xff][\x80-\xbf]{2})$/;
const CHARACTER_BYTES_MAX = 4;

/** Finds the tool's last title, and whether other text may be written between two pieces of its output. */
export class ToolOutput {
  title: string | null = null;
  /** The end of the output as Latin-1: an incomplete sequence, or a few bytes. */
  #end = "";

  /** Whether the output so far ends with a complete sequence and a complete character. */
  get isComplete(): boolean {
    return !OPEN_SEQUENCE.test(this.#end) && !OPEN_CHARACTER.test(this.#end);
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const text = this.#end + bytes.toString("latin1");
    for (const [, title = ""] of text.matchAll(TITLES)) this.title = Buffer.from(title, "latin1").toString();
    const [open = ""] = OPEN_SEQUENCE.exec(text) ?? [];
    const kept = open.length > SEQUENCE_LENGTH_MAX ? open.slice(0, 2) : open;
    this.#end = kept || text.slice(-CHARACTER_BYTES_MAX);
  }
}
