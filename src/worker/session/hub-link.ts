/**
 * The worker's way to the hub: connected whenever a hub can be had, and never in the tool's way. A hub that is gone is started
 * again; after every (re)connection the session is opened anew and its owner told, who then raises again what is still asked.
 */
import type { Duplex } from "node:stream";
import type { Cancel, Clock } from "../../model/clock.js";
import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";
import type { Random } from "../../observe/random.js";
import { serve, type Handlers, type CallService } from "../../wire/incoming.js";
import {
  HUB_CALLS,
  WORKER_CALLS,
  type HubCalls,
  type ParamsFor,
  type ResultOf,
  type WorkerCalls,
} from "../../wire/messages.js";
import { Peer, type Fault } from "../../wire/peer.js";
import { HubStarter, type HubStarterOptions } from "./hub-starter.js";

/** First pause between two attempts; a hub is up a few tenths of a second after its start. */
export const RETRY_FIRST_MS = 20;
/** Keeps the pause at an eighth of the time that the hub is away: one that comes back is found almost as soon as it can be. */
export const RETRY_GROWTH = 1.15;
/** Longest pause: a connect to a missing socket costs microseconds. */
export const RETRY_MAX_MS = 2_000;
/** A hub that has refused us (we are too old for it, or not who we say we are) refuses again until it is replaced: ask it rarely. */
export const RETRY_REFUSED_MS = 30_000;
/** Calls that wait for a connection. A session with more than this unsaid has a bug. */
export const QUEUED_CALLS_MAX = 1_000;

/** `refused`: a hub serves, and does not take this session. */
export type LinkState = "connecting" | "connected" | "lost" | "refused" | "closed";
export type OpenedSession = ResultOf<HubCalls, "session.open">;

export interface HubLinkOptions extends HubStarterOptions {
  /** Connects to the hub's socket; rejects when nobody serves there. */
  readonly dial: () => Promise<Duplex>;
  /** Resolves once both ends have proved who they are. Rejects with ATB_HUB_FALSE for what only pretends to be the hub. */
  readonly prove: (hub: Peer<HubCalls>, stream: Duplex) => Promise<unknown>;
  readonly session: ParamsFor<HubCalls, "session.open">;
  readonly handlers: Handlers<Omit<WorkerCalls, "hub.leaving">>;
  /** The session is open on a new connection. Calls made here go out before those that were queued. */
  readonly onOpened: (opened: OpenedSession) => void | Promise<void>;
  readonly onState?: (state: LinkState, reason: string) => void;
  readonly onFault?: (fault: Fault) => void;
  readonly clock: Clock;
  /** Spreads the attempts of many workers after a crash. */
  readonly random: Pick<Random, "fraction">;
}

export interface LinkCallOptions {
  /** Wait for a connection, and make the call again on the next one if it is lost before the answer. For idempotent calls only. */
  readonly whenConnected?: boolean;
  /** Wait for a connection, but make the call no second time: it may have happened. */
  readonly whenConnectedOnce?: boolean;
  /** Ends the wait for a connection; a call that was made is not taken back. */
  readonly giveUp?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

type HubPeer = Peer<HubCalls>;

/** A hub is there, and says no. */
const REFUSALS: readonly ErrorCode[] = ["ATB_WIRE_TOO_OLD", "ATB_HUB_REFUSED"];
/** What is there is no hub, or not ours. */
const NO_HUB: readonly ErrorCode[] = [
  "ATB_WIRE_LOST",
  "ATB_WIRE_INVALID",
  "ATB_HUB_FALSE",
  "ATB_HUB_UNREACHABLE",
];

interface Waiter {
  readonly resolve: (peer: HubPeer) => void;
  readonly reject: (error: Error) => void;
}

export class HubLink {
  readonly #options: HubLinkOptions;
  readonly #service: CallService;
  readonly #starter: HubStarter;
  readonly #waiters: Waiter[] = [];
  #state: LinkState = "connecting";
  /** Set while the session is open on it. */
  #peer: HubPeer | null = null;
  /** Set from the moment of the connection. */
  #socketPeer: HubPeer | null = null;
  #stopTimer: Cancel = () => undefined;
  #failedAttempts = 0;
  /** Why the hub did not open the session, in its words; null while none has said so. */
  #openProblem: string | null = null;
  /** Why the hub that serves does not take the session. */
  #refusal: AtlasBridgeError | null = null;

  constructor(options: HubLinkOptions) {
    this.#options = options;
    this.#starter = new HubStarter(options);
    this.#service = serve(WORKER_CALLS, {
      ...options.handlers,
      "hub.leaving": ({ reason }) => {
        this.#starter.leaving(reason);
        return {};
      },
    });
  }

  get state(): LinkState {
    return this.#state;
  }

  /** A hub serves, and could not open the session. */
  get openProblem(): string | null {
    return this.connected ? null : this.#openProblem;
  }

  /** The session is open and calls go out at once. */
  get connected(): boolean {
    return this.#livePeer !== null;
  }

  /** A hub is connected, or on its way as far as we know: worth a moment's wait. */
  get expectsHub(): boolean {
    return this.#state !== "closed" && this.#refusal === null && this.#starter.expectsHub;
  }

  /** Why the hub that serves does not take the session; null while none has refused it. */
  get refusal(): AtlasBridgeError | null {
    return this.#refusal;
  }

  get #livePeer(): HubPeer | null {
    return this.#peer?.isOpen ? this.#peer : null;
  }

  /** Begins to connect; returns at once. */
  start(): void {
    void this.#attempt();
  }

  /**
   * Errors: ATB_HUB_UNREACHABLE (not connected, nothing was sent), ATB_WIRE_LOST (it may have happened), what the hub refused with.
   * A hub that does not answer in time is taken for dead: the connection is given up and made anew.
   */
  async call<M extends keyof HubCalls>(
    method: M,
    params: ParamsFor<HubCalls, M>,
    { whenConnected = false, whenConnectedOnce = false, giveUp, ...limits }: LinkCallOptions = {},
  ): Promise<ResultOf<HubCalls, M>> {
    for (;;) {
      const waits = whenConnected || whenConnectedOnce;
      const peer = waits ? await this.#nextPeer(method, giveUp) : this.#livePeer;
      if (!peer) throw unreachable(method, "no hub is connected");
      try {
        return await peer.call(method, params, limits);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        peer.close("the hub did not answer in time");
        if (!whenConnected || this.#state === "closed") throw error;
      }
    }
  }

  /** Ends the connection for good, after what was already written. */
  close(): void {
    if (this.#state === "closed") return;
    this.#enter("closed", "the session ends");
    this.#stopTimer();
    this.#socketPeer?.close("the session ends");
    for (const waiter of this.#waiters.splice(0)) waiter.reject(unreachable("call", "the session ends"));
  }

  async #attempt(): Promise<void> {
    let stream: Duplex;
    try {
      stream = await this.#options.dial();
    } catch {
      if (this.#state !== "closed") this.#starter.missed();
      this.#retryLater();
      return;
    }
    if (this.#state === "closed") stream.destroy();
    else await this.#open(stream);
  }

  async #open(stream: Duplex): Promise<void> {
    const { clock, prove, session, onOpened, onFault } = this.#options;
    const peer: HubPeer = new Peer(stream, {
      remote: HUB_CALLS,
      service: this.#service,
      clock,
      ...(onFault ? { onFault } : {}),
    });
    this.#socketPeer = peer;
    void peer.closed.then((reason) => this.#lost(reason));
    try {
      await prove(peer, stream);
      const opened = await peer.call("session.open", session);
      this.#opened(peer, opened);
      await onOpened(opened);
    } catch (error) {
      this.#notOpened(error);
      peer.close(error instanceof Error ? error.message : "the session could not be opened");
      return;
    }
    if (!peer.isOpen) return;
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(peer);
    this.#enter("connected", "");
  }

  #opened(peer: HubPeer, { draining }: OpenedSession): void {
    this.#peer = peer;
    this.#failedAttempts = 0;
    this.#openProblem = null;
    this.#starter.opened(draining);
    this.#refusal = null;
  }

  #notOpened(error: unknown): void {
    if (!isConnectionLost(error)) this.#openProblem = error instanceof Error ? error.message : String(error);
    const known = error instanceof AtlasBridgeError ? error : null;
    this.#refusal = known !== null && REFUSALS.includes(known.code) ? known : null;
    // Something listens there and does not answer as a hub. We start a hub: it takes the socket over, or finds that a hub serves.
    if (known !== null && NO_HUB.includes(known.code)) this.#starter.missed();
  }

  #lost(reason: string): void {
    this.#peer = null;
    this.#socketPeer = null;
    if (this.#state === "closed") return;
    this.#enter(this.#refusal === null ? "lost" : "refused", reason);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#state === "closed") return;
    const backOffMs = Math.min(RETRY_FIRST_MS * RETRY_GROWTH ** this.#failedAttempts, RETRY_MAX_MS);
    const pauseMs = this.#refusal === null ? backOffMs : RETRY_REFUSED_MS;
    this.#failedAttempts += 1;
    // Half fixed, half random: never at once, never in step.
    const delayMs = pauseMs * (0.5 + this.#options.random.fraction() / 2);
    this.#stopTimer = this.#options.clock.after(delayMs, () => void this.#attempt());
  }

  #nextPeer(method: string, giveUp: AbortSignal | undefined): Promise<HubPeer> {
    const peer = this.#livePeer;
    if (peer && this.#state === "connected") return Promise.resolve(peer);
    if (this.#state === "closed") return Promise.reject(unreachable(method, "the session ends"));
    if (this.#waiters.length >= QUEUED_CALLS_MAX)
      return Promise.reject(unreachable(method, `${QUEUED_CALLS_MAX} calls wait for a hub already`));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject };
      this.#waiters.push(waiter);
      const leave = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        reject(unreachable(method, "no hub came in time"));
      };
      if (giveUp?.aborted) leave();
      else giveUp?.addEventListener("abort", leave, { once: true });
    });
  }

  #enter(state: LinkState, reason: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState?.(state, reason);
  }
}

function unreachable(method: string, reason: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `${method}: ${reason}`);
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
}
