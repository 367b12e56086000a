/**
 * Reads the available bytes of a non-blocking descriptor. Node's own call throws if there are none, and making that error takes
 * as long as reading 100 KB: in a flood every other read finds none (ADR 48).
 */
import { readSync } from "node:fs";
import { openCLibrary } from "../../../observe/system-calls.js";

/** Returns how many bytes were read; null when there are none, or never will be. */
export type ReadAvailable = (fd: number, into: Uint8Array) => number | null;

let read: ReadAvailable | undefined;

/** Loaded on first use. Where the system call cannot be made, Node's own is. */
export const readAvailable: ReadAvailable = (fd, into) => (read ??= bindRead())(fd, into);

function bindRead(): ReadAvailable {
  const call = openCLibrary()?.func("long read(int fd, void *into, unsigned long bytes)");
  if (call === undefined) return readOrCatch;
  return (fd, into) => {
    const bytes = call(fd, into, into.length);
    return bytes > 0 ? bytes : null;
  };
}

function readOrCatch(fd: number, into: Uint8Array): number | null {
  try {
    return readSync(fd, into) || null;
  } catch {
    return null;
  }
}
