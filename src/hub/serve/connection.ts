/** One accepted connection: its caller, its permitted calls and its watch subscription. */
import type { Duplex } from "node:stream";
import type { LeftSession } from "../../config/hub-notes.js";
import type { Cancel, Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { asId, type SessionId } from "../../model/ids.js";
import { serve, type Handlers } from "../../wire/incoming.js";
import {
  HUB_CALLS,
  LINE_BYTES_MAX,
  OLDEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  WORKER_CALLS,
  type HubCalls,
  type WorkerCalls,
} from "../../wire/messages.js";
import { isNewer } from "../../model/data/version.js";
import { Peer, type Fault } from "../../wire/peer.js";
import { Admission } from "./admission.js";
import type { CallerProcess } from "./caller-check.js";
import type { CoreHandlers, HubService } from "./hub-service.js";
import { CLIENT_LINE_BYTES_MAX, FIRST_LINE_BYTES_MAX, FIRST_WORD_MS_MAX, LINE_MS_MAX } from "./limits.js";

export interface HubInfo {
  readonly version: string;
  /** Run by a service manager. */
  readonly service: boolean;
}

export interface ConnectionEvents {
  opened(sessionId: SessionId, connection: HubConnection): void;
  ended(connection: HubConnection): void;
  stopWanted(): void;
  /** A newer hub wants to replace this one. */
  outdated(): void;
  /** A worker tried to open its session with a protocol that this hub no longer supports. */
  tooOld(sessionId: SessionId, version: string): void;
  fault(fault: Fault): void;
  held(connection: HubConnection, bytes: number): void;
}

export interface WorkerConnectionParts {
  readonly core: HubService;
  readonly self: HubInfo;
  readonly clock: Clock;
  readonly caller: CallerProcess;
  readonly secret: Buffer;
  readonly hasRoomFor: (sessionId: string) => boolean;
}

/** Longest stored text of what a client found in the hub's place. */
const PROBLEM_CHARACTERS_MAX = 200;

export class HubConnection {
  readonly peer: Peer<WorkerCalls>;
  readonly #core: HubService;
  readonly #self: HubInfo;
  readonly #events: ConnectionEvents;
  readonly #caller: CallerProcess;
  readonly #admission: Admission;
  readonly #hasRoomFor: (sessionId: string) => boolean;
  readonly #cancelFirstWord: Cancel;
  #hasSpoken = false;
  #session: LeftSession | null = null;
  #stopWatching: Cancel | null = null;

  constructor(
    stream: Duplex,
    { core, self, clock, caller, secret, hasRoomFor }: WorkerConnectionParts,
    events: ConnectionEvents,
  ) {
    this.#hasRoomFor = hasRoomFor;
    this.#core = core;
    this.#self = self;
    this.#events = events;
    this.#caller = caller;
    this.#admission = new Admission({ ledger: core.admission, caller, secret });
    const service = serve(HUB_CALLS, this.#handlers(), {
      admit: (method, params) => this.#admit(method, params),
      answered: (method) => this.#answered(method),
    });
    this.peer = new Peer(stream, {
      remote: WORKER_CALLS,
      service,
      clock,
      onFault: (fault) => events.fault(fault),
      bounds: {
        lineBytesMax: () => this.#lineBytesMax(),
        lineMs: LINE_MS_MAX,
        onHeld: (bytes) => events.held(this, bytes),
      },
    });
    this.#cancelFirstWord = clock.after(FIRST_WORD_MS_MAX, () => this.peer.cut("it said nothing"));
    void this.peer.closed.then(() => this.#ended());
  }

  get sessionId(): SessionId | null {
    return this.#session && asId<SessionId>(this.#session.sessionId);
  }

  get session(): LeftSession | null {
    return this.#session;
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  #lineBytesMax(): number {
    if (this.#session) return LINE_BYTES_MAX;
    return this.#hasSpoken ? CLIENT_LINE_BYTES_MAX : FIRST_LINE_BYTES_MAX;
  }

  get ended(): Promise<unknown> {
    return this.peer.closed;
  }

  get isSupervised(): boolean {
    return this.#caller.isSupervised() || this.#caller.isLeftBehind();
  }

  #handlers(): Handlers<HubCalls> {
    const core = this.#core.handlers;
    const passedOn = Object.fromEntries(
      (Object.keys(HUB_CALLS) as (keyof CoreHandlers)[]).map((method) => [
        method,
        (params: never) => this.#onRecord(method, () => core[method](params, this)),
      ]),
    ) as Handlers<HubCalls>;
    return {
      ...passedOn,
      "session.open": async (params) => {
        const inside = this.#admission.admitOpening(params);
        this.#core.admission.noteMark(this.#caller.descentMark());
        const result = await core["session.open"]({ ...params, inside }, this);
        const { sessionId, tool, label, pid, pidStartTime } = params;
        this.#session = { sessionId, tool, label, pid, pidStartTime };
        const isOutdated = !this.#admission.isTool && isNewer(params.version, this.#self.version);
        return { ...result, draining: this.#yieldIfAsked(isOutdated) };
      },
      "hub.hello": ({ challenge }) => ({
        protocol: PROTOCOL_VERSION,
        oldest: OLDEST_PROTOCOL_VERSION,
        version: this.#self.version,
        pid: process.pid,
        ...this.#admission.challenge(challenge),
      }),
      "hub.prove": ({ proof }) => {
        this.#admission.prove(proof);
        return {};
      },
      "hub.start_refused": () => {
        this.#admission.record("hub.start", "supervised", this.sessionId);
        return {};
      },
      "hub.suspect": ({ socket, pid, problem }) => {
        const details = { socket, pid, problem: problem.slice(0, PROBLEM_CHARACTERS_MAX) };
        this.#core.admission.record({ step: "false_hub_seen", sessionId: this.sessionId, details });
        return {};
      },
      "hub.yield": (claimant) => ({ yields: this.#yieldIfAsked(shouldYieldTo(this.#self, claimant)) }),
      "hub.stop": () => ({}),
      "watch.subscribe": () => {
        this.#stopWatching ??= this.#core.onWatch((payload) => this.peer.notify("watch.event", { payload }));
        return {};
      },
    };
  }

  /** Refusals by the ledger are recorded like those by the admission check. */
  async #onRecord<T>(method: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AtlasBridgeError && error.code === "ATB_HUB_REFUSED")
        this.#admission.record(method, "ledger", this.sessionId);
      throw error;
    }
  }

  #admit(method: string, params: object): void {
    this.#admission.admit(method, params, this.sessionId);
    if (method === "session.open") this.#admitOpen(params);
  }

  #yieldIfAsked(yes: boolean): boolean {
    if (yes) this.#events.outdated();
    return yes;
  }

  /** Checks the version before the fields, because another version may have other fields. */
  #admitOpen(params: { protocol?: unknown; sessionId?: unknown; version?: unknown }): void {
    if (this.sessionId && params.sessionId !== this.sessionId)
      throw createRefusedError("this connection has already opened another session");
    if (typeof params.sessionId === "string")
      this.#admission.admitReopening(asId<SessionId>(params.sessionId));
    if (typeof params.sessionId === "string" && !this.#hasRoomFor(params.sessionId))
      throw createRefusedError("the hub has reached its limit of connected sessions");
    const clientProtocol = params.protocol;
    if (typeof clientProtocol !== "number") return;
    if (clientProtocol >= OLDEST_PROTOCOL_VERSION && clientProtocol <= PROTOCOL_VERSION) return;
    const gap = `the worker speaks protocol ${clientProtocol}, this hub ${OLDEST_PROTOCOL_VERSION} to ${PROTOCOL_VERSION}`;
    const isTooNew = clientProtocol > PROTOCOL_VERSION;
    if (isTooNew && this.#admission.isTool)
      throw new AtlasBridgeError("ATB_WIRE_VERSION", gap, {
        hint: "Replace the hub from a terminal that is not supervised: `atlasbridge hub start`.",
      });
    if (this.#yieldIfAsked(isTooNew))
      throw new AtlasBridgeError("ATB_WIRE_VERSION", gap, { hint: "A newer hub will replace this one." });
    const { sessionId, version } = params;
    if (typeof sessionId === "string" && typeof version === "string")
      this.#events.tooOld(asId<SessionId>(sessionId), version);
    throw new AtlasBridgeError("ATB_WIRE_TOO_OLD", gap, {
      hint: "Restart the session to have it relayed.",
    });
  }

  #answered(method: string): void {
    // A hello proves nothing; the caller must prove itself next.
    if (method === "hub.hello") return;
    this.#hasSpoken = true;
    this.#cancelFirstWord();
    if (method === "session.open" && this.sessionId && this.peer.isOpen)
      this.#events.opened(this.sessionId, this);
    else if (method === "hub.stop") this.#events.stopWanted();
  }

  #ended(): void {
    this.#cancelFirstWord();
    this.#stopWatching?.();
    this.#events.ended(this);
  }
}

/** A hub yields to a newer version, and to a service manager's hub so that a newly installed service takes over. */
function shouldYieldTo(self: HubInfo, claimant: HubInfo): boolean {
  if (isNewer(claimant.version, self.version)) return true;
  return claimant.service && !self.service && !isNewer(self.version, claimant.version);
}

function createRefusedError(message: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_REFUSED", message);
}
