/** System calls on descriptors that do not block: how much was written is known, and no wait outlasts input or a reader that is gone. */
import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  openWaitReady,
  openWriteAvailable,
} from "../../../../../src/worker/process/descriptors/descriptor-calls.js";
import { getNativeCalls } from "../../../../../src/observe/system-calls.js";

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** Both ends of a pipe, which do not block. */
function openPipe(): { reader: number; writer: number; closeReader: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "pipe-"));
  const path = join(folder, "fifo");
  spawnSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  rmSync(folder, { recursive: true });
  let isOpen = true;
  const closeReader = (): void => {
    if (isOpen) closeSync(reader);
    isOpen = false;
  };
  opened.push(closeReader, () => closeSync(writer));
  return { reader, writer, closeReader };
}

const hasCalls = getNativeCalls() !== null;
if (!hasCalls) console.log("system calls cannot be made here: not tested");

describe.runIf(hasCalls)("system calls on descriptors", () => {
  it("write what the reader takes, and say how much that was", () => {
    const { reader, writer } = openPipe();
    const write = openWriteAvailable(writer, [])!;
    const bytes = Buffer.alloc(1024 * 1024, "x");
    const written = write(bytes);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(bytes.length);
    expect(write(bytes)).toBe(0);
    expect(readSync(reader, Buffer.alloc(bytes.length))).toBe(written);
  });

  it("write nothing where the reader is gone, and do not wait for it", () => {
    const { writer, closeReader } = openPipe();
    closeReader();
    expect(openWriteAvailable(writer, [])!(Buffer.from("x"))).toBe(0);
  });

  it("wait until there is something to read", () => {
    const { reader, writer } = openPipe();
    const wait = openWaitReady(reader, "read", [])!;
    expect(wait(0)).toBe(false);
    writeSync(writer, "x");
    expect(wait(60_000)).toBe(true);
  });

  it("do not wait while there is input elsewhere, and do not go on beside it", () => {
    const [output, keys] = [openPipe(), openPipe()];
    const wait = openWaitReady(output.reader, "read", [keys.reader])!;
    writeSync(keys.writer, "k");
    expect(wait(60_000)).toBe(false);
    writeSync(output.writer, "x");
    expect(wait(60_000)).toBe(false);
    readSync(keys.reader, Buffer.alloc(1));
    expect(wait(60_000)).toBe(true);
  });
});
