/**
 * Keeps the worker connected to the hub whenever one is available, and starts a missing one, without ever blocking the tool. After every
 * connection the session is opened again, and its owner raises every open prompt again.
 */
import type { Duplex } from "node:stream";
import type { Cancel, Clock } from "../../model/clock.js";
import { AtlasBridgeError, type ErrorCode } from "../../model/errors.js";
import type { Random } from "../../observe/random.js";
import { serve, type Handlers } from "../../wire/incoming.js";
import {
  HUB_CALLS,
  WORKER_CALLS,
  type HubCalls,
  type ParamsFor,
  type ResultOf,
  type WorkerCalls,
} from "../../wire/messages.js";
import { Peer } from "../../wire/peer.js";
import { HubRestarter, type HubRestarterOptions } from "./hub-restarter.js";

/** The first pause between two attempts. A hub starts in some tenths of a second. */
export const RETRY_FIRST_MS = 20;
/** Keeps the pause at an eighth of the hub's downtime, so that a new hub is found quickly. */
const RETRY_GROWTH = 1.15;
/** The longest pause. An attempt costs microseconds. */
const RETRY_MAX_MS = 2_000;
/** A hub that has refused the session refuses it again until it is replaced. */
export const RETRY_REFUSED_MS = 30_000;
/** A session with more waiting calls has a bug. */
export const QUEUED_CALLS_MAX = 1_000;

/** `refused`: there is a hub, and it does not accept this session. */
export type LinkState = "connecting" | "connected" | "lost" | "refused" | "closed";

export interface LinkOwner {
  readonly listPrompts: () => string[];
  readonly handlers: Handlers<Omit<WorkerCalls, "hub.leaving">>;
  /** Called when the session is open on a new connection. Calls made here precede those that were queued. */
  readonly onOpened: () => void | Promise<void>;
  readonly onState?: (state: LinkState) => void;
}

export interface HubLinkOptions extends HubRestarterOptions {
  readonly dial: () => Promise<Duplex>;
  /** Resolves once both ends have proved who they are. Rejects with ATB_HUB_IMPOSTOR for any other process. */
  readonly prove: (hub: Peer<HubCalls>, stream: Duplex) => Promise<unknown>;
  readonly session: ParamsFor<HubCalls, "session.open">;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
}

export interface LinkCallOptions {
  /** Wait for a connection, and repeat the call on the next one if it is lost before the answer. Only for idempotent calls. */
  readonly whenConnected?: boolean;
  /** Wait for a connection, but never repeat the call. */
  readonly whenConnectedOnce?: boolean;
  /** Ends the wait for a connection; a call that was sent continues. */
  readonly giveUp?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

type HubPeer = Peer<HubCalls>;

const REFUSALS: readonly ErrorCode[] = ["ATB_WIRE_TOO_OLD", "ATB_HUB_REFUSED"];
/** Errors that mean that the listener is no hub, or not ours. */
const NO_HUB: readonly ErrorCode[] = [
  "ATB_WIRE_LOST",
  "ATB_WIRE_INVALID",
  "ATB_HUB_IMPOSTOR",
  "ATB_HUB_UNREACHABLE",
];

interface Waiter {
  readonly resolve: (peer: HubPeer) => void;
  readonly reject: (error: Error) => void;
}

export class HubLink {
  readonly #options: HubLinkOptions;
  readonly #restarter: HubRestarter;
  readonly #waiters: Waiter[] = [];
  #onState: (state: LinkState) => void = () => undefined;
  state: LinkState = "connecting";
  #peer: HubPeer | null = null;
  #socketPeer: HubPeer | null = null;
  #stopTimer: Cancel = () => undefined;
  #failedAttempts = 0;
  /** Why the last attempt to open the session failed on a connection; null if none has. */
  #openFailure: string | null = null;
  /** The error with which the current hub refuses the session, or null. */
  refusal: AtlasBridgeError | null = null;

  constructor(options: HubLinkOptions) {
    this.#options = options;
    this.#restarter = new HubRestarter(options);
  }

  /** Why the session is not open although the socket has a listener: an error, a refusal, or an impostor. */
  get openFailure(): string | null {
    return this.connected ? null : this.#openFailure;
  }

  get connected(): boolean {
    return this.#livePeer !== null;
  }

  /** A hub is connected or may come soon, so a short wait is useful. */
  get expectsHub(): boolean {
    return this.state !== "closed" && this.refusal === null && this.#restarter.expectsHub;
  }

  get #livePeer(): HubPeer | null {
    return this.#peer?.isOpen ? this.#peer : null;
  }

  get wasOpened(): boolean {
    return this.#restarter.wasServed;
  }

  start(owner: LinkOwner): void {
    if (owner.onState) this.#onState = owner.onState;
    void this.#attempt(owner);
  }

  /**
   * Errors: ATB_HUB_UNREACHABLE (it was not sent), ATB_WIRE_LOST (it may have happened), and the hub's refusals. If a hub does not answer
   * in time, the connection is closed and made again.
   */
  async call<M extends keyof HubCalls>(
    method: M,
    params: ParamsFor<HubCalls, M>,
    { whenConnected = false, whenConnectedOnce = false, giveUp, ...limits }: LinkCallOptions = {},
  ): Promise<ResultOf<HubCalls, M>> {
    for (;;) {
      const waits = whenConnected || whenConnectedOnce;
      const peer = waits ? await this.#waitForPeer(method, giveUp) : this.#livePeer;
      if (!peer) throw createUnreachableError(method, "no hub is connected");
      try {
        return await peer.call(method, params, limits);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        peer.close("the hub did not answer in time");
        if (!whenConnected || this.state === "closed") throw error;
      }
    }
  }

  close(): void {
    if (this.state === "closed") return;
    this.#changeState("closed");
    this.#stopTimer();
    this.#socketPeer?.close("the session ends");
    for (const waiter of this.#waiters.splice(0))
      waiter.reject(createUnreachableError("call", "the session ends"));
  }

  async #attempt(owner: LinkOwner): Promise<void> {
    let stream: Duplex;
    try {
      stream = await this.#options.dial();
    } catch {
      if (this.state !== "closed") this.#restarter.startIfDue();
      this.#retryLater(owner);
      return;
    }
    if (this.state === "closed") stream.destroy();
    else await this.#open(stream, owner);
  }

  async #open(stream: Duplex, owner: LinkOwner): Promise<void> {
    const { clock, prove, session } = this.#options;
    const peer: HubPeer = new Peer(stream, {
      remote: HUB_CALLS,
      service: serve(WORKER_CALLS, {
        ...owner.handlers,
        "hub.leaving": ({ reason }) => {
          this.#restarter.noteLeaving(reason);
          return {};
        },
      }),
      clock,
    });
    this.#socketPeer = peer;
    void peer.closed.then(() => this.#onLost(owner));
    try {
      await prove(peer, stream);
      const prompts = owner.listPrompts();
      const { draining } = await peer.call("session.open", { ...session, prompts });
      this.#onOpened(peer, draining);
      await owner.onOpened();
    } catch (error) {
      this.#onOpenFailed(error);
      peer.close(error instanceof Error ? error.message : "the session could not be opened");
      return;
    }
    if (!peer.isOpen) return;
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(peer);
    this.#changeState("connected");
  }

  #onOpened(peer: HubPeer, draining: boolean): void {
    this.#peer = peer;
    this.#failedAttempts = 0;
    this.#openFailure = null;
    this.#restarter.noteOpened(draining);
    this.refusal = null;
  }

  #onOpenFailed(error: unknown): void {
    if (!isConnectionLost(error)) this.#openFailure = error instanceof Error ? error.message : String(error);
    const known = error instanceof AtlasBridgeError ? error : null;
    this.refusal = known !== null && REFUSALS.includes(known.code) ? known : null;
    // The listener does not answer as a hub. A new hub takes the socket over, or finds that one is serving.
    if (known !== null && NO_HUB.includes(known.code)) this.#restarter.startIfDue();
  }

  #onLost(owner: LinkOwner): void {
    this.#peer = null;
    this.#socketPeer = null;
    if (this.state === "closed") return;
    this.#changeState(this.refusal === null ? "lost" : "refused");
    this.#retryLater(owner);
  }

  #retryLater(owner: LinkOwner): void {
    if (this.state === "closed") return;
    const backOffMs = Math.min(RETRY_FIRST_MS * RETRY_GROWTH ** this.#failedAttempts, RETRY_MAX_MS);
    const pauseMs = this.refusal === null ? backOffMs : RETRY_REFUSED_MS;
    this.#failedAttempts += 1;
    // Half fixed, half random, so that workers never retry in step.
    const delayMs = pauseMs * (0.5 + this.#options.random.fraction() / 2);
    this.#stopTimer = this.#options.clock.after(delayMs, () => void this.#attempt(owner));
  }

  #waitForPeer(method: string, giveUp: AbortSignal | undefined): Promise<HubPeer> {
    const peer = this.#livePeer;
    if (peer && this.state === "connected") return Promise.resolve(peer);
    if (this.state === "closed") return Promise.reject(createUnreachableError(method, "the session ends"));
    if (this.#waiters.length >= QUEUED_CALLS_MAX)
      return Promise.reject(
        createUnreachableError(method, `${QUEUED_CALLS_MAX} calls wait for a hub already`),
      );
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject };
      this.#waiters.push(waiter);
      const leave = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        reject(createUnreachableError(method, "no hub came in time"));
      };
      if (giveUp?.aborted) leave();
      else giveUp?.addEventListener("abort", leave, { once: true });
    });
  }

  #changeState(state: LinkState): void {
    if (state === this.state) return;
    this.state = state;
    this.#onState(state);
  }
}

function createUnreachableError(method: string, reason: string): AtlasBridgeError {
  return new AtlasBridgeError("ATB_HUB_UNREACHABLE", `${method}: ${reason}`);
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST";
}
