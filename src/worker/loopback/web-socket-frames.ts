/**
 * Encodes and reads frames of a WebSocket (RFC 6455) as a client, without extensions. Pure. Anything that a server may not send is
 * an error. So is a message that is too long, even before its bytes arrive, because its length comes first.
 */

/** After this error nothing more may be read from the connection. */
export class BadFrame extends Error {}

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The protocol limits control frames to this length. */
const CONTROL_BYTES_MAX = 125;
/** Lengths from the first number on take two bytes, from the second on eight. */
const TWO_BYTES_FROM = 126;
const EIGHT_BYTES_FROM = 65_536;
const MASK_BYTES = 4;
/** What a fragment costs us besides its bytes, even an empty one. */
const FRAGMENT_BYTES = 128;

/** A complete message of a server: text joined from its fragments, or a control message. */
export type WebSocketMessage =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "ping"; readonly payload: Buffer }
  | { readonly kind: "pong" }
  | { readonly kind: "close" };

/** `mask`: four unpredictable bytes. */
export function encodeFrame(opcode: number, payload: Uint8Array, mask: Uint8Array): Buffer {
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at++) masked[at] = (masked[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0);
  return Buffer.concat([encodeHeader(0x80 | opcode, payload.length), mask, masked]);
}

function encodeHeader(first: number, length: number): Buffer {
  if (length < TWO_BYTES_FROM) return Buffer.from([first, 0x80 | length]);
  if (length < EIGHT_BYTES_FROM) return Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 0x80 | 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

interface FrameHeader {
  readonly opcode: number;
  readonly isFinal: boolean;
  /** Length of the header itself; `length` is that of the payload. */
  readonly bytes: number;
  readonly length: number;
}

export class FrameReader {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** Header of the next frame, which is not complete yet. */
  #header: FrameHeader | null = null;
  #fragments: Buffer[] | null = null;
  #fragmentBytes = 0;

  /** `bytesMax`: of one message, however many fragments it has. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the messages that are complete now. Throws `BadFrame`. */
  read(chunk: Buffer): WebSocketMessage[] {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const messages: WebSocketMessage[] = [];
    for (let frame = this.#takeFrame(); frame !== null; frame = this.#takeFrame()) {
      const message = this.#readMessage(frame.header, frame.payload);
      if (message) messages.push(message);
    }
    return messages;
  }

  /** Chunks are joined only once the whole frame is here, so that pieces of a long frame are not copied again with each new one. */
  #takeFrame(): { readonly header: FrameHeader; readonly payload: Buffer } | null {
    this.#header ??= this.#readHeader();
    const header = this.#header;
    if (!header || this.#buffered < header.bytes + header.length) return null;
    const all = this.#joinChunks();
    const end = header.bytes + header.length;
    this.#header = null;
    this.#keep(all.subarray(end));
    return { header, payload: all.subarray(header.bytes, end) };
  }

  #joinChunks(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const all = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first;
    this.#keep(all);
    return all;
  }

  #keep(rest: Buffer): void {
    this.#chunks = [rest];
    this.#buffered = rest.length;
  }

  #readHeader(): FrameHeader | null {
    if (this.#buffered < 2) return null;
    const bytes = this.#joinChunks();
    const [first = 0, second = 0] = bytes;
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0) throw createBadFrame("an invalid frame");
    const short = second & 0x7f;
    const size = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    if (bytes.length < size) return null;
    const length =
      short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    const header = { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, bytes: size, length };
    this.#checkHeader(header);
    return header;
  }

  #checkHeader({ opcode, isFinal, length }: FrameHeader): void {
    if (opcode >= OPCODES.close && (!isFinal || length > CONTROL_BYTES_MAX))
      throw createBadFrame("a fragmented or too long control frame");
    if (length + this.#fragmentBytes > this.#bytesMax)
      throw createBadFrame(`a message of more than ${this.#bytesMax} bytes`);
  }

  #readMessage({ opcode, isFinal }: FrameHeader, payload: Buffer): WebSocketMessage | null {
    switch (opcode) {
      case OPCODES.ping:
        return { kind: "ping", payload };
      case OPCODES.pong:
        return { kind: "pong" };
      case OPCODES.close:
        return { kind: "close" };
      case OPCODES.text:
        if (this.#fragments) throw createBadFrame("a message inside another one");
        return this.#addFragment([], payload, isFinal);
      case OPCODES.continuation:
        if (!this.#fragments) throw createBadFrame("a continuation without a message");
        return this.#addFragment(this.#fragments, payload, isFinal);
      default:
        throw createBadFrame(`a frame of kind ${opcode}`);
    }
  }

  #addFragment(fragments: Buffer[], payload: Buffer, isFinal: boolean): WebSocketMessage | null {
    fragments.push(payload);
    this.#fragments = isFinal ? null : fragments;
    this.#fragmentBytes = isFinal ? 0 : this.#fragmentBytes + payload.length + FRAGMENT_BYTES;
    return isFinal ? { kind: "text", text: Buffer.concat(fragments).toString("utf8") } : null;
  }
}

function createBadFrame(what: string): BadFrame {
  return new BadFrame(`the server sent ${what}`);
}
