/** The hubs that one session starts, and why the last one did not come up: its user is told once the terminal is theirs again. */
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { hasFailed, notStarted, wordsBegin } from "./words.js";
import { HUB_ARGUMENTS, ownCommand, startHubInTurn } from "./start-hub.js";

export class HubStarts {
  readonly #paths: Paths;
  #problem: AtlasBridgeError | null = null;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  /** Null while nothing is known to be wrong. */
  get problem(): AtlasBridgeError | null {
    return this.#problem;
  }

  /** A hub serves: what was wrong is over. */
  served(): void {
    this.#problem = null;
  }

  /** Returns at once. Errors: as `startHubInTurn`. */
  start(pauseMs: number): void {
    const { hubLog } = this.#paths;
    const begin = wordsBegin(hubLog);
    try {
      const child = startHubInTurn(this.#paths, ownCommand(HUB_ARGUMENTS), pauseMs);
      child?.once("exit", () => {
        if (hasFailed(child)) this.#problem = notStarted(child, hubLog, begin);
      });
    } catch (error) {
      if (error instanceof AtlasBridgeError) this.#problem = error;
      throw error;
    }
  }
}
