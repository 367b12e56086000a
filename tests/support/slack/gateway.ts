/**
 * Socket Mode from the service's side: tickets, up to ten connections, envelopes handed to one of them, three seconds to
 * acknowledge, events sent again, connections that are recycled, cut, or dead without a word.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { randomUUID } from "node:crypto";
import { isJson, type Json } from "./json.js";
import { ServerSocket } from "./websocket.js";

export interface GatewayTiming {
  /** The service gives three seconds. */
  readonly ackMs: number;
  /** When an event that was not acknowledged is sent again: at once, after a minute, after five. */
  readonly eventRetryMs: readonly number[];
  /** How long after its warning a connection is closed. */
  readonly recycleMs: number;
}

export const GATEWAY_TIMING: GatewayTiming = {
  ackMs: 3_000,
  eventRetryMs: [0, 60_000, 300_000],
  recycleMs: 10_000,
};

export type EnvelopeType = "events_api" | "interactive" | "slash_commands";

export interface Envelope {
  readonly envelope_id: string;
  readonly type: EnvelopeType;
  readonly payload: Json;
  readonly accepts_response_payload: boolean;
  readonly retry_attempt: number;
  readonly retry_reason: string;
}

/** How one delivery ended. */
export type Ack =
  { readonly kind: "acked"; readonly payload: unknown } | { readonly kind: "timeout" | "unsent" };

export interface Connection {
  readonly id: number;
  readonly socket: ServerSocket;
  /** It was told to go: it gets nothing more. */
  leaving: boolean;
}

/** One envelope as it went out and was, or was not, acknowledged. */
export interface EnvelopeRecord {
  readonly envelope: Envelope;
  readonly connection: number;
  readonly sentAt: number;
  ackedAt: number | null;
}

const CONNECTIONS_MAX = 10;

export class Gateway {
  readonly records: EnvelopeRecord[] = [];
  /** Every message that a client sent and that acknowledges nothing: a mistake of its own. */
  readonly strays: string[] = [];
  connections: Connection[] = [];
  readonly #appId: string;
  readonly #timing: GatewayTiming;
  readonly #changed: () => void;
  readonly #tickets = new Set<string>();
  readonly #waiting = new Map<string, (ack: Ack) => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #turn = 0;
  #lastId = 0;
  #held: (() => void)[] | null = null;
  /** The next connections hear nothing, not even hello. */
  silent = false;

  constructor(appId: string, timing: GatewayTiming, changed: () => void) {
    this.#appId = appId;
    this.#timing = timing;
    this.#changed = changed;
  }

  ticket(): string {
    const ticket = randomUUID();
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Takes a connection with a ticket, which is good once. */
  accept(ticket: string, request: IncomingMessage, raw: Duplex, head: Buffer): void {
    if (!this.#tickets.delete(ticket)) {
      raw.end("HTTP/1.1 408 Request Timeout\r\n\r\n");
      return;
    }
    const socket = new ServerSocket(request, raw, head);
    const connection: Connection = { id: ++this.#lastId, socket, leaving: false };
    socket.onGone = () => {
      this.connections = this.connections.filter((known) => known !== connection);
      this.#changed();
    };
    socket.onText = (text) => this.#hear(text);
    if (this.connections.length >= CONNECTIONS_MAX) {
      this.#say(connection, { type: "disconnect", reason: "too_many_websockets", debug_info: DEBUG_INFO });
      socket.close();
      return;
    }
    this.connections.push(connection);
    if (!this.silent) this.#hello(connection);
    this.#changed();
  }

  /** Hands an envelope to one connection. Resolves with how that ended; an event is then sent again by itself. */
  async send(type: EnvelopeType, payload: Json): Promise<Ack> {
    const envelope = makeEnvelope(type, payload, 0, "");
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    const ack = await this.#deliver(envelope);
    if (ack.kind !== "acked" && type === "events_api") this.#sendAgain(payload, 1);
    return ack;
  }

  /** The last envelope once more, under its own id, as the service does now and then. */
  repeatLast(): void {
    const last = this.records.at(-1);
    if (last) void this.#deliver(last.envelope);
  }

  /** Keeps envelopes back until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(order: "as sent" | "reversed" = "as sent"): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of order === "reversed" ? held.toReversed() : held) go();
  }

  /** Announces that connections end: with notice (and then they are closed), or because Socket Mode is off. */
  recycle(reason: "warning" | "refresh_requested" | "link_disabled", which = this.connections): void {
    for (const connection of [...which]) {
      this.#say(connection, { type: "disconnect", reason, debug_info: DEBUG_INFO });
      if (reason === "warning") {
        this.#later(this.#timing.recycleMs, () => connection.socket.close());
        continue;
      }
      connection.leaving = true;
      connection.socket.close();
    }
  }

  /** Any text at all, to every connection. */
  babble(text: string): void {
    for (const { socket } of this.connections) socket.send(text);
  }

  /** Cuts every connection without a goodbye. */
  cut(): void {
    for (const { socket } of [...this.connections]) socket.destroy();
  }

  /** From now on the connections are dead, and nobody is told. */
  freeze(): void {
    for (const connection of this.connections) connection.socket.freeze();
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.cut();
  }

  #hello(connection: Connection): void {
    this.#say(connection, {
      type: "hello",
      num_connections: this.connections.length,
      debug_info: { ...DEBUG_INFO, build_number: 42, approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#appId },
    });
  }

  async #deliver(envelope: Envelope): Promise<Ack> {
    const open = this.connections.filter(({ leaving, socket }) => !leaving && !socket.gone);
    // Spread over the connections, whoever is behind them.
    const connection = open[this.#turn++ % Math.max(1, open.length)];
    if (!connection) return { kind: "unsent" };
    const record: EnvelopeRecord = {
      envelope,
      connection: connection.id,
      sentAt: performance.now(),
      ackedAt: null,
    };
    this.records.push(record);
    this.#say(connection, { ...envelope });
    const ack = await new Promise<Ack>((resolve) => {
      this.#waiting.set(envelope.envelope_id, resolve);
      this.#later(this.#timing.ackMs, () => resolve({ kind: "timeout" }));
    });
    this.#waiting.delete(envelope.envelope_id);
    if (ack.kind === "acked") record.ackedAt = performance.now();
    this.#changed();
    return ack;
  }

  #sendAgain(payload: Json, attempt: number): void {
    const delayMs = this.#timing.eventRetryMs[attempt - 1];
    if (delayMs === undefined) return;
    this.#later(delayMs, () => {
      void this.#deliver(makeEnvelope("events_api", payload, attempt, "timeout")).then((ack) => {
        if (ack.kind !== "acked") this.#sendAgain(payload, attempt + 1);
      });
    });
  }

  #hear(text: string): void {
    const message: unknown = parse(text);
    const id = isJson(message) ? message["envelope_id"] : undefined;
    const known = typeof id === "string" && this.records.some(({ envelope }) => envelope.envelope_id === id);
    if (!known) this.strays.push(text);
    else
      this.#waiting.get(id)?.({ kind: "acked", payload: isJson(message) ? message["payload"] : undefined });
    this.#changed();
  }

  #say(connection: Connection, message: Json): void {
    connection.socket.send(JSON.stringify(message));
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
}

const DEBUG_INFO = { host: "applink-1" } as const;

function makeEnvelope(type: EnvelopeType, payload: Json, attempt: number, reason: string): Envelope {
  return {
    envelope_id: randomUUID(),
    type,
    payload,
    accepts_response_payload: type !== "events_api",
    retry_attempt: attempt,
    retry_reason: reason,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
