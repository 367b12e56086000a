/** Asks the kernel how many bytes wait in a pseudo-terminal, in either direction (FIONREAD, `ioctl_tty(2)`). */
import { createRequire } from "node:module";

/** Counts the bytes that can be read at a descriptor now; null when the system does not tell. */
export type CountReadable = (fd: number) => number | null;

const FIONREAD: Readonly<Partial<Record<NodeJS.Platform, number>>> = { linux: 0x541b, darwin: 0x4004667f };

/** `ioctl` takes its last argument as `printf` does. */
type Ioctl = (fd: number, request: number, type: "void *", value: Buffer) => number;

let counter: CountReadable | undefined;

/** Loaded on first use. Returns null where the addon or the call is not available. */
export function countReadable(fd: number): number | null {
  return (counter ??= loadCounter())(fd);
}

function loadCounter(): CountReadable {
  const request = FIONREAD[process.platform];
  const value = Buffer.alloc(4);
  try {
    if (request === undefined) return () => null;
    const require = createRequire(import.meta.filename);
    const koffi = require("koffi") as { load(path: null): { func(signature: string): Ioctl } };
    const ioctl = koffi.load(null).func("int ioctl(int fd, unsigned long request, ...)");
    return (fd) => (ioctl(fd, request, "void *", value) === 0 ? value.readInt32LE(0) : null);
  } catch {
    return () => null;
  }
}
