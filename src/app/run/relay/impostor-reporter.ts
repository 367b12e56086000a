/**
 * Reports impostors that a session found in the hub's place: in the log at once, to the hub when there is one, and to the user at the end.
 */
import type { Paths } from "../../../config/paths.js";
import { AtlasBridgeError } from "../../../model/errors.js";
import type { SessionId } from "../../../model/ids.js";
import type { HubLink, HubLinkOptions } from "../../../worker/session/hub-link.js";
import { HubApproach, type Impostor } from "../../../client/connect/approach.js";
import { warnInLog } from "./session-log.js";

const KEPT_MAX = 20;

export class ImpostorReporter {
  readonly approach: Pick<HubLinkOptions, "dial" | "prove">;
  readonly #paths: Paths;
  readonly #sessionId: SessionId;
  readonly #unreported = new Map<string, Impostor>();
  readonly #known = new Set<string>();
  #last: Impostor | null = null;

  constructor(paths: Paths, sessionId: SessionId) {
    this.#paths = paths;
    this.#sessionId = sessionId;
    const onImpostor = (impostor: Impostor): void => this.#note(impostor);
    const approach = new HubApproach({ paths, supervises: true, onImpostor });
    this.approach = {
      dial: () => approach.dial(),
      prove: (hub, stream) => approach.prove(hub, stream),
    };
  }

  /** Why prompts are not relayed, if only impostors were found; null otherwise. */
  get problem(): AtlasBridgeError | null {
    if (!this.#last) return null;
    const { socket, problem } = this.#last;
    return new AtlasBridgeError("ATB_HUB_IMPOSTOR", `what listens on ${socket} is not your hub: ${problem}.`);
  }

  #note(impostor: Impostor): void {
    this.#last = impostor;
    const key = JSON.stringify(impostor);
    if (this.#known.has(key) || this.#known.size >= KEPT_MAX) return;
    this.#known.add(key);
    this.#unreported.set(key, impostor);
    const { socket, pid: listener, problem } = impostor;
    const fields = { socket, listener, problem };
    warnInLog(this.#paths, this.#sessionId, "something else listens in the hub's place", fields);
  }

  /** Has the hub record the impostors found so far. */
  report(link: Pick<HubLink, "call">): void {
    for (const [key, impostor] of this.#unreported)
      link.call("hub.suspect", impostor).then(
        () => this.#unreported.delete(key),
        () => undefined, // It is repeated on the next connection.
      );
  }
}
