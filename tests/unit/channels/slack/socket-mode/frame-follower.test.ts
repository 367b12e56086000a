/** The follower of WebSocket frames knows at every byte whether a message is unfinished. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameFollower } from "../../../../../channels/slack/socket-mode/frame-follower.js";

interface Spec {
  readonly opcode: number;
  readonly final: boolean;
  readonly length: number;
}

function frame({ opcode, final, length }: Spec): Buffer {
  const first = (final ? 0x80 : 0) | opcode;
  const payload = Buffer.alloc(length, 0x81);
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** A message of one or more frames, with pings between them. */
const message = fc
  .tuple(fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([lengths, pings]) =>
    Buffer.concat(
      lengths.flatMap((length, at) => [
        frame({ opcode: at === 0 ? 1 : 0, final: at === lengths.length - 1, length }),
        ...(pings && at < lengths.length - 1 ? [frame({ opcode: 9, final: true, length: 5 })] : []),
      ]),
    ),
  );

describe("a follower of frames", () => {
  it("knows at every byte whether a message is unfinished, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 50 }),
        (messages, step) => {
          const ends = new Set([0]);
          let total = 0;
          for (const { length } of messages) ends.add((total += length));
          const bytes = Buffer.concat(messages);
          const follower = new FrameFollower();
          for (let at = 0; at < bytes.length;) {
            const next = Math.min(bytes.length, at + 1 + step);
            follower.push(bytes.subarray(at, next));
            at = next;
            expect(follower.isUnfinished).toBe(!ends.has(at));
          }
        },
      ),
    );
  });

  it("follows frames of all three sizes", () => {
    const follower = new FrameFollower();
    for (const length of [0, 125, 126, 65_535, 65_536]) {
      const bytes = frame({ opcode: 1, final: true, length });
      follower.push(bytes.subarray(0, bytes.length - 1));
      expect(follower.isUnfinished).toBe(true);
      follower.push(bytes.subarray(bytes.length - 1));
      expect(follower.isUnfinished).toBe(false);
    }
  });
});
