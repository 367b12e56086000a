/** Files in folders that other programs of the user may write to: no link is followed, and nothing but a file is opened. */
import { closeSync, constants, fstatSync, openSync, writeFileSync } from "node:fs";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const PRIVATE_MODE = 0o600;

/** Creates the file for writing. Throws where anything has that name already. */
export function createPlainFile(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE_MODE);
}

/** As `createPlainFile`, with its content. */
export function writePlainFile(path: string, text: string): void {
  const fd = createPlainFile(path);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Opens the file for reading. Throws where it is none; a pipe that nobody writes to would make us wait without an end. */
export function openPlainFile(path: string): number {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${path} is no file`);
}
