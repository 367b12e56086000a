/** How an `exec` ended, as exit code and in words. Pure. */
import { constants as os } from "node:os";
import { EXIT } from "../model/errors.js";
import type { LoopLimits, LoopStop } from "./task-loop.js";
import type { TaskEnder } from "../worker/session/repl/exec-session.js";
import type { Checkpoint } from "./checkpoint.js";
import type { DriveEnd } from "./exec-loop.js";

export interface EndedHow {
  readonly endedBy: TaskEnder | null;
  /** Null: the task was to be given once. */
  readonly loop: LoopLimits | null;
  /** By which a later `exec` can go on; null where none can. */
  readonly session: string | null;
}

/**
 * 0 done, 1 not done, 5 stopped for what was refused, 124 timed out (as `timeout` says it), 128 and its number for a signal: 141
 * (SIGPIPE) where nobody reads our output any more.
 */
export function exitCodeFor({ why, stop }: DriveEnd, { endedBy }: Pick<EndedHow, "endedBy">): number {
  if (why === "timed_out") return EXIT.timedOut;
  if (endedBy !== null) return 128 + os.signals[endedBy];
  if (why === "done") return EXIT.ok;
  return isDenied({ why, stop }) ? EXIT.permission : EXIT.error;
}

/** People are told what to do about that. */
export function isDenied({ why, stop }: Pick<DriveEnd, "why" | "stop">): boolean {
  return why === "refused" || stop === "denials";
}

/** Null: all is said. */
export function endLine(end: DriveEnd, how: EndedHow): string | null {
  const { endedBy, loop } = how;
  const again = onwards(end, how);
  if (end.why === "timed_out") return `its time was over ${place(end)}${again}`;
  if (endedBy === "SIGPIPE") return `nobody reads its output any more: ended ${place(end)}${again}`;
  if (endedBy !== null) return `interrupted ${place(end)}${again}`;
  switch (end.why) {
    case "cancelled":
      return `stopped by a person elsewhere ${place(end)}${again}`;
    case "done":
      return joined([
        loop ? `done after ${turns(end.iterations)}` : null,
        how.session && `--session ${how.session} goes on`,
      ]);
    case "refused":
      return `nobody could be asked or answered in time, and something was refused${again}`;
    case "incomplete":
      return `the file that was waited for is not there after ${turns(end.iterations)}${again}`;
    case "stopped":
      return `stopped after ${turns(end.iterations)}: ${end.stop === null ? "" : REASONS[end.stop]}${again}`;
    case "failed":
    case "interrupted":
      return end.problem === null ? null : `${end.problem}${again}`;
  }
}

/** Before the tool starts; null where nothing of an earlier run is left to go on from. */
export function goingOnLine({ loop, session }: Checkpoint, { iterations }: LoopLimits): string | null {
  if (loop.iteration === 0 && session === null) return null;
  const where = session === null ? "a new session of the tool" : `session ${session}`;
  return `goes on with turn ${loop.iteration + 1} of ${iterations}, in ${where} (--fresh begins anew)`;
}

function joined(parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join("; ");
}

function place({ brokenTurn, iterations }: DriveEnd): string {
  if (brokenTurn === 0) return "while the tool started";
  if (brokenTurn !== null) return `in turn ${brokenTurn}`;
  return iterations === 0 ? "before the first turn" : `after turn ${iterations}`;
}

/** What the next run of the same does; see `goingOnFrom`. */
function onwards({ iterations }: DriveEnd, { loop, session }: EndedHow): string {
  if (!loop) return session === null ? "" : `; --session ${session} goes on`;
  return iterations < loop.iterations
    ? `; the same command goes on with turn ${iterations + 1}`
    : `; the same command gives it as many turns once more`;
}

function turns(count: number): string {
  return count === 1 ? "1 turn" : `${count} turns`;
}

const REASONS: Readonly<Record<LoopStop, string>> = {
  iterations: "all turns are used",
  no_progress: "the last turns brought nothing new",
  same_error: "the same error came again and again",
  denials: "something was refused in turn after turn",
};
