/** All connections of the hub: which of them carries which session, and the end of all. */
import type { Duplex } from "node:stream";
import type { LeftSession } from "../../config/hub-notes.js";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import type { Fault } from "../../wire/peer.js";
import { Connection, type ConnectionEvents, type ConnectionParts } from "./connection.js";

/** Why the hub ends. `displaced`: its directory is no longer the one that it holds the lock of. */
export type StopReason = "asked" | "signal" | "idle" | "outdated" | "displaced";

/** Stops that workers are told of: otherwise they would start a hub again at once. */
const LEAVING: Partial<Record<StopReason, "stopped" | "replaced">> = {
  asked: "stopped",
  outdated: "replaced",
};

/** A worker acknowledges at once; one that does not is not waited for at the end. */
const LEAVING_TIMEOUT_MS = 500;

export interface ServerOptions extends Omit<ConnectionParts, "isSupervised"> {
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

  /** Those whose workers are connected. */
  get sessions(): LeftSession[] {
    return [...this.#bySession.values()].flatMap(({ session }) => session ?? []);
  }

  /** `isSupervised`: whether the process behind it may not answer; asked when it wants to. */
  accept(stream: Duplex, isSupervised: () => boolean): void {
    this.#connections.add(new Connection(stream, { ...this.#options, isSupervised }, this.#events));
  }

  /** Ends every connection. */
  async close(reason: StopReason): Promise<void> {
    const told = LEAVING[reason];
    if (told) await this.#announce(told);
    for (const connection of this.#connections) connection.peer.close("the hub stops");
  }

  readonly #events: ConnectionEvents = {
    opened: (sessionId, connection) => this.#opened(sessionId, connection),
    ended: (connection) => this.#ended(connection),
    stopWanted: () => this.#options.onStopWanted("asked"),
    outdated: () => this.#options.onStopWanted("outdated"),
    tooOld: (sessionId, version) => this.#tooOld(sessionId, version),
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

  /** A session that is connected is not one that is too old, whoever says so. */
  #tooOld(sessionId: SessionId, version: string): void {
    this.#options.log("warn", "a session is too old for this hub", { sessionId, version });
    if (!this.#bySession.has(sessionId)) this.#options.core.outgrown(sessionId, version);
  }

  async #announce(reason: "stopped" | "replaced"): Promise<void> {
    const calls = [...this.#bySession.values()].map(({ peer }) =>
      peer.call("hub.leaving", { reason }, { timeoutMs: LEAVING_TIMEOUT_MS }),
    );
    await Promise.allSettled(calls);
  }

  #logFault(fault: Fault): void {
    if (fault.kind === "bug")
      this.#options.log("error", "a handler failed", { method: fault.method, error: fault.error });
    else this.#options.log("warn", "a malformed message", { problem: fault.problem });
  }
}
