/** The network connection below Socket Mode: only to the service, with a limited message size, and no message may stop in the middle. */
import { Agent, buildConnector } from "undici";
import type { Cancel, Clock } from "../../../src/sdk/channel.js";
import { ANSWER_MS_MAX, STALLED_MS } from "../../../src/sdk/http.js";
import { leadsToService } from "../config.js";
import { FrameFollower } from "./frame-follower.js";
import { ENVELOPE_BYTES_MAX } from "../limits.js";

type Connected = Parameters<Parameters<buildConnector.connector>[1]>;
type LineSocket = NonNullable<Connected[1]>;

export interface LineParts {
  readonly apiUrl: string;
  readonly clock: Clock;
}

export class SlackLine {
  /** The client's access to the network. */
  readonly dispatcher: Agent;
  readonly #clock: Clock;
  #socket: LineSocket | null = null;
  #cancelStall: Cancel = () => undefined;
  /** Null: no message has begun. */
  #cancelMessage: Cancel | null = null;

  constructor({ apiUrl, clock }: LineParts) {
    this.#clock = clock;
    const connect = buildConnector({ allowH2: false });
    this.dispatcher = new Agent({
      webSocket: { maxPayloadSize: ENVELOPE_BYTES_MAX },
      connect: (options, callback) => {
        const { protocol, hostname, port } = options;
        if (!leadsToService(new URL(`${protocol}//${hostname}:${port}`), apiUrl)) {
          callback(new Error("the connection would lead to a foreign host"), null);
          return;
        }
        connect(options, (...[error, socket]: Connected) => {
          if (error) callback(error, null);
          else callback(null, this.#follow(socket));
        });
      },
    });
  }

  /** Closes it at once. */
  destroy(): void {
    this.#forget();
    this.#socket?.destroy();
    this.#socket = null;
    this.dispatcher.destroy().catch(() => undefined);
  }

  #follow(socket: LineSocket): LineSocket {
    this.#socket = socket;
    // The handshake is read differently; the frame reader listens for data, starting with the first frame.
    const onListener = (event: string | symbol): void => {
      if (event !== "data") return;
      socket.off("newListener", onListener);
      const frames = new FrameFollower();
      socket.on("data", (chunk: Buffer) => {
        frames.push(chunk);
        this.#updateStall(frames.isUnfinished);
      });
    };
    socket.on("newListener", onListener);
    socket.once("close", () => this.#forget());
    return socket;
  }

  #updateStall(unfinished: boolean): void {
    if (!unfinished) {
      this.#forget();
      return;
    }
    const cut = (): void => void this.#socket?.destroy();
    this.#cancelStall();
    this.#cancelStall = this.#clock.after(STALLED_MS, cut);
    this.#cancelMessage ??= this.#clock.after(ANSWER_MS_MAX, cut);
  }

  #forget(): void {
    this.#cancelStall();
    this.#cancelMessage?.();
    this.#cancelMessage = null;
  }
}
