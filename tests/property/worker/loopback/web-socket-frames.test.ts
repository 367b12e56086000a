/**
 * Frames of a WebSocket give the same messages however they are split. Any bytes give messages or an error, and the size of a
 * message is bounded.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BadFrame,
  encodeFrame,
  FrameReader,
  OPCODES,
  type WebSocketMessage,
} from "../../../../src/worker/loopback/web-socket-frames.js";

const MAX = 100_000;

/** As a server sends it: without a mask. */
function served(opcode: number, payload: Uint8Array, isFinal = true): Buffer {
  const masked = encodeFrame(opcode, payload, Buffer.alloc(4));
  const head = masked.length - payload.length - 4;
  const header = Buffer.from(masked.subarray(0, head));
  header[0] = (isFinal ? 0x80 : 0) | opcode;
  header[1] = (header[1] ?? 0) & 0x7f;
  return Buffer.concat([header, payload]);
}

function listTexts(messages: readonly WebSocketMessage[]): string[] {
  return messages.flatMap((message) => (message.kind === "text" ? [message.text] : []));
}

/** Fed in pieces of these sizes, again and again. */
function fed(bytes: Buffer, sizes: readonly number[]): WebSocketMessage[] {
  const reader = new FrameReader(MAX);
  const messages: WebSocketMessage[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    messages.push(...reader.read(bytes.subarray(at, at + size)));
    at += size;
  }
  return messages;
}

const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 8 });

describe("frames of a WebSocket", () => {
  it("are the same messages however they are split and put into fragments", () => {
    const message = fc.record({
      text: fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ minLength: 120, maxLength: 70_000 })),
      parts: fc.integer({ min: 1, max: 5 }),
      pings: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), sizes, (messages, pieces) => {
        const frames = messages.flatMap(({ text, parts, pings }) => {
          const bytes = Buffer.from(text);
          const step = Math.ceil(bytes.length / parts) || 1;
          const cuts = Array.from({ length: parts }, (_, at) => bytes.subarray(at * step, (at + 1) * step));
          const beside = pings ? [served(OPCODES.ping, Buffer.from("?"))] : [];
          return cuts.flatMap((cut, at) => [
            served(at === 0 ? OPCODES.text : OPCODES.continuation, cut, at === parts - 1),
            ...beside,
          ]);
        });
        const told = fed(Buffer.concat(frames), pieces);
        expect(listTexts(told)).toEqual(messages.map(({ text }) => Buffer.from(text).toString()));
      }),
      { numRuns: 60 },
    );
  });

  it("are messages or an error, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), sizes, (bytes, pieces) => {
        try {
          fed(Buffer.from(bytes), pieces);
        } catch (error) {
          expect(error).toBeInstanceOf(BadFrame);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["a frame of 50 MB, before its bytes are here", [0x81, 127, 0, 0, 0, 0, 3, 0, 0, 0]],
    ["a length that no number holds", [0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255]],
    ["a masked frame", [0x81, 0x81, 0, 0, 0, 0, 65]],
    ["bits of an extension", [0xc1, 1, 65]],
    ["a ping in parts", [0x09, 1, 65]],
    ["the rest of nothing", [0x80, 1, 65]],
    ["a message inside of another one", [0x01, 1, 65, 0x81, 1, 65]],
    ["bytes that are no text", [0x82, 1, 65]],
  ])("end the connection: %s", (_, bytes) => {
    expect(() => new FrameReader(MAX).read(Buffer.from(bytes))).toThrow(BadFrame);
  });

  it("of one message are bounded together, empty ones too", () => {
    const reader = new FrameReader(1000);
    const endless = (): void => {
      reader.read(served(OPCODES.text, Buffer.from("a"), false));
      for (let count = 0; count < 2000; count++)
        reader.read(served(OPCODES.continuation, Buffer.alloc(0), false));
    };
    expect(endless).toThrow(BadFrame);
  });

  it("of ours are masked", () => {
    const frame = encodeFrame(OPCODES.text, Buffer.from("hello"), Buffer.from([1, 2, 3, 4]));
    expect(frame.subarray(0, 6)).toEqual(Buffer.from([0x81, 0x85, 1, 2, 3, 4]));
    expect(frame.subarray(6)).not.toEqual(Buffer.from("hello"));
  });
});
