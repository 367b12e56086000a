/** Whatever a descriptor has now is read; one that has nothing is no error. */
import { closeSync, constants, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readAvailable } from "../../../../../src/worker/process/descriptors/read-available.js";

const FLAGS = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY;

function readFrom(path: string, into: Uint8Array): number | null {
  const fd = openSync(path, FLAGS);
  try {
    return readAvailable(fd, into);
  } finally {
    closeSync(fd);
  }
}

describe("a read that does not wait", () => {
  it("fills the given piece of memory, and nothing beside it", () => {
    const memory = Buffer.alloc(12, 1);
    expect(readFrom("/dev/zero", memory.subarray(2, 10))).toBe(8);
    expect([...memory]).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  it("tells that there is nothing now, nothing any more, and nothing to read from", () => {
    const memory = Buffer.alloc(8);
    expect(readFrom("/dev/ptmx", memory)).toBeNull();
    expect(readFrom("/dev/null", memory)).toBeNull();
    expect(readAvailable(-1, memory)).toBeNull();
  });
});
