/**
 * One Socket Mode connection through bolt's receiver, from opening to end. It never reconnects: bolt's own reconnecting may
 * crash the process, leaves gaps, and gives up on the first network error (ADR 12). `SlackConnection` opens the next one.
 */
import { SocketModeReceiver, type App, type ReceiverEvent } from "@slack/bolt";
import type { Cancel, Clock } from "../../../src/sdk/channel.js";
import { buildClientOptions, SILENT } from "../web-api/api.js";
import type { HttpClient } from "../../../src/sdk/http.js";
import { toFailure, createLostFailure, type SlackFailure } from "../web-api/failure.js";
import { readFrame } from "./frame.js";
import type { SlackEnvelope } from "../events/inbox.js";
import type { SlackTiming } from "../limits.js";
import { SlackLine } from "./line.js";

export interface SocketParts {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timing: SlackTiming;
  /** Resolves when the envelope may be acknowledged; rejects if it may not. */
  readonly onEnvelope: (envelope: SlackEnvelope) => Promise<void>;
  readonly onNoise: (what: string) => void;
}

/** Why a connection must be replaced. */
export type SocketEnd =
  /** The service will close it soon; until then it works. */
  | { readonly kind: "notice"; readonly reason: string }
  /** The service closed it for its own reason: `link_disabled`, `too_many_websockets`. */
  | { readonly kind: "dismissed"; readonly reason: string }
  | { readonly kind: "lost"; readonly failure: SlackFailure };

/** Fields of an event that bolt's receiver omits unless requested. */
interface EnvelopeNames {
  readonly envelope_id: string;
  readonly type: string;
}

/** Reasons with notice; any other ends the connection immediately. */
const WITH_NOTICE: readonly string[] = ["warning", "refresh_requested"];

export class SlackSocket {
  /** Resolves with the app's number of connections, or rejects with how the opening ended (`SocketEnded`). */
  readonly hello: Promise<number>;
  /** The first reason to replace it. */
  readonly ended: Promise<SocketEnd>;
  readonly #parts: SocketParts;
  readonly #receiver: SocketModeReceiver;
  readonly #line: SlackLine;
  readonly #timers = new Set<Cancel>();
  #greet: (connections: number) => void = () => undefined;
  #end: (end: SocketEnd) => void = () => undefined;
  #connections = 1;
  #closing = false;
  #gone = false;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    const { appToken, apiUrl, http, timing } = parts;
    this.#line = new SlackLine(parts);
    this.#receiver = new SocketModeReceiver({
      appToken,
      logger: SILENT,
      autoReconnectEnabled: false,
      clientPingTimeout: timing.pongMs,
      serverPingTimeout: timing.pingMs,
      dispatcher: this.#line.dispatcher,
      installerOptions: { clientOptions: buildClientOptions(http, apiUrl, timing.callMs) },
      customPropertiesExtractor: ({ envelope_id, type }: EnvelopeNames) => ({ envelope_id, type }),
    });
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.hello = new Promise((resolve, reject) => {
      this.#greet = resolve;
      void this.ended.then((end) => reject(new SocketEnded(end)));
    });
    // There may be no waiter any more.
    this.hello.catch(() => undefined);
    this.#listen();
  }

  /** Whether envelopes may still arrive over it. */
  get alive(): boolean {
    return !this.#gone;
  }

  open(): void {
    this.#callLater(this.#parts.timing.helloMs, () => this.#endAsLost(createLostFailure("no hello")));
    this.#receiver.start().then(
      () => this.#handleOpen(),
      (error: unknown) => this.#endAsLost(toFailure(error)),
    );
  }

  /** Says goodbye and closes a moment later, whatever the other end does. */
  close(): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#end({ kind: "lost", failure: createLostFailure("closed by us") });
    const { client } = this.#receiver;
    client.disconnect().catch(() => undefined);
    const { clock, timing } = this.#parts;
    clock.after(timing.goodbyeMs, () => this.#hangUp());
  }

  #handleOpen(): void {
    this.#clearTimers();
    if (this.#closing) {
      this.#hangUp();
      return;
    }
    this.#watch();
    this.#greet(this.#connections);
  }

  /** A client that found the connection dead waits half a minute for a goodbye before it reports it. */
  #watch(): void {
    this.#callLater(this.#parts.timing.watchMs, () => {
      if (this.#receiver.client.websocket?.isActive() === true) this.#watch();
      else this.#endAsLost(createLostFailure("the connection is dead"));
    });
  }

  #endAsLost(failure: SlackFailure): void {
    this.#end({ kind: "lost", failure });
    this.#hangUp();
  }

  /** Closes the connection at once. Otherwise the client would keep it, and the process, alive for half a minute. */
  #hangUp(): void {
    this.#gone = true;
    this.#clearTimers();
    const { websocket } = this.#receiver.client;
    // Already closed, or not opened yet.
    if (websocket?.readyState !== undefined) {
      (websocket as unknown as { closeFrameReceived: boolean }).closeFrameReceived = true;
      websocket.disconnect();
    }
    this.#line.destroy();
  }

  #listen(): void {
    const { client } = this.#receiver;
    const app: Pick<App, "processEvent"> = { processEvent: (event) => this.#process(event) };
    this.#receiver.init(app as App);
    client.on("disconnected", () => this.#endAsLost(createLostFailure("the connection broke")));
    // It was closed while its address was being requested, so the new connection is not wanted.
    client.on("connecting", () => queueMicrotask(() => this.#gone && this.#hangUp()));
    const [pass] = client.listeners("ws_message") as ((data: unknown, isBinary: boolean) => void)[];
    client.removeAllListeners("ws_message");
    client.on("ws_message", (data: unknown, isBinary: boolean) => {
      const frame = readFrame(data, isBinary);
      if (frame.kind === "noise") this.#parts.onNoise(frame.what);
      else if (frame.kind === "disconnect") this.#handleDismissal(frame.reason);
      else {
        if (frame.kind === "hello") this.#connections = frame.connections;
        pass?.(data, isBinary);
      }
    });
  }

  #handleDismissal(reason: string): void {
    if (WITH_NOTICE.includes(reason)) {
      this.#end({ kind: "notice", reason });
      return;
    }
    this.#end({ kind: "dismissed", reason });
    this.#hangUp();
  }

  /** Replaces bolt's own app, which would judge an event before it is stored. */
  async #process({ body, ack, customProperties }: ReceiverEvent): Promise<void> {
    const { envelope_id: id, type } = customProperties as unknown as EnvelopeNames;
    try {
      await this.#parts.onEnvelope({ id, type, payload: body });
      await ack();
    } catch {
      // Not stored, or the connection was lost: without an acknowledgement the service sends it again.
    }
  }

  #callLater(ms: number, act: () => void): void {
    const cancel = this.#parts.clock.after(ms, () => {
      this.#timers.delete(cancel);
      act();
    });
    this.#timers.add(cancel);
  }

  #clearTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}

export class SocketEnded extends Error {
  override readonly name = "SocketEnded";
  readonly end: SocketEnd;

  constructor(end: SocketEnd) {
    super("the connection ended");
    this.end = end;
  }
}
