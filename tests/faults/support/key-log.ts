/** When the armed product wrote which key into a terminal: to tell a key that came too late from one that crossed with the tool's output. */
import fs, { appendFileSync, existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const KEY_LOG = "keys";
export const KEYS: readonly string[] = ["\r", "\x1b[A", "\x1b[B"];

interface Written {
  readonly key: string;
  readonly us: number;
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** In the process that writes: before anything of the product is loaded. */
export function logKeys(folder: string): void {
  const { writeSync } = fs;
  fs.writeSync = (fd: number, bytes: unknown, ...rest: []) => {
    const key = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : "";
    const us = nowUs();
    // Before the write: a process that is killed right after it has put it down all the same.
    if (KEYS.includes(key)) appendFileSync(join(folder, KEY_LOG), JSON.stringify({ key, us }) + "\n");
    return writeSync(fd, bytes as Uint8Array, ...rest);
  };
  syncBuiltinESMExports();
}

/** When the key was written that the agent read at `us`; null when nobody wrote it. */
export function writtenAt(folder: string, key: string, us: number): number | null {
  return readLog(folder).findLast((each) => each.key === key && each.us <= us)?.us ?? null;
}

export function countWritten(folder: string, key: string): number {
  return readLog(folder).filter((each) => each.key === key).length;
}

function readLog(folder: string): Written[] {
  const file = join(folder, KEY_LOG);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Written);
}
