/** All connections of the hub: which of them carries which session, and the end of all. */
import type { Duplex } from "node:stream";
import type { Clock } from "../../model/clock.js";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import type { Fault } from "../../wire/peer.js";
import { Connection, type ConnectionEvents } from "./connection.js";
import type { HubCore } from "./core.js";

/** Why the hub ends. */
export type StopReason = "asked" | "signal" | "idle" | "outdated";

/** A worker acknowledges at once; one that does not is not waited for at the end. */
const LEAVING_TIMEOUT_MS = 500;

export interface ServerOptions {
  readonly core: HubCore;
  readonly clock: Clock;
  readonly log: Log;
  readonly onStopWanted: (reason: StopReason) => void;
}

export class HubServer {
  readonly #options: ServerOptions;
  readonly #connections = new Set<Connection>();
  readonly #bySession = new Map<SessionId, Connection>();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  accept(stream: Duplex): void {
    const { core, clock } = this.#options;
    this.#connections.add(new Connection(stream, core, clock, this.#events));
  }

  /** Ends every connection. A stop that was asked for is announced, so that workers do not start a hub again at once. */
  async close(reason: StopReason): Promise<void> {
    if (reason === "asked") await this.#announceLeaving();
    for (const connection of this.#connections) connection.peer.close("the hub stops");
  }

  readonly #events: ConnectionEvents = {
    opened: (sessionId, connection) => this.#opened(sessionId, connection),
    ended: (connection) => this.#ended(connection),
    stopWanted: () => this.#options.onStopWanted("asked"),
    outdated: () => this.#options.onStopWanted("outdated"),
    fault: (fault) => this.#logFault(fault),
  };

  #opened(sessionId: SessionId, connection: Connection): void {
    const previous = this.#bySession.get(sessionId);
    this.#bySession.set(sessionId, connection);
    if (previous && previous !== connection) previous.peer.close("the session opened another connection");
    const { peer } = connection;
    this.#options.core.connected(sessionId, { call: (method, params) => peer.call(method, params) });
  }

  #ended(connection: Connection): void {
    this.#connections.delete(connection);
    const { sessionId } = connection;
    if (!sessionId || this.#bySession.get(sessionId) !== connection) return;
    this.#bySession.delete(sessionId);
    this.#options.core.disconnected(sessionId);
  }

  async #announceLeaving(): Promise<void> {
    const calls = [...this.#bySession.values()].map(({ peer }) =>
      peer.call("hub.leaving", {}, { timeoutMs: LEAVING_TIMEOUT_MS }),
    );
    await Promise.allSettled(calls);
  }

  #logFault(fault: Fault): void {
    if (fault.kind === "bug")
      this.#options.log("error", "a handler failed", { method: fault.method, error: fault.error });
    else this.#options.log("warn", "a malformed message", { problem: fault.problem });
  }
}
