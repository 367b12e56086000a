/** Asks the kernel about a pseudo-terminal (`ioctl_tty(2)`): how many bytes wait in either direction (FIONREAD), and its size (TIOCGWINSZ). */
import { createRequire } from "node:module";
import type { TerminalSize } from "../process/terminal.js";

interface Requests {
  readonly readable: number;
  readonly size: number;
}

const REQUESTS: Readonly<Partial<Record<NodeJS.Platform, Requests>>> = {
  linux: { readable: 0x541b, size: 0x5413 },
  darwin: { readable: 0x4004667f, size: 0x40087468 },
};

/** `ioctl` takes its last argument as `printf` does. */
type Ioctl = (fd: number, request: number, type: "void *", value: Buffer) => number;

/** Fills the buffer; false if the system does not report it. */
type Ask = (fd: number, request: keyof Requests, value: Buffer) => boolean;

let asker: Ask | undefined;

/** Counts the bytes that can be read at a descriptor now; null if the system does not report it. */
export function countReadable(fd: number): number | null {
  const value = Buffer.alloc(4);
  return ask(fd, "readable", value) ? value.readInt32LE(0) : null;
}

/** Reads the size that the programs in a terminal see, whichever program has set it; null if the system does not report it. */
export function readSize(fd: number): TerminalSize | null {
  // Rows, columns, and the same in pixels.
  const value = Buffer.alloc(8);
  return ask(fd, "size", value) ? { rows: value.readUInt16LE(0), cols: value.readUInt16LE(2) } : null;
}

const ask: Ask = (fd, request, value) => (asker ??= loadAsker())(fd, request, value);

/** Its answer is false where the addon or the call is not available. */
function loadAsker(): Ask {
  const requests = REQUESTS[process.platform];
  try {
    if (requests === undefined) return () => false;
    const require = createRequire(import.meta.filename);
    const koffi = require("koffi") as { load(path: null): { func(signature: string): Ioctl } };
    const ioctl = koffi.load(null).func("int ioctl(int fd, unsigned long request, ...)");
    return (fd, request, value) => ioctl(fd, requests[request], "void *", value) === 0;
  } catch {
    return () => false;
  }
}
