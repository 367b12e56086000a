/** Follows a service's WebSocket frames without decoding them, to know whether a message is incomplete. Pure. */

const FINAL = 0x80;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** From here on opcodes are control frames, which may appear between the parts of a message. */
const FIRST_CONTROL = 0x8;
const SHORT_LENGTH = 126;
const LONG_LENGTH = 127;
const MASK_BYTES = 4;

export class FrameFollower {
  #head: Buffer = Buffer.alloc(0);
  #payloadLeft = 0;
  /** Inside a message of several frames. */
  #fragmented = false;

  /** The bytes as they arrive, starting after the handshake. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#payloadLeft > 0) {
        const skipped = Math.min(this.#payloadLeft, rest.length);
        this.#payloadLeft -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const head = Buffer.concat([this.#head, rest]);
      const size = computeHeadSize(head);
      if (head.length < size) {
        this.#head = head;
        return;
      }
      rest = rest.subarray(size - this.#head.length);
      this.#head = Buffer.alloc(0);
      this.#begin(head);
    }
  }

  /** Whether the current message is incomplete. */
  get isUnfinished(): boolean {
    return this.#payloadLeft > 0 || this.#fragmented || this.#head.length > 0;
  }

  #begin(head: Buffer): void {
    const [first = 0] = head;
    if ((first & OPCODE) < FIRST_CONTROL) this.#fragmented = (first & FINAL) === 0;
    this.#payloadLeft = computePayloadSize(head);
  }
}

/** The known size of the frame's head: two bytes, or more once these are there. */
function computeHeadSize(head: Buffer): number {
  const [, second] = head;
  if (second === undefined) return 2;
  const length = second & LENGTH;
  const extended = length === LONG_LENGTH ? 8 : length === SHORT_LENGTH ? 2 : 0;
  return 2 + extended + ((second & MASKED) === 0 ? 0 : MASK_BYTES);
}

function computePayloadSize(head: Buffer): number {
  const length = (head[1] ?? 0) & LENGTH;
  if (length === SHORT_LENGTH) return head.readUInt16BE(2);
  return length === LONG_LENGTH ? Number(head.readBigUInt64BE(2)) : length;
}
