/** All connections of the hub: which one carries which session, and how they are closed. */
import type { Duplex } from "node:stream";
import type { SessionId } from "../../model/ids.js";
import type { Log } from "../../observe/log.js";
import type { Fault } from "../../wire/peer.js";
import { BufferBudget } from "./buffer-budget.js";
import { CLIENTS_BYTES_MAX, CLIENTS_MAX, SESSIONS_BYTES_MAX, SESSIONS_MAX } from "./limits.js";
import type { CallerProcess } from "./caller-check.js";
import { HubConnection, type ConnectionEvents, type WorkerConnectionParts } from "./connection.js";

/** Why the hub stops. `displaced`: its directory was replaced, so it no longer holds the right lock. */
export type StopReason = "asked" | "signal" | "idle" | "outdated" | "displaced";

/** Reasons that workers must know, because they would otherwise start a new hub at once. */
const LEAVING: Partial<Record<StopReason, "stopped" | "replaced">> = {
  asked: "stopped",
  outdated: "replaced",
};

/** A worker acknowledges at once; one that does not is not waited for. */
const LEAVING_TIMEOUT_MS = 500;

export interface ServerOptions extends Omit<WorkerConnectionParts, "caller" | "hasRoomFor"> {
  readonly log: Log;
  readonly onStopWanted: (reason: StopReason) => void;
}

export class HubServer {
  readonly #options: ServerOptions;
  readonly #connections = new Set<HubConnection>();
  readonly #bySession = new Map<SessionId, HubConnection>();
  /** Separate limits: other callers can never use up the room for a worker's prompt. */
  readonly #heldForSessions = new BufferBudget<HubConnection>(SESSIONS_BYTES_MAX);
  readonly #heldForClients = new BufferBudget<HubConnection>(CLIENTS_BYTES_MAX);

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  get heldBytes(): number {
    return this.#heldForSessions.total + this.#heldForClients.total;
  }

  accept(stream: Duplex, caller: CallerProcess): void {
    this.#makeRoom();
    const hasRoomFor = (sessionId: string): boolean =>
      this.#bySession.size < SESSIONS_MAX || this.#bySession.has(sessionId as SessionId);
    const parts = { ...this.#options, caller, hasRoomFor };
    this.#connections.add(new HubConnection(stream, parts, this.#events));
  }

  /** A new caller is always accepted; if there are too many, the one that has been silent longest is closed. */
  #makeRoom(): void {
    const clients = [...this.#connections].filter(({ sessionId }) => sessionId === null);
    if (clients.length < CLIENTS_MAX) return;
    const oldest = clients.find(({ hasSpoken }) => !hasSpoken) ?? clients[0];
    oldest?.peer.cut("there are too many connections");
    if (oldest) this.#connections.delete(oldest);
  }

  #noteHeld(connection: HubConnection, bytes: number): void {
    const isSession = connection.sessionId !== null;
    const [own, other] = isSession
      ? [this.#heldForSessions, this.#heldForClients]
      : [this.#heldForClients, this.#heldForSessions];
    // It may have become a session meanwhile.
    other.note(connection, 0);
    const victim = own.note(connection, bytes);
    if (!victim) return;
    this.#options.log("warn", "a connection was closed: the buffers of all connections exceed their limit", {
      held: own.total,
    });
    own.note(victim, 0);
    victim.peer.cut("its buffer is too large");
  }

  async close(reason: StopReason): Promise<void> {
    const leavingReason = LEAVING[reason];
    if (leavingReason) await this.#announce(leavingReason);
    for (const connection of this.#connections) connection.peer.close("the hub stops");
  }

  readonly #events: ConnectionEvents = {
    opened: (sessionId, connection) => this.#opened(sessionId, connection),
    ended: (connection) => this.#ended(connection),
    stopWanted: () => this.#options.onStopWanted("asked"),
    outdated: () => this.#options.onStopWanted("outdated"),
    tooOld: (sessionId, version) => this.#noteTooOld(sessionId, version),
    fault: (fault) => this.#logFault(fault),
    held: (connection, bytes) => this.#noteHeld(connection, bytes),
  };

  #opened(sessionId: SessionId, connection: HubConnection): void {
    const previous = this.#bySession.get(sessionId);
    this.#bySession.set(sessionId, connection);
    const { peer, session } = connection;
    if (previous && previous !== connection) {
      const details = { pid: session?.pid ?? null };
      this.#options.core.admission.record({ step: "session_link_replaced", sessionId, details });
      previous.peer.close("the session opened another connection");
    }
    this.#options.core.connected(sessionId, { call: (method, params) => peer.call(method, params) });
  }

  #ended(connection: HubConnection): void {
    this.#connections.delete(connection);
    const { sessionId } = connection;
    if (!sessionId || this.#bySession.get(sessionId) !== connection) return;
    this.#bySession.delete(sessionId);
    this.#options.core.disconnected(sessionId);
  }

  /** A connected session cannot be one that is too old, whatever a caller claims. */
  #noteTooOld(sessionId: SessionId, version: string): void {
    this.#options.log("warn", "a session is too old for this hub", { sessionId, version });
    if (!this.#bySession.has(sessionId)) this.#options.core.workerTooOld(sessionId, version);
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
