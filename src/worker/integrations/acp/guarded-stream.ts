/** Connects the agent's pipes with the SDK, which must not print what the agent sends on the user's terminal. */
import type { Readable, Writable } from "node:stream";
import { ndJsonStream, type AnyMessage, type Stream } from "@agentclientprotocol/sdk";
import { isDeeperThan, JSON_LEVELS_MAX } from "../../../model/data/nesting.js";
import { JSON_VALUES_MAX, JsonCost } from "../../../model/data/json-cost.js";
import { LINE_BYTES_MAX } from "../../process/line-reader.js";

const CANCEL_REQUEST = "$/cancel_request";
const NEWLINE = 10;

export interface GuardedStreamOptions {
  readonly input: Writable;
  readonly output: Readable;
  readonly onMessage: () => void;
  /** Called in order, before any later request or answer. */
  readonly onNotification: (method: string, params: unknown) => void;
  /** Called when the agent has sent a second request with this id. */
  readonly onSameId: (id: string | number | null) => void;
}

export function createGuardedStream({
  input,
  output,
  onMessage,
  onNotification,
  onSameId,
}: GuardedStreamOptions): Stream {
  let isCut = false;
  const agentInput = toWritableStream(input, () => isCut);
  const agentOutput = toReadableStream(output, () => (isCut = true));
  const { readable, writable } = ndJsonStream(agentInput, agentOutput, { maxMessageBytes: LINE_BYTES_MAX });
  const waiting = new Set<unknown>();
  const open = new Map<string, number>();
  const count = (id: unknown, change: number): number => {
    const now = (open.get(String(id)) ?? 0) + change;
    if (now > 0) open.set(String(id), now);
    else open.delete(String(id));
    return now;
  };
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && "id" in message) waiting.add(message.id);
      else if ("id" in message) count(message.id, -1);
      controller.enqueue(message);
    },
  });
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(given, controller) {
      onMessage();
      const message = isDeeperThan(given, JSON_LEVELS_MAX) ? replaceTooDeep(given) : given;
      // The SDK prints notifications newer than its schemas, and answers to requests that were never sent.
      if ("method" in message && !("id" in message) && message.method !== CANCEL_REQUEST)
        onNotification(message.method, message.params);
      else if ("method" in message && "id" in message) {
        const isRepeated = count(message.id, 1) > 1;
        // The agent would take any answer for the later of two requests with one id, so neither is answered.
        if (isRepeated) {
          onSameId(message.id);
          controller.enqueue(createCancelRequest(message.id));
        }
        controller.enqueue(isRepeated ? { ...message, params: null } : message);
      } else if ("method" in message || waiting.delete(message.id)) controller.enqueue(message);
    },
  });
  outgoing.readable.pipeTo(writable).catch(() => undefined);
  readable.pipeTo(incoming.writable).catch(() => undefined);
  return { readable: incoming.readable, writable: outgoing.writable };
}

function createCancelRequest(requestId: string | number | null): AnyMessage {
  return { jsonrpc: "2.0", method: CANCEL_REQUEST, params: { requestId } };
}

/** A request without parameters is refused. */
function replaceTooDeep(message: AnyMessage): AnyMessage {
  if ("method" in message) return { ...message, params: null };
  return {
    jsonrpc: "2.0",
    id: message.id,
    error: { code: -32603, message: "its answer is nested too deep" },
  };
}

/** `isCut`: the agent ended inside a line, which the SDK would answer as invalid JSON. */
function toWritableStream(input: Writable, isCut: () => boolean): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (bytes) =>
      isCut()
        ? Promise.resolve()
        : new Promise((resolve, reject) =>
            input.write(bytes, (error) => (error ? reject(error) : resolve())),
          ),
  });
}

/** Reads nothing ahead, so that a paused pipe makes the agent wait. A line with too many values ends the connection. */
function toReadableStream(output: Readable, onCut: () => void): ReadableStream<Uint8Array> {
  const cost = new JsonCost();
  let open = true;
  let lastByte = NEWLINE;
  return new ReadableStream({
    start(controller) {
      const end = (): void => {
        if (open && lastByte !== NEWLINE) onCut();
        if (open) controller.close();
        open = false;
      };
      output.on("data", (bytes: Uint8Array) => {
        if (!open) return;
        lastByte = bytes.at(-1) ?? lastByte;
        if (!cost.exceeds(bytes)) {
          controller.enqueue(bytes);
          return;
        }
        open = false;
        controller.error(new Error(`a message of the agent has more than ${JSON_VALUES_MAX} values`));
        output.destroy();
      });
      output.once("end", end).once("close", end).once("error", end);
    },
    cancel: () => {
      open = false;
      output.destroy();
    },
  });
}
