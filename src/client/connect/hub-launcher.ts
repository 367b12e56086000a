/** Starts hubs for one session, and keeps why the last one failed: its user is told once the tool has exited. */
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { hasFailed, createStartError, findLogEnd } from "../words.js";
import { HUB_ARGUMENTS, buildOwnCommand, startHubOnce } from "./start-hub.js";

export class HubLauncher {
  readonly #paths: Paths;
  #problem: AtlasBridgeError | null = null;
  #nextFailure = new AbortController();
  /** Called each time a hub did not come up. */
  onFailed: () => void = () => undefined;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  /** Null while no problem is known. */
  get problem(): AtlasBridgeError | null {
    return this.#problem;
  }

  /** Aborts when the next start fails; already aborted while the last start failed. */
  get failure(): AbortSignal {
    return this.#nextFailure.signal;
  }

  /** A hub is running: clears the problem. */
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
