/** What makes an `exec` a loop: its limits, the lock against running it twice, and the state of an earlier run. */
import type { Config } from "../config/schema.js";
import { AtlasBridgeError } from "../model/errors.js";
import { canResume } from "../worker/runtimes/exec/command-builder.js";
import type { LoopLimits } from "./task-loop.js";
import { resumeState, type Checkpoint, type CheckpointFile } from "./checkpoint.js";
import type { CompiledHeadless } from "../worker/adapter-format/compiled/compiled-headless.js";
import type { ExecOptions } from "./exec-options.js";

/** A batch run does its task once, whatever file tells that it is done. */
export function isLoop({ maxIterations, untilFile, batch }: ExecOptions): boolean {
  return !batch && (maxIterations > 1 || untilFile !== null);
}

export function buildLimits({ maxIterations }: ExecOptions, { exec }: Config): LoopLimits {
  return {
    iterations: maxIterations,
    perHour: exec.turns_per_hour,
    noProgress: exec.stop_after.no_progress,
    sameError: exec.stop_after.same_error,
    denials: exec.stop_after.denials,
  };
}

/** Errors: ATB_USAGE if the same loop is already running. */
export function claimOrRefuse(file: CheckpointFile | null): { release(): void } | null {
  const claim = file?.claim() ?? null;
  if (claim?.kind !== "taken") return claim;
  throw new AtlasBridgeError("ATB_USAGE", `this loop is already running (process ${claim.pid})`, {
    hint: "Stop it with Ctrl-C in its terminal, or change the task.",
  });
}

/** The state in which an earlier run of the same loop stopped. */
export function readEarlierRun(
  file: CheckpointFile | null,
  { fresh, session }: ExecOptions,
  driver: CompiledHeadless,
  limits: LoopLimits,
): Checkpoint | null {
  const found = fresh || session !== null ? null : file?.read();
  if (!found) return null;
  const checkpoint = resumeState(found, limits);
  return { ...checkpoint, session: canResume(driver, true) ? checkpoint.session : null };
}
