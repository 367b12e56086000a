/** Prints what `exec` does, for people and for programs. */
import type { PromptEvent } from "../model/prompt.js";
import { Transcript } from "../worker/runtimes/protocol/transcript.js";
import { toRawLines, writeToScreen } from "../worker/session/host/host-output.js";
import type { HostTerminal } from "../worker/session/host/host-terminal.js";
import type { SessionReport } from "../worker/runtimes/exec/session-report.js";
import { announce } from "../worker/session/host/announce.js";
import { toEvent, type ExecEvent } from "./exec-events.js";
import type { ExecOptions } from "./exec-options.js";
import { constants as os } from "node:os";
import { EXIT } from "../model/errors.js";
import type { LoopLimits, LoopStop } from "./task-loop.js";
import type { TaskEnder } from "../worker/session/repl/exec-session.js";
import type { Checkpoint, CheckpointFile } from "./checkpoint.js";
import { type LoopEnd, NOTHING_DONE } from "./exec-loop.js";

export class ExecPrinter {
  readonly #host: HostTerminal;
  readonly #options: Pick<ExecOptions, "json" | "quiet">;

  constructor(host: HostTerminal, options: Pick<ExecOptions, "json" | "quiet">) {
    this.#host = host;
    this.#options = options;
  }

  /** A person can answer here. */
  get isAnsweredHere(): boolean {
    return this.#host.isTerminal && (this.isDrawn || process.stderr.isTTY);
  }

  get isDrawn(): boolean {
    return this.#host.isWindow && !this.#options.json;
  }

  printLine(text: string): void {
    if (!this.#options.quiet) announce([`atlasbridge: ${text}`]);
  }

  printNote(line: string): void {
    if (!this.#options.quiet && !this.#options.json) this.printBeside(`atlasbridge: ${line}\n`);
  }

  printBeside(text: string): void {
    if (this.isDrawn) void this.#host.write(toRawLines(Buffer.from(text)));
    else process.stderr.write(this.#host.isTerminal ? toRawLines(Buffer.from(text)) : text);
  }

  printReport(report: SessionReport): void {
    this.printEvent(toEvent(report));
    // The person here does not see the redirected output.
    if (report.type === "asked" && this.isAnsweredHere && !this.isDrawn)
      this.printBeside(formatPromptEvent(report.event));
  }

  printEvent(event: ExecEvent | null): void {
    if (!event || !this.#options.json) return;
    const line = Buffer.from(formatEvent(event));
    void this.#host.write(this.#host.isWindow ? toRawLines(line) : line);
  }
}

export function formatEvent(event: ExecEvent): string {
  return `${JSON.stringify(renameFields(event))}\n`;
}

/** `cost_usd` instead of `costUsd`; nested texts stay as they are. */
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

export interface EndContext {
  readonly endedBy: TaskEnder | null;
  /** Null: a single task. */
  readonly loop: LoopLimits | null;
  readonly session: string | null;
}

/** 0 done, 1 not done, 5 denied, 124 timed out, 128 plus its number for a signal: 141 (SIGPIPE) if the output was closed. */
export function chooseExitCode({ why, stop }: LoopEnd, { endedBy }: Pick<EndContext, "endedBy">): number {
  if (why === "timed_out") return EXIT.timedOut;
  if (endedBy !== null) return 128 + os.signals[endedBy];
  if (why === "done") return EXIT.ok;
  return isDenied({ why, stop }) ? EXIT.permission : EXIT.error;
}

export function isDenied({ why, stop }: Pick<LoopEnd, "why" | "stop">): boolean {
  return why === "refused" || stop === "denials";
}

export function describeEnd(end: LoopEnd, context: EndContext): string | null {
  const { endedBy, loop } = context;
  const again = describeNextRun(end, context);
  if (end.why === "timed_out") return `timed out ${describeTurn(end)}${again}`;
  if (endedBy === "SIGPIPE") return `its output was closed: stopped ${describeTurn(end)}${again}`;
  if (endedBy !== null) return `interrupted ${describeTurn(end)}${again}`;
  switch (end.why) {
    case "cancelled":
      return `stopped remotely ${describeTurn(end)}${again}`;
    case "done":
      return joinParts([
        loop ? `done after ${countTurns(end.iterations)}` : null,
        context.session && `resume with --session ${context.session}`,
      ]);
    case "refused":
      return `a request was denied because nobody could answer it in time${again}`;
    case "incomplete":
      return `the --until-file file does not exist after ${countTurns(end.iterations)}${again}`;
    case "stopped":
      return `stopped after ${countTurns(end.iterations)}: ${end.stop === null ? "" : REASONS[end.stop]}${again}`;
    case "failed":
    case "interrupted":
      return end.problem === null ? null : `${end.problem}${again}`;
  }
}

/** Null if there is nothing to resume. */
export function describeResume({ loop, session }: Checkpoint, { iterations }: LoopLimits): string | null {
  if (loop.iteration === 0 && session === null) return null;
  const where = session === null ? "a new session of the tool" : `session ${session}`;
  return `resuming with turn ${loop.iteration + 1} of ${iterations}, in ${where} (--fresh starts over)`;
}

function joinParts(parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join("; ");
}

function describeTurn({ brokenTurn, iterations }: LoopEnd): string {
  if (brokenTurn === 0) return "while the tool started";
  if (brokenTurn !== null) return `in turn ${brokenTurn}`;
  return iterations === 0 ? "before the first turn" : `after turn ${iterations}`;
}

function describeNextRun({ iterations }: LoopEnd, { loop, session }: EndContext): string {
  if (!loop) return session === null ? "" : `; resume with --session ${session}`;
  return iterations < loop.iterations
    ? `; the same command resumes with turn ${iterations + 1}`
    : "; the same command adds the same number of turns";
}

function countTurns(count: number): string {
  return count === 1 ? "1 turn" : `${count} turns`;
}

const REASONS: Readonly<Record<LoopStop, string>> = {
  iterations: "all turns are used",
  no_progress: "the last turns made no progress",
  same_error: "the same error kept occurring",
  denials: "requests were denied in several turns in a row",
};

export function announceDone(options: ExecOptions, file: CheckpointFile | null): number {
  file?.remove();
  if (!options.quiet) announce([`atlasbridge: ${options.untilFile} already exists; nothing was started`]);
  if (options.json) writeToScreen(formatEvent({ type: "end", exit_code: EXIT.ok, ...NOTHING_DONE }));
  return EXIT.ok;
}
