/**
 * One end of a connection: JSON-RPC 2.0 in both directions over any byte stream. Whatever the other side sends, this end
 * responds with an error or closes; no exception ever reaches the process.
 */
import type { Duplex } from "node:stream";
import type { Cancel, Clock } from "../model/clock.js";
import { AtlasBridgeError } from "../model/errors.js";
import { IncomingCalls, type CallReply, type CallService } from "./incoming.js";
import { encodeLine, LineDecoder } from "./line-codec.js";
import {
  CLIENT_NOTIFICATIONS,
  LINE_BYTES_MAX,
  type CallTable,
  type ClientNotifications,
  type ParamsFor,
  type ResultOf,
} from "./messages.js";
import { CALL_TIMEOUT_MS, createLostError, OutgoingCalls } from "./outgoing.js";
import { readEnvelope, RPC_ERROR, type RpcEnvelope, type RpcError } from "./rpc.js";
import { check } from "./validate.js";
import type { InferOutput } from "valibot";

/** The most bytes buffered for a peer that does not read (a few of the largest messages); then it is disconnected. */
export const UNSENT_BYTES_MAX = 4 * LINE_BYTES_MAX;
/** How long the last messages may take to be read before the stream is destroyed. */
const CLOSE_GRACE_MS = 1_000;

/** A protocol violation of the other side, or a bug in one of our handlers; for the log. */
export type Fault =
  | { readonly kind: "malformed"; readonly problem: string }
  | { readonly kind: "bug"; readonly method: string; readonly error: unknown };

export type Listeners = {
  readonly [N in keyof ClientNotifications]?: (params: InferOutput<ClientNotifications[N]>) => void;
};

/** The memory and time that one side grants the other. */
export interface PeerBounds {
  /** The current limit for a line's bytes. */
  readonly lineBytesMax: () => number;
  /** How long a line may take from its first byte to its last. */
  readonly lineMs: number;
  /** Called on every change of the bytes buffered for the other side: received but not answered, or not yet read by it. */
  readonly onHeld: (bytes: number) => void;
}

export interface PeerOptions<Remote extends CallTable> {
  /** What the other side serves. */
  readonly remote: Remote;
  /** What this side serves; without it every request is refused. */
  readonly service?: CallService;
  readonly listeners?: Listeners;
  readonly clock: Clock;
  readonly onFault?: (fault: Fault) => void;
  /** Without bounds only a line's length is limited: for a side with a single, trusted connection. */
  readonly bounds?: PeerBounds;
}

export interface PeerCallOptions {
  /** Default CALL_TIMEOUT_MS; calls that wait for people have no limit. */
  readonly timeoutMs?: number;
}

export class Peer<Remote extends CallTable> {
  /** Resolves once, with the reason, when the connection has ended for any cause. */
  readonly closed: Promise<string>;
  readonly #stream: Duplex;
  readonly #options: PeerOptions<Remote>;
  readonly #outgoing: OutgoingCalls;
  readonly #incoming: IncomingCalls;
  readonly #decoder: LineDecoder;
  #cancelLine: Cancel | null = null;
  #resolveClosed: (reason: string) => void = () => undefined;
  #open = true;

  constructor(stream: Duplex, options: PeerOptions<Remote>) {
    this.#stream = stream;
    this.#options = options;
    this.#decoder = new LineDecoder(options.bounds?.lineBytesMax);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#outgoing = new OutgoingCalls(options.remote, options.clock);
    this.#incoming = new IncomingCalls(
      options.service ?? { table: {}, handlers: {} },
      (answer) => this.#answer(answer),
      (method, error) => options.onFault?.({ kind: "bug", method, error }),
    );
    stream.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    stream.on("drain", () => this.#reportHeld());
    stream.on("error", (error) => this.#end(error.message));
    stream.on("end", () => this.close("the other side closed the connection"));
    stream.on("close", () => this.#end("the connection was closed"));
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Sends a request and resolves with the validated result. Errors: what the other side threw; ATB_WIRE_LOST (connection ended
   * or no response in time: it may have happened); ATB_WIRE_INVALID (the response violates the protocol, or the request is
   * longer than a line may be).
   */
  call<M extends keyof Remote & string>(
    method: M,
    params: ParamsFor<Remote, M>,
    options: PeerCallOptions = {},
  ): Promise<ResultOf<Remote, M>> {
    if (!this.#open) return Promise.reject(createLostError(method, "the connection is closed"));
    const limit = this.#options.remote[method]?.waits ? null : (options.timeoutMs ?? CALL_TIMEOUT_MS);
    const { id, answer } = this.#outgoing.open(method, limit);
    const line = encodeLine({ jsonrpc: "2.0", id, method, params });
    if (isTooLong(line))
      this.#outgoing.abandon(id, new AtlasBridgeError("ATB_WIRE_INVALID", `${method}: ${TOO_LONG}`));
    else this.#write(line);
    return answer;
  }

  /** Sends a notification. Dropped if the connection has ended: only for what the other side can fetch later. */
  notify<N extends keyof ClientNotifications>(method: N, params: InferOutput<ClientNotifications[N]>): void {
    const line = encodeLine({ jsonrpc: "2.0", method, params });
    if (!isTooLong(line)) this.#write(line);
  }

  /** Sends the buffered messages and ends the connection. Idempotent. */
  close(reason = "closed on this side"): void {
    if (!this.#open) return;
    this.#end(reason);
    const stop = this.#options.clock.after(CLOSE_GRACE_MS, () => this.#stream.destroy());
    this.#stream.end(() => {
      stop();
      this.#stream.destroy();
    });
  }

  /** Ends the connection at once, discarding buffered messages. */
  cut(reason: string): void {
    this.#end(reason);
    this.#stream.destroy();
  }

  #end(reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#cancelLine?.();
    this.#options.bounds?.onHeld(0);
    this.#incoming.stop();
    this.#outgoing.abandonAll(reason);
    this.#resolveClosed(reason);
  }

  #receive(chunk: Uint8Array): void {
    // Data after the end is not even decoded, because nobody would handle it.
    if (!this.#open) return;
    for (const line of this.#decoder.push(chunk)) {
      if (!this.#isOpen()) return;
      if (line.kind === "line") this.#dispatch(readEnvelope(line.text), line.text.length);
      else if (line.kind === "not_utf8") this.#refuse(RPC_ERROR.parse, "the line is not UTF-8");
      else {
        this.#refuse(RPC_ERROR.invalidRequest, TOO_LONG);
        this.close(TOO_LONG);
      }
    }
    this.#watchLine();
    this.#reportHeld();
  }

  /** Checked again, because a failed write may have ended the connection. */
  #isOpen(): boolean {
    return this.#open;
  }

  /** A line must be completed soon; a well-behaved peer does not write one byte at a time. */
  #watchLine(): void {
    const { bounds, clock } = this.#options;
    if (!bounds || !this.#open) return;
    if (this.#decoder.unfinishedBytes === 0) {
      this.#cancelLine?.();
      this.#cancelLine = null;
    } else this.#cancelLine ??= clock.after(bounds.lineMs, () => this.cut("a line was not ended in time"));
  }

  #reportHeld(): void {
    if (!this.#open) return;
    const { unfinishedBytes } = this.#decoder;
    const held = unfinishedBytes + this.#incoming.unansweredBytes + this.#stream.writableLength;
    this.#options.bounds?.onHeld(held);
  }

  #dispatch(message: RpcEnvelope, bytes: number): void {
    if (message.kind === "request") this.#incoming.accept(message, bytes);
    else if (message.kind === "notification") this.#handleNotification(message.method, message.params);
    else if (message.kind === "result") this.#outgoing.succeed(message.id, message.result);
    else if (message.kind === "invalid") this.#refuse(message.error.code, message.error.message, message.id);
    else if (message.id !== null) this.#outgoing.fail(message.id, message.error);
    // The other side could not read our line. Responding could make two ends complain forever.
    else this.#options.onFault?.({ kind: "malformed", problem: message.error.message });
  }

  #handleNotification(method: string, params: object): void {
    const name = Object.keys(CLIENT_NOTIFICATIONS).find((known) => known === method) as
      keyof ClientNotifications | undefined;
    const listener = name && this.#options.listeners?.[name];
    const checked = name && check(CLIENT_NOTIFICATIONS[name], params, "params");
    if (listener && checked?.ok) listener(checked.value);
    else this.#options.onFault?.({ kind: "malformed", problem: "a notification that nobody here expects" });
  }

  #refuse(code: number, message: string, id: CallReply["id"] = null): void {
    this.#options.onFault?.({ kind: "malformed", problem: message });
    this.#answer({ id, error: { code, message } });
  }

  #answer(answer: CallReply): void {
    const line = encodeLine({ jsonrpc: "2.0", ...answer });
    if (!isTooLong(line)) this.#write(line);
    else this.#write(encodeLine({ jsonrpc: "2.0", id: answer.id, error: createTooLongError() }));
  }

  #write(line: string): void {
    if (!this.#open) return;
    this.#stream.write(line);
    if (this.#stream.writableLength > UNSENT_BYTES_MAX) this.cut("the other side does not read");
    else this.#reportHeld();
  }
}

const TOO_LONG = `a message is longer than ${LINE_BYTES_MAX} bytes`;

function isTooLong(line: string): boolean {
  return Buffer.byteLength(line) > LINE_BYTES_MAX;
}

function createTooLongError(): RpcError {
  return { code: RPC_ERROR.internal, message: TOO_LONG };
}
