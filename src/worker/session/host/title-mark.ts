/**
 * Puts a mark into the window's title while a prompt reaches nobody or wants a number: our only output on a terminal after the
 * start. It changes no cell, is written between two sequences while the tool is silent, and yields to the tool's own title.
 */
import type { Cancel, Clock } from "../../../model/clock.js";
import { makeVisible } from "../../../safety/display.js";
import { systemClock } from "../../../observe/clock.js";
import { writeToScreen } from "./host-output.js";
import type { HostTerminal } from "./host-terminal.js";
import { SequenceTracker } from "./sequence-tracker.js";

/** A drawing tool writes its next piece sooner. */
export const SILENT_MS = 200;
/** Most terminals cut longer titles, somewhere in the middle of the reason. */
const TITLE_LENGTH_MAX = 120;

/** Xterm's title stack: the previous title need not be known. */
const PUSH = "\u001b[22;2t";
const POP = "\u001b[23;2t";
const OSC_TITLE = "\u001b]2;";
const BEL = "\u0007";

export interface TitleMarkOptions {
  readonly write: (text: string) => void;
  readonly clock: Clock;
}

export class TitleMark {
  readonly #options: TitleMarkOptions;
  readonly #sequences = new SequenceTracker();
  readonly #toolTitle = new ToolTitle();
  #wanted: string | null = null;
  #warning: string | null = null;
  #note: string | null = null;
  #shown: string | null = null;
  #outputAt = -Infinity;
  #stopTimer: Cancel = () => undefined;

  constructor(options: TitleMarkOptions) {
    this.#options = options;
  }

  /** Call with output of the tool as it goes to the terminal. */
  onOutput(chunk: Uint8Array): void {
    this.#sequences.push(chunk);
    this.#toolTitle.push(chunk);
    this.#outputAt = this.#options.clock.monotonic();
  }

  /** Sets what the title shows; null: nothing of ours. It appears when the tool is silent next. */
  show(text: string | null): void {
    this.#warning = text;
    this.#choose();
  }

  /** What the hub wants to stand there beside it: the number that a yes needs. */
  note(text: string | null): void {
    this.#note = text;
    this.#choose();
  }

  #choose(): void {
    const parts = [this.#note, this.#warning].filter((part) => part !== null);
    this.#wanted = parts.length === 0 ? null : parts.join(" · ");
    this.#stopTimer();
    this.#update();
  }

  /** Call when the tool has ended. Returns what must be written to restore the title, or null. */
  end(): string | null {
    this.#stopTimer();
    this.#wanted = null;
    if (this.#shown === null) return null;
    this.#shown = null;
    return this.#buildRestore();
  }

  #update(): void {
    if (this.#wanted === this.#shown) return;
    const { clock } = this.#options;
    const silentMs = clock.monotonic() - this.#outputAt;
    if (silentMs >= SILENT_MS && this.#sequences.isBetweenSequences) this.#write();
    else this.#stopTimer = clock.after(Math.max(SILENT_MS - silentMs, 1) + 1, () => this.#update());
  }

  #write(): void {
    const { write } = this.#options;
    if (this.#wanted === null) write(this.#buildRestore());
    else {
      const title = makeVisible(this.#wanted).replaceAll(/\s+/g, " ").slice(0, TITLE_LENGTH_MAX);
      write(`${this.#shown === null ? PUSH : ""}${OSC_TITLE}${title}${BEL}`);
    }
    this.#shown = this.#wanted;
  }

  #buildRestore(): string {
    const { title } = this.#toolTitle;
    return title === null ? POP : `${POP}${OSC_TITLE}${title}${BEL}`;
  }
}

/** The mark in this terminal's title; null where there is no window, or where it is not `wanted`. */
export function openTitleMark(
  host: Pick<HostTerminal, "isWindow" | "write">,
  wanted: boolean,
): TitleMark | null {
  if (!host.isWindow || !wanted) return null;
  return new TitleMark({ write: (text) => void host.write(Buffer.from(text)), clock: systemClock });
}

/** Gives the title back to whoever had it. */
export function closeTitleMark(mark: TitleMark | null): void {
  const title = mark?.end();
  if (title) writeToScreen(title);
}

/** The hub's call for a note; without a window there is none to show it. */
export function takeMarks(
  mark: { readonly note: (text: string | null) => unknown } | null | undefined,
): (wish: { readonly text: string | null }) => Record<string, never> {
  return ({ text }) => {
    mark?.note(text);
    return {};
  };
}

/** A longer sequence is not a title. */
const SEQUENCE_LENGTH_MAX = 4096;
const TITLE_START = Buffer.from("\u001b]");
const TITLES = /\u001b\][02];([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g;

/** Tracks the title that the tool set last, as it wrote it; null: none. */
class ToolTitle {
  title: string | null = null;
  /** The beginning of a sequence that may set a title. */
  #partial = "";

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#partial === "" && !bytes.includes(TITLE_START)) return;
    const text = this.#partial + bytes.toString("latin1");
    for (const [, title = ""] of text.matchAll(TITLES)) this.title = Buffer.from(title, "latin1").toString();
    const last = text.lastIndexOf("\u001b]");
    const rest = last < 0 ? "" : text.slice(last);
    const isOpen = !/[\u0007]|\u001b\\/.test(rest.slice(2));
    this.#partial = isOpen && rest.length <= SEQUENCE_LENGTH_MAX ? rest : "";
  }
}
