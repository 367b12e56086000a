/** Wraps the agent's pipes for the SDK, and keeps from it what it would print on the user's terminal. */
import type { Readable, Writable } from "node:stream";
import { ndJsonStream, type AnyMessage, type Stream } from "@agentclientprotocol/sdk";
import { isDeeperThan, LEVELS_MAX } from "../../../model/data/nesting.js";
import { LINE_BYTES_MAX } from "../../process/line-reader.js";

/** The one notification that the SDK acts on. */
const CANCEL_REQUEST = "$/cancel_request";

export interface GuardedStream {
  readonly input: Writable;
  readonly output: Readable;
  /** Called with every message of the agent. */
  readonly onMessage: () => void;
  /** In order, and before any request or answer that came later. */
  readonly onNotification: (method: string, params: unknown) => void;
}

export function guardedStream({ input, output, onMessage, onNotification }: GuardedStream): Stream {
  const { readable, writable } = ndJsonStream(toWritableStream(input), toReadableStream(output), {
    maxMessageBytes: LINE_BYTES_MAX,
  });
  const waiting = new Set<unknown>();
  const open = new OpenRequests();
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && "id" in message) waiting.add(message.id);
      else if ("id" in message) open.answered(message.id);
      controller.enqueue(message);
    },
  });
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(given, controller) {
      onMessage();
      const message = isDeeperThan(given, LEVELS_MAX) ? withoutDepths(given) : given;
      // The SDK prints a notification that is newer than its schemas, and an answer to what nobody asked.
      if ("method" in message && !("id" in message) && message.method !== CANCEL_REQUEST)
        onNotification(message.method, message.params);
      else if ("method" in message && "id" in message) {
        const isRepeated = open.asked(message.id);
        // With two requests of one id, the agent would take any answer for the last one, so people answer neither.
        if (isRepeated) controller.enqueue(cancelRequest(message.id));
        controller.enqueue(isRepeated ? { ...message, params: null } : message);
      } else if ("method" in message || waiting.delete(message.id)) controller.enqueue(message);
    },
  });
  // What ends a pipe ends the connection, which says so by itself.
  outgoing.readable.pipeTo(writable).catch(() => undefined);
  readable.pipeTo(incoming.writable).catch(() => undefined);
  return { readable: incoming.readable, writable: outgoing.writable };
}

/** The agent's requests that wait for an answer, by their ids. */
class OpenRequests {
  readonly #counts = new Map<string, number>();

  /** Whether one of this id waits already. */
  asked(id: unknown): boolean {
    const count = this.#counts.get(String(id)) ?? 0;
    this.#counts.set(String(id), count + 1);
    return count > 0;
  }

  answered(id: unknown): void {
    const count = this.#counts.get(String(id)) ?? 0;
    if (count > 1) this.#counts.set(String(id), count - 1);
    else this.#counts.delete(String(id));
  }
}

function cancelRequest(requestId: string | number | null): AnyMessage {
  return { jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId } };
}

/** Replaces a message that is nested too deep: a request without its parameters is refused, an answer becomes an error. */
function withoutDepths(message: AnyMessage): AnyMessage {
  if ("method" in message) return { ...message, params: null };
  return {
    jsonrpc: "2.0",
    id: message.id,
    error: { code: -32603, message: "its answer is nested too deep" },
  };
}

function toWritableStream(input: Writable): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (bytes) =>
      new Promise((resolve, reject) => input.write(bytes, (error) => (error ? reject(error) : resolve()))),
  });
}

/** Reads nothing ahead, so that pausing the pipe makes the agent wait. */
function toReadableStream(output: Readable): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream({
    start(controller) {
      const end = (): void => {
        if (open) controller.close();
        open = false;
      };
      output.on("data", (bytes: Uint8Array) => open && controller.enqueue(bytes));
      output.once("end", end).once("close", end).once("error", end);
    },
    cancel: () => {
      open = false;
      output.destroy();
    },
  });
}
