/** Writes bytes to a non-blocking descriptor in order, and counts how many went in. */
import { writeSync } from "node:fs";
import type { Cancel, Clock } from "../../model/clock.js";
import type { WriteOptions } from "./terminal.js";

/**
 * The most bytes that may wait. A write that does not fit beside others is refused entirely. Equals 16 reads of 64 KiB from a
 * host's stdin.
 */
export const WRITE_QUEUE_BYTES_MAX = 1024 * 1024;
/** Writers are asked to stop above this, and to continue below a quarter of it: one read of a pipe may still follow. */
export const WRITE_PRESSURE_BYTES = 64 * 1024;
/** First wait for a reader that is only busy. It is short, because a paste into a terminal needs many rounds. */
const WRITE_RETRY_MIN_MS = 1;
/** Longest wait between two tries: 30 tries a second cost nothing, and a person does not notice the delay. */
export const WRITE_RETRY_MAX_MS = 32;

export type WriteCall = (fd: number, bytes: Uint8Array, offset: number, length: number) => number;

interface QueuedWrite {
  readonly bytes: Uint8Array;
  sent: number;
  readonly settle: (sent: number) => void;
}

const TRY_LATER = new Set(["EAGAIN", "EWOULDBLOCK", "EINTR"]);

export class FdWriter {
  readonly #fd: number;
  readonly #clock: Clock;
  readonly #call: WriteCall;
  readonly #queue: QueuedWrite[] = [];
  readonly #pressureListeners = new Set<(full: boolean) => void>();
  #drainWaiters: (() => void)[] = [];
  #pending = 0;
  #full = false;
  #open = true;
  /** When the reader last took something, or there was nothing to take. */
  #takenAt = 0;
  #retry: Cancel | null = null;
  #retryMs = WRITE_RETRY_MIN_MS;

  constructor(fd: number, clock: Clock, call: WriteCall = writeSync) {
    this.#fd = fd;
    this.#clock = clock;
    this.#call = call;
  }

  get pendingBytes(): number {
    return this.#pending;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** For how long nothing went in although something waits, in ms. */
  get waitsMs(): number {
    return this.#pending === 0 ? 0 : this.#clock.monotonic() - this.#takenAt;
  }

  write(bytes: Uint8Array, { signal }: WriteOptions = {}): Promise<number> {
    const fits = this.#pending === 0 || this.#pending + bytes.length <= WRITE_QUEUE_BYTES_MAX;
    if (!this.#open || !fits || bytes.length === 0 || signal?.aborted) return Promise.resolve(0);
    return new Promise((resolve) => {
      const takeBack = () => this.#takeBack(entry);
      const settle = (sent: number) => {
        signal?.removeEventListener("abort", takeBack);
        resolve(sent);
      };
      const entry: QueuedWrite = { bytes, sent: 0, settle };
      signal?.addEventListener("abort", takeBack);
      this.#queue.push(entry);
      if (this.#pending === 0) this.#takenAt = this.#clock.monotonic();
      this.#pending += bytes.length;
      if (!this.#retry) this.#send();
      this.#report();
    });
  }

  awaitDrained(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }

  onPressure(listener: (full: boolean) => void): () => void {
    this.#pressureListeners.add(listener);
    return () => void this.#pressureListeners.delete(listener);
  }

  /** Stops writing. Every pending write resolves with the number of bytes that went in. */
  close(): void {
    this.#open = false;
    this.#retry?.();
    this.#retry = null;
    for (const entry of this.#queue.splice(0)) entry.settle(entry.sent);
    this.#pending = 0;
    this.#report();
  }

  #send(): void {
    for (let entry = this.#queue[0]; entry; entry = this.#queue[0]) {
      const sent = this.#writeOnce(entry);
      if (sent === "closed") {
        this.close();
        return;
      }
      if (sent === "later") {
        this.#waitForReader();
        return;
      }
      this.#retryMs = WRITE_RETRY_MIN_MS;
      this.#takenAt = this.#clock.monotonic();
      entry.sent += sent;
      this.#pending -= sent;
      if (entry.sent === entry.bytes.length) this.#queue.shift()?.settle(entry.sent);
    }
  }

  #writeOnce(entry: QueuedWrite): number | "later" | "closed" {
    try {
      const sent = this.#call(this.#fd, entry.bytes, entry.sent, entry.bytes.length - entry.sent);
      return sent > 0 ? sent : "later";
    } catch (error) {
      return TRY_LATER.has((error as NodeJS.ErrnoException).code ?? "") ? "later" : "closed";
    }
  }

  #waitForReader(): void {
    this.#retry = this.#clock.after(this.#retryMs, () => {
      this.#retry = null;
      this.#send();
      this.#report();
    });
    this.#retryMs = Math.min(this.#retryMs * 2, WRITE_RETRY_MAX_MS);
  }

  #takeBack(entry: QueuedWrite): void {
    const at = this.#queue.indexOf(entry);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    this.#pending -= entry.bytes.length - entry.sent;
    entry.settle(entry.sent);
    this.#report();
  }

  #report(): void {
    if (this.#pending === 0) for (const resolve of this.#drainWaiters.splice(0)) resolve();
    const full = this.#full ? this.#pending > WRITE_PRESSURE_BYTES / 4 : this.#pending > WRITE_PRESSURE_BYTES;
    if (full === this.#full) return;
    this.#full = full;
    for (const listener of this.#pressureListeners) listener(full);
  }
}
