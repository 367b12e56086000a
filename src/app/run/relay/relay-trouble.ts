/** Reports calls that the hub unexpectedly refused: in the log at once, and to the user when the tool has exited. */
import type { Paths } from "../../../config/paths.js";
import type { SessionId } from "../../../model/ids.js";
import { redact } from "../../../safety/redact.js";
import { warnInLog } from "./session-log.js";

export class RelayTrouble {
  readonly #paths: Paths;
  readonly #sessionId: SessionId;
  #count = 0;

  constructor(paths: Paths, sessionId: SessionId) {
    this.#paths = paths;
    this.#sessionId = sessionId;
  }

  get summary(): string | null {
    if (this.#count === 0) return null;
    const what = this.#count === 1 ? "one step" : `${this.#count} steps`;
    return `${what} of relaying this session failed: see \`atlasbridge hub logs\`.`;
  }

  note(error: unknown): void {
    this.#count += 1;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof Error && "code" in error ? { code: error.code } : {};
    const fields = { error: { name, ...code, message: redact(message) } };
    warnInLog(this.#paths, this.#sessionId, "a step of relaying failed", fields);
  }
}
