/** Describes how an `exec` ended, as exit code and text. Pure. */
import { constants as os } from "node:os";
import { EXIT } from "../model/errors.js";
import type { LoopLimits, LoopStop } from "./task-loop.js";
import type { TaskEnder } from "../worker/session/repl/exec-session.js";
import type { Checkpoint } from "./checkpoint.js";
import type { LoopEnd } from "./exec-loop.js";

export interface EndContext {
  readonly endedBy: TaskEnder | null;
  /** Null: the task was to be done once. */
  readonly loop: LoopLimits | null;
  /** The id with which a later `exec` can resume; null if there is none. */
  readonly session: string | null;
}

/**
 * 0 done, 1 not done, 5 something was denied, 124 timed out (like `timeout`), 128 plus its number for a signal: 141 (SIGPIPE)
 * if the output was closed.
 */
export function chooseExitCode({ why, stop }: LoopEnd, { endedBy }: Pick<EndContext, "endedBy">): number {
  if (why === "timed_out") return EXIT.timedOut;
  if (endedBy !== null) return 128 + os.signals[endedBy];
  if (why === "done") return EXIT.ok;
  return isDenied({ why, stop }) ? EXIT.permission : EXIT.error;
}

/** Whether to tell people how to avoid denials. */
export function isDenied({ why, stop }: Pick<LoopEnd, "why" | "stop">): boolean {
  return why === "refused" || stop === "denials";
}

/** Null: there is nothing to add. */
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

/** The line before the tool starts; null if there is nothing to resume. */
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

/** What the next run of the same command does; see `resumeState`. */
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
