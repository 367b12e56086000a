/** The checkpoint file of a loop: the same command resumes it. Its name is a hash of tool, folder, prompt and context. */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { findDeniedError } from "../config/file-errors.js";
import type { Paths } from "../config/paths.js";
import type { Config } from "../config/schema.js";
import { ensurePrivateDirectory, PRIVATE_FILE_MODE } from "../config/private-files.js";
import { AtlasBridgeError } from "../model/errors.js";
import { NEW_LOOP, findStop, type LoopLimits, type LoopState } from "./task-loop.js";
import type { CompiledHeadless } from "../worker/adapter-format/compiled/compiled-headless.js";
import { canResume } from "../worker/runtimes/exec/command-builder.js";
import type { ExecOptions, ExecToolOptions } from "./exec-options.js";
import { claimLoop, type LoopClaim } from "./loop-lock.js";

const FOLDER = "exec";
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const checkpoint = v.object({
  version: v.literal(1),
  tool: v.string(),
  cwd: v.string(),
  status: v.picklist(["running", "interrupted", "stopped"]),
  session: v.nullable(v.string()),
  costUsd: v.nullable(v.number()),
  loop: v.object({
    iteration: count,
    begunAt: v.array(count),
    idleTurns: count,
    sameErrors: count,
    deniedTurns: count,
    // Absent in files of older versions.
    errorDigest: v.optional(v.nullable(v.string()), null),
    wordsDigest: v.optional(v.string(), ""),
  }),
});

export interface Checkpoint {
  readonly status: "running" | "interrupted" | "stopped";
  readonly session: string | null;
  readonly costUsd: number | null;
  readonly loop: LoopState;
}

export class CheckpointFile {
  readonly #file: string;
  readonly #of: Pick<ExecToolOptions, "tool" | "cwd">;

  /** Errors: as `ensurePrivateDirectory`. */
  constructor(paths: Paths, of: Pick<ExecToolOptions, "tool" | "cwd" | "prompt" | "context">) {
    const folder = join(paths.dataDir, FOLDER);
    ensurePrivateDirectory(folder);
    const what = JSON.stringify([of.tool, of.cwd, of.prompt, of.context]);
    const name = createHash("sha256").update(what).digest("hex").slice(0, 32);
    this.#file = join(folder, `${name}.json`);
    this.#of = of;
  }

  /** Errors: ATB_FILE_DENIED, ATB_STORE_FAILED. */
  claim(): LoopClaim {
    return this.#keepOnFailure(() => claimLoop(`${this.#file}.lock`));
  }

  /** Null if there is none or it is unreadable. */
  read(): Checkpoint | null {
    try {
      return v.parse(checkpoint, JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      return null;
    }
  }

  /** Errors: ATB_FILE_DENIED, ATB_STORE_FAILED. */
  write(state: Checkpoint): void {
    const { tool, cwd } = this.#of;
    const draft = `${this.#file}.${process.pid}.new`;
    this.#keepOnFailure(() => {
      try {
        writeFileSync(draft, JSON.stringify({ version: 1, tool, cwd, ...state }), {
          mode: PRIVATE_FILE_MODE,
        });
        renameSync(draft, this.#file);
      } finally {
        rmSync(draft, { force: true });
      }
    });
  }

  #keepOnFailure<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      const problem = "(the loop's checkpoint) cannot be written";
      const why = `${this.#file} ${problem} (${(cause as NodeJS.ErrnoException).code ?? "unknown error"})`;
      const hint =
        "Make room on the disk, or set ATLASBRIDGE_HOME to another directory; then run the command again.";
      throw (
        findDeniedError(this.#file, problem) ?? new AtlasBridgeError("ATB_STORE_FAILED", why, { hint, cause })
      );
    }
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

/**
 * Where the next run resumes. A person has started a stopped loop again, so its stop counters are reset; if all turns were used, it gets
 * the same number again.
 */
export function resumeState(checkpoint: Checkpoint, limits: LoopLimits): Checkpoint {
  const { loop } = checkpoint;
  if (findStop(loop, limits) === null) return checkpoint;
  const iteration = loop.iteration < limits.iterations ? loop.iteration : 0;
  return { ...checkpoint, loop: { ...NEW_LOOP, iteration, begunAt: loop.begunAt } };
}

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
