/** Asks the kernel about a pseudo-terminal (`ioctl_tty(2)`): how many bytes wait in either direction (FIONREAD), and its size (TIOCGWINSZ). */
import { createRequire } from "node:module";
import type { TerminalSize } from "../process/terminal.js";

const READABLE: Partial<Record<NodeJS.Platform, number>> = { linux: 0x541b, darwin: 0x4004667f };
const SIZE: Partial<Record<NodeJS.Platform, number>> = { linux: 0x5413, darwin: 0x40087468 };

/** `ioctl` takes its last argument as `printf` does. */
type Ioctl = (fd: number, request: number, type: "void *", value: Buffer) => number;

let ioctl: Ioctl | null | undefined;

/** Counts the bytes that can be read at a descriptor now; null if the system does not report it. */
export function countReadable(fd: number): number | null {
  const value = Buffer.alloc(4);
  return ask(fd, READABLE, value) ? value.readInt32LE(0) : null;
}

/** Reads the size that the programs in a terminal see, whichever program has set it; null if the system does not report it. */
export function readSize(fd: number): TerminalSize | null {
  // Rows, columns, and the same in pixels.
  const value = Buffer.alloc(8);
  return ask(fd, SIZE, value) ? { rows: value.readUInt16LE(0), cols: value.readUInt16LE(2) } : null;
}

/** Fills the buffer; false if the system does not report it. */
function ask(fd: number, requests: typeof SIZE, value: Buffer): boolean {
  const request = requests[process.platform];
  if (ioctl === undefined) ioctl = loadIoctl();
  return request !== undefined && ioctl?.(fd, request, "void *", value) === 0;
}

function loadIoctl(): Ioctl | null {
  try {
    const require = createRequire(import.meta.filename);
    const koffi = require("koffi") as { load(path: null): { func(signature: string): Ioctl } };
    return koffi.load(null).func("int ioctl(int fd, unsigned long request, ...)");
  } catch {
    return null;
  }
}
