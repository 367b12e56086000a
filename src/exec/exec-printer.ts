/** The output of `exec`: for the person at the terminal, for programs that read it, and the start line. */
import type { PromptEvent } from "../model/prompt.js";
import { Transcript } from "../worker/runtimes/protocol/transcript.js";
import { toRawLines } from "../worker/session/host/host-output.js";
import type { HostTerminal } from "../worker/session/host/host-terminal.js";
import type { SessionReport } from "../worker/runtimes/exec/session-report.js";
import { announce } from "../worker/session/host/announce.js";
import { toEvent, type ExecEvent } from "./exec-events.js";
import type { ExecOptions } from "./exec-options.js";

export class ExecPrinter {
  readonly #host: HostTerminal;
  readonly #options: Pick<ExecOptions, "json" | "quiet">;

  constructor(host: HostTerminal, options: Pick<ExecOptions, "json" | "quiet">) {
    this.#host = host;
    this.#options = options;
  }

  /** A person can answer in this terminal: input and output are the terminal. */
  get isAnsweredHere(): boolean {
    return this.#host.isTerminal && (this.isDrawn || process.stderr.isTTY);
  }

  /** The tool's output is drawn on a terminal. */
  get isDrawn(): boolean {
    return this.#host.isWindow && !this.#options.json;
  }

  /** Prints a line of ours, unless `--quiet`. */
  printLine(text: string): void {
    if (!this.#options.quiet) announce([`atlasbridge: ${text}`]);
  }

  /** Prints a line of ours beside the tool's output, unless `--quiet` or `--json`. */
  printNote(line: string): void {
    if (!this.#options.quiet && !this.#options.json) this.printBeside(`atlasbridge: ${line}\n`);
  }

  /** Prints to the person at the terminal, beside the tool's output. */
  printBeside(text: string): void {
    if (this.isDrawn) void this.#host.write(toRawLines(Buffer.from(text)));
    else process.stderr.write(this.#host.isTerminal ? toRawLines(Buffer.from(text)) : text);
  }

  printReport(report: SessionReport): void {
    this.printEvent(toEvent(report));
    // If standard output is redirected, the prompt is printed for the person who can answer it here.
    if (report.type === "asked" && this.isAnsweredHere && !this.isDrawn)
      this.printBeside(formatPromptEvent(report.event));
  }

  /** Prints an event of `--json`. */
  printEvent(event: ExecEvent | null): void {
    if (!event || !this.#options.json) return;
    const line = Buffer.from(formatEvent(event));
    void this.#host.write(this.#host.isWindow ? toRawLines(line) : line);
  }
}

export function formatEvent(event: ExecEvent): string {
  return `${JSON.stringify(renameFields(event))}\n`;
}

/** Renames fields to the output's style: `cost_usd`, not `costUsd`. Texts of tools and people stay as they are. */
function renameFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}

function formatPromptEvent(event: PromptEvent): string {
  let shown = "";
  new Transcript((text) => (shown += text)).showPrompt(event);
  return shown;
}
