/** How an `exec` ended, as exit code and in words. Pure. */
import { constants as os } from "node:os";
import { EXIT } from "../../model/errors.js";
import type { Stop } from "../../worker/session/task-loop.js";
import type { EndSignal } from "../../worker/session/host-terminal.js";
import type { DriveEnd } from "./drive.js";

export interface EndedHow {
  readonly endedBy: EndSignal | null;
  /** `--timeout` was over. */
  readonly timedOut: boolean;
}

/** 0 done, 1 not done, 5 stopped for what was refused, 124 timed out (as `timeout` says it), 128 and its number for a signal. */
export function exitCodeFor({ why, stop }: DriveEnd, { endedBy, timedOut }: EndedHow): number {
  if (endedBy !== null) return 128 + os.signals[endedBy];
  if (timedOut) return EXIT.timedOut;
  if (why === "done") return EXIT.ok;
  return stop === "denials" ? EXIT.permission : EXIT.error;
}

/** Null: all is said. */
export function endLine(
  end: DriveEnd,
  { endedBy, timedOut, isLoop }: EndedHow & { readonly isLoop: boolean },
): string | null {
  const again = isLoop
    ? "; the same command goes on from here"
    : end.session === null
      ? ""
      : `; --session ${end.session} goes on`;
  if (endedBy !== null) return `interrupted after turn ${end.iterations}${again}`;
  if (timedOut) return `its time was over after turn ${end.iterations}${again}`;
  switch (end.why) {
    case "done":
      return isLoop ? `done after ${turns(end.iterations)}` : null;
    case "incomplete":
      return `the file that was waited for is not there after ${turns(end.iterations)}`;
    case "stopped":
      return `stopped after ${turns(end.iterations)}: ${end.stop === null ? "" : REASONS[end.stop]}${again}`;
    case "failed":
    case "interrupted":
      return end.problem === null ? null : `${end.problem}${again}`;
  }
}

function turns(count: number): string {
  return count === 1 ? "1 turn" : `${count} turns`;
}

const REASONS: Readonly<Record<Stop, string>> = {
  iterations: "all turns are used",
  no_progress: "the last turns brought nothing new",
  same_error: "the same error came again and again",
  denials: "something was refused in turn after turn",
};
