/**
 * System calls on descriptors that do not block, made in place: a stream costs several times as much for a piece of output, and more
 * while it is cold (ADR 51). Each is null where the system call cannot be made; then a stream does it.
 */
import { openCLibrary } from "../../../observe/system-calls.js";

/** `struct pollfd`: the descriptor, the requested events, the events that happened. */
const ENTRY_BYTES = 8;
const EVENTS_AT = 4;
const RETURNED_AT = 6;
const EVENTS = { read: 1, write: 4 } as const;

/** Waits for so many whole ms. Returns whether the descriptor is ready, and input that would end the wait is not. */
export type WaitReady = (ms: number) => boolean;

/** Prepares a wait until `fd` can be read or written. Input at one of `others`, or its end, ends the wait. */
export function openWaitReady(
  fd: number,
  what: keyof typeof EVENTS,
  others: readonly number[],
): WaitReady | null {
  const call = openCLibrary()?.func("int poll(void *entries, unsigned long count, int ms)");
  if (!call) return null;
  const all = [fd, ...others];
  const entries = Buffer.alloc(all.length * ENTRY_BYTES);
  for (const [index, each] of all.entries()) {
    entries.writeInt32LE(each, index * ENTRY_BYTES);
    entries.writeInt16LE(index === 0 ? EVENTS[what] : EVENTS.read, index * ENTRY_BYTES + EVENTS_AT);
  }
  return (ms) => call(entries, all.length, ms) === 1 && entries[RETURNED_AT] === EVENTS[what];
}

/** Returns how many of the bytes were taken: fewer, or none, where the reader is slow or gone. */
export type WriteAvailable = (bytes: Uint8Array) => number;

/** A reader that is only busy takes the rest within this time; input at one of `others` ends the wait. */
const BUSY_READER_MS = 1;

/** Prepares writes to `fd` of what its reader takes now or within a moment. */
export function openWriteAvailable(fd: number, others: readonly number[]): WriteAvailable | null {
  const write = openCLibrary()?.func("long write(int fd, void *from, unsigned long bytes)");
  const wait = openWaitReady(fd, "write", others);
  if (!write || !wait) return null;
  return (bytes) => {
    let written = Math.max(0, write(fd, bytes, bytes.length));
    while (written < bytes.length && wait(BUSY_READER_MS)) {
      const more = write(fd, bytes.subarray(written), bytes.length - written);
      if (more <= 0) break;
      written += more;
    }
    return written;
  };
}
