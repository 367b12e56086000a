/** Starts hubs for one session. Why the last one failed is printed after the tool's exit. */
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { hasFailed, createStartError, findLogEnd } from "../words.js";
import { HUB_ARGUMENTS, buildOwnCommand, startHubOnce } from "./start-hub.js";

export class HubLauncher {
  readonly #paths: Paths;
  #problem: AtlasBridgeError | null = null;
  #nextFailure = new AbortController();
  onFailed: () => void = () => undefined;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  get problem(): AtlasBridgeError | null {
    return this.#problem;
  }

  /** Aborts when the next start fails; already aborted while the last start failed. */
  get failure(): AbortSignal {
    return this.#nextFailure.signal;
  }

  noteRunning(): void {
    this.#problem = null;
    if (this.failure.aborted) this.#nextFailure = new AbortController();
  }

  /** Starts a hub and returns at once. Errors: as `startHubOnce`. */
  start(pauseMs: number): void {
    const { hubLog } = this.#paths;
    const begin = findLogEnd(hubLog);
    try {
      const child = startHubOnce(this.#paths, buildOwnCommand(HUB_ARGUMENTS), pauseMs);
      child?.once("exit", () => {
        if (hasFailed(child)) this.#noteFailure(createStartError(child, hubLog, begin));
      });
    } catch (error) {
      if (error instanceof AtlasBridgeError) this.#noteFailure(error);
      throw error;
    }
  }

  #noteFailure(problem: AtlasBridgeError): void {
    this.#problem = problem;
    this.#nextFailure.abort();
    this.onFailed();
  }
}
