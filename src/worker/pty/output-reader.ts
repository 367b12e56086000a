/** Reads a tool's output from its terminal's master: every byte, in order, and a flood with as few calls and wake-ups as the kernel allows. */
import type { OnReadOpts, SocketConstructorOpts } from "node:net";
import { ReadStream } from "node:tty";
import { openWaitReady, type WaitReady } from "../process/descriptors/descriptor-calls.js";
import { readAvailable } from "../process/descriptors/read-available.js";

/** Chunks are cut from slabs of this size, so that a flood costs one allocation for every sixteen kernel reads. */
const SLAB_BYTES = 64 * 1024;
/** Size of one read: the kernel's own buffer. The kernel returns more only while the tool is still writing. */
const KERNEL_READ_BYTES = 4096;
/** Longest chunk for listeners to whom nothing was shown before: they cannot pause in its middle. */
const UNSHOWN_BYTES_MAX = 16 * 1024;
/** A read of at least this much means a flood: more is likely. Below it (echo, prompts) a second read is wasted. */
const FLOOD_READ_BYTES = 2048;
/** Less than this in a row is a redraw; its program waits for the next key, and a wait for more output is wasted. */
const BURST_BYTES_MIN = 16 * 1024;
/** In a flood all else waits for the output this long at most; keys end it at once. */
const BURST_MS_MAX = 1;
/** Later output belongs to another burst. It is the shortest wait of `poll`. */
const BURST_GAP_MS = 1;
/**
 * The kernel holds some ten KiB for a tool that ended. A process that the tool left behind may write forever, so its output is cut
 * off after this much.
 */
const TAIL_BYTES_MAX = 1024 * 1024;

export type OutputListener = (bytes: Uint8Array) => void;

export class OutputReader {
  readonly #fd: number;
  readonly #openWait: typeof openWaitReady;
  readonly #socket: ReadStream;
  readonly #listeners = new Set<OutputListener>();
  readonly #unheard: Uint8Array[] = [];
  #show: OutputListener | null = null;
  #interruptedBy: readonly number[] = [];
  #wait: WaitReady | null | undefined;
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #used = 0;
  #isPaused = false;
  /** Whether the tool has ended: then the socket is never resumed. */
  #hasEnded = false;
  /** Length of the output without a gap, and the time of its last byte. */
  #burstBytes = 0;
  #readAt = 0;

  /**
   * Owns `fd`, which does not block, and closes it in the end; then it calls `onClosed`. `openWait` is `openWaitReady`, or a test's
   * replacement.
   */
  constructor(fd: number, onClosed: () => void, openWait: typeof openWaitReady = openWaitReady) {
    this.#fd = fd;
    this.#openWait = openWait;
    this.#socket = this.#openSocket();
    // Without our descriptor of the tool's side, its end shows as EIO. Either way our descriptor is closed then.
    this.#socket.on("error", () => undefined);
    this.#socket.once("close", onClosed);
  }

  get isDestroyed(): boolean {
    return this.#socket.destroyed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether output that comes reaches anybody, unless reading is paused. */
  get isRead(): boolean {
    return this.#listeners.size > 0 && !this.#socket.destroyed;
  }

  onData(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    for (const chunk of this.#unheard.splice(0)) this.#deliver(chunk);
    this.#resumeIfHeard();
    return () => void this.#listeners.delete(listener);
  }

  showFirst(show: OutputListener, interruptedBy: readonly number[]): void {
    this.#show = show;
    this.#interruptedBy = interruptedBy;
  }

  readNow(): boolean {
    if (this.#hasEnded || this.#socket.destroyed) return false;
    // Not through the slab: see `drain`.
    const news = Buffer.allocUnsafeSlow(KERNEL_READ_BYTES);
    const bytes = readAvailable(this.#fd, news);
    if (bytes !== null) this.#deliver(news.subarray(0, bytes));
    return bytes !== null;
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#resumeIfHeard();
  }

  /** Delivers all that is in the kernel, but not through the slab: the socket was promised the free part of it. */
  drain(): void {
    for (let total = 0; total < TAIL_BYTES_MAX;) {
      const rest = Buffer.allocUnsafeSlow(KERNEL_READ_BYTES);
      const bytes = readAvailable(this.#fd, rest);
      if (bytes === null) return;
      total += bytes;
      this.#deliver(rest.subarray(0, bytes));
    }
  }

  /** Call when the tool was reaped: delivers what the kernel still has, paused or not. */
  end(): void {
    this.#hasEnded = true;
    this.#socket.pause();
    this.drain();
  }

  whenClosed(done: () => void): void {
    if (this.#socket.closed) done();
    else this.#socket.once("close", done);
  }

  close(): void {
    this.#hasEnded = true;
    this.#socket.destroy();
  }

  #resumeIfHeard(): void {
    if (!this.#isPaused && !this.#hasEnded && this.#listeners.size > 0) this.#socket.resume();
  }

  #openSocket(): ReadStream {
    // `onread` is an option of every socket; it spares the copy and the events of a stream.
    const onread = {
      buffer: () => this.#getFreeSlab(),
      callback: (bytes: number) => {
        this.#takeRead(bytes);
        // A pause in the turn in which reading began comes too late for the socket; this one is in time.
        return !this.#isPaused;
      },
    };
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread };
    return new ReadStream(this.#fd, options);
  }

  #getFreeSlab(): Buffer {
    if (this.#slab.length - this.#used < KERNEL_READ_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    return this.#slab.subarray(this.#used, this.#used + KERNEL_READ_BYTES);
  }

  /**
   * Takes the bytes that the system has just read into the free slab, and in a flood all further output within a moment: each
   * piece is shown at once, and all of them are one chunk for the listeners.
   */
  #takeRead(bytes: number): void {
    const from = this.#used;
    const limit = this.#show ? this.#slab.length : Math.min(this.#slab.length, from + UNSHOWN_BYTES_MAX);
    const now = performance.now();
    if (now - this.#readAt > BURST_GAP_MS) this.#burstBytes = 0;
    let more = bytes;
    do {
      const piece = this.#slab.subarray(this.#used, this.#used + more);
      this.#used += more;
      this.#burstBytes += more;
      this.#showNow(piece);
      const isFlood = more >= FLOOD_READ_BYTES || this.#burstBytes >= BURST_BYTES_MIN;
      more = isFlood && limit - this.#used >= KERNEL_READ_BYTES ? this.#readMore(now + BURST_MS_MAX) : 0;
    } while (more > 0);
    this.#readAt = performance.now();
    this.#tell(this.#slab.subarray(from, this.#used));
  }

  /** Reads a piece behind the used part of the slab, and waits for it in a flood; returns its length, or 0. */
  #readMore(until: number): number {
    // The receiver of the last piece may have paused or closed us.
    if (this.#isPaused || this.#socket.destroyed || performance.now() >= until) return 0;
    const room = this.#slab.subarray(this.#used, this.#used + KERNEL_READ_BYTES);
    const bytes = readAvailable(this.#fd, room);
    if (bytes !== null) return bytes;
    if (!this.#show || this.#burstBytes < BURST_BYTES_MIN) return 0;
    if (this.#wait === undefined) this.#wait = this.#openWait(this.#fd, "read", this.#interruptedBy);
    return (this.#wait?.(BURST_GAP_MS) && readAvailable(this.#fd, room)) || 0;
  }

  #deliver(chunk: Uint8Array): void {
    this.#showNow(chunk);
    this.#tell(chunk);
  }

  #showNow(piece: Uint8Array): void {
    if (this.#listeners.size > 0) this.#show?.(piece);
  }

  #tell(chunk: Uint8Array): void {
    if (this.#listeners.size === 0) this.#unheard.push(chunk);
    for (const listener of this.#listeners) listener(chunk);
  }
}
