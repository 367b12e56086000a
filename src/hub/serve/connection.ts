/** One accepted connection: who it is, what it may call, and what it watches. */
import type { Duplex } from "node:stream";
import type { Cancel, Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { serve, type Handlers } from "../../wire/incoming.js";
import {
  HUB_CALLS,
  OLDEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  SESSION_METHODS,
  WORKER_CALLS,
  type HubCalls,
  type WorkerCalls,
} from "../../wire/messages.js";
import { Peer, type Fault } from "../../wire/peer.js";
import type { CoreHandlers, HubCore } from "./core.js";
import { pageAfter } from "./page.js";

/** What a connection tells the server. */
export interface ConnectionEvents {
  opened(sessionId: SessionId, connection: Connection): void;
  ended(connection: Connection): void;
  stopWanted(): void;
  /** A worker speaks a newer protocol than this hub. */
  outdated(): void;
  fault(fault: Fault): void;
}

export class Connection {
  readonly peer: Peer<WorkerCalls>;
  readonly #core: HubCore;
  readonly #events: ConnectionEvents;
  #sessionId: SessionId | null = null;
  #stopWatching: Cancel | null = null;

  constructor(stream: Duplex, core: HubCore, clock: Clock, events: ConnectionEvents) {
    this.#core = core;
    this.#events = events;
    const service = serve(HUB_CALLS, this.#handlers(), {
      admit: (method, params) => this.#admit(method, params),
      answered: (method) => this.#answered(method),
    });
    this.peer = new Peer(stream, {
      remote: WORKER_CALLS,
      service,
      clock,
      onFault: (fault) => events.fault(fault),
    });
    void this.peer.closed.then(() => this.#ended());
  }

  get sessionId(): SessionId | null {
    return this.#sessionId;
  }

  #handlers(): Handlers<HubCalls> {
    const core = this.#core.handlers;
    const passedOn = Object.fromEntries(
      (Object.keys(HUB_CALLS) as (keyof CoreHandlers)[]).map((method) => [
        method,
        (params: never) => core[method](params, this),
      ]),
    ) as Handlers<HubCalls>;
    return {
      ...passedOn,
      "session.open": async (params) => {
        const result = await core["session.open"](params, this);
        this.#sessionId = asId<SessionId>(params.sessionId);
        return result;
      },
      "prompts.list": async (params) =>
        pageAfter(await core["prompts.list"](params, this), ({ promptId }) => promptId, params.after),
      "sessions.list": async (params) =>
        pageAfter(await core["sessions.list"](params, this), ({ sessionId }) => sessionId, params.after),
      "hub.stop": () => ({}),
      "watch.subscribe": () => {
        this.#stopWatching ??= this.#core.onWatch((payload) => this.peer.notify("watch.event", { payload }));
        return {};
      },
    };
  }

  #admit(method: string, params: object): void {
    if (method === "session.open") this.#admitOpen(params);
    else if ((SESSION_METHODS as readonly string[]).includes(method)) this.#admitSession(method, params);
    // A supervised tool's worker never answers for the human (design §3 "No self-approval").
    else if (method === "prompt.answer" && this.#sessionId) throw refused("a session may not answer prompts");
  }

  /** Looks at the version before the fields are checked: another version may have other fields. */
  #admitOpen(params: { protocol?: unknown; sessionId?: unknown }): void {
    if (this.#sessionId && params.sessionId !== this.#sessionId)
      throw refused("this connection has opened another session");
    const spoken = params.protocol;
    if (typeof spoken !== "number") return;
    if (spoken >= OLDEST_PROTOCOL_VERSION && spoken <= PROTOCOL_VERSION) return;
    if (spoken > PROTOCOL_VERSION) this.#events.outdated();
    throw new AtlasBridgeError(
      "ATB_WIRE_VERSION",
      `the worker speaks protocol ${spoken}, this hub ${OLDEST_PROTOCOL_VERSION} to ${PROTOCOL_VERSION}`,
      { hint: "Start the session again with the installed version; an older hub replaces itself." },
    );
  }

  #admitSession(method: string, params: { sessionId?: unknown }): void {
    if (!this.#sessionId) throw refused(`${method} needs an open session`);
    if (params.sessionId !== undefined && params.sessionId !== this.#sessionId)
      throw refused(`${method} is about another session than this connection's`);
  }

  #answered(method: string): void {
    if (method === "session.open" && this.#sessionId && this.peer.isOpen)
      this.#events.opened(this.#sessionId, this);
    else if (method === "hub.stop") this.#events.stopWanted();
  }

  #ended(): void {
    this.#stopWatching?.();
    this.#events.ended(this);
  }
}

function refused(message: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_REFUSED", message);
}
