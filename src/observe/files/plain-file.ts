/** Opens files in folders where other programs may write: follows no link and opens nothing but files. */
import { closeSync, constants, fstatSync, openSync, writeFileSync } from "node:fs";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const PRIVATE_MODE = 0o600;

/** Throws if the name exists. */
export function createPlainFile(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_MODE);
}

export function writePlainFile(path: string, text: string): void {
  const fd = createPlainFile(path);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Throws for anything but a file; reading a pipe might never end. */
export function openPlainFile(path: string): number {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${path} is no file`);
}
