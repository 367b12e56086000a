/** What `exec` says: to the person who sits here, to programs that read along, and when it starts. */
import type { PromptEvent } from "../model/prompt.js";
import { Transcript } from "../worker/runtimes/protocol/transcript.js";
import { rawLines } from "../worker/session/host/host-output.js";
import type { HostTerminal } from "../worker/session/host/host-terminal.js";
import type { SessionReport } from "../worker/runtimes/exec/session-report.js";
import { announce } from "../worker/session/host/announce.js";
import { eventOf, type ExecEvent } from "./exec-events.js";
import type { ExecOptions } from "./exec-options.js";

export class ExecPrinter {
  readonly #host: HostTerminal;
  readonly #options: Pick<ExecOptions, "json" | "quiet">;

  constructor(host: HostTerminal, options: Pick<ExecOptions, "json" | "quiet">) {
    this.#host = host;
    this.#options = options;
  }

  /** A person can answer in this terminal: they type here, and see what is said. */
  get isAnsweredHere(): boolean {
    return this.#host.isTerminal && (this.isDrawn || process.stderr.isTTY);
  }

  /** What the tool shows is drawn on a terminal. */
  get isDrawn(): boolean {
    return this.#host.isWindow && !this.#options.json;
  }

  /** A line of ours that `--quiet` leaves out. */
  line(text: string): void {
    if (!this.#options.quiet) announce([`atlasbridge: ${text}`]);
  }

  /** The same, while the terminal is the tool's. */
  note(line: string): void {
    if (!this.#options.quiet && !this.#options.json) this.say(`atlasbridge: ${line}\n`);
  }

  /** To the person who sits here, beside what the tool shows. */
  say(text: string): void {
    if (this.isDrawn) void this.#host.write(rawLines(Buffer.from(text)));
    else process.stderr.write(this.#host.isTerminal ? rawLines(Buffer.from(text)) : text);
  }

  report(report: SessionReport): void {
    this.event(eventOf(report));
    // Where what is shown goes elsewhere, the question is shown to whoever can answer it here.
    if (report.type === "asked" && this.isAnsweredHere && !this.isDrawn) this.say(questionText(report.event));
  }

  /** `--json`. */
  event(event: ExecEvent | null): void {
    if (!event || !this.#options.json) return;
    const line = Buffer.from(eventLine(event));
    void this.#host.write(this.#host.isWindow ? rawLines(line) : line);
  }
}

export function eventLine(event: ExecEvent): string {
  return `${JSON.stringify(named(event))}\n`;
}

/** As it stands in the output: `cost_usd`, not `costUsd`. What the tool or a person says is below, and stays as it is. */
function named(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}

function questionText(event: PromptEvent): string {
  let shown = "";
  new Transcript({ colours: process.stderr.isTTY, write: (text) => (shown += text) }).question(event);
  return shown;
}
