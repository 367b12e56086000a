/**
 * Output is shown piece by piece before its listeners get it: the same bytes, in the same order. A flood holds everything else up for a
 * moment only, and for less when a key is pressed or when it is paused.
 */
import { makeFileFolder } from "../../../support/temporary-folder.js";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  openWaitReady,
  type WaitReady,
} from "../../../../src/worker/process/descriptors/descriptor-calls.js";
import { OutputReader } from "../../../../src/worker/pty/output-reader.js";
import { loadPty } from "../../../../src/worker/pty/pty-native.js";
import type { Terminal } from "../../../../src/worker/process/terminal.js";
import { environment, pattern, start } from "../../support/tools.js";

const folder = makeFileFolder("output-reader");
const FLOOD = pattern(4 * 1024 * 1024);
writeFileSync(join(folder, "flood"), FLOOD);

function startFlood(end = ""): Terminal {
  return start(["sh", "-c", `stty raw -echo; cat "$1"${end}`, "sh", join(folder, "flood")]);
}

/** More than a redraw, and less than a slab. */
const ROW_BYTES = 20_000;

/** A reader of a tool that writes so much in a row, and then what it is given. `onWait`: whenever it waits for more of a flood. */
function readRow(onWait: (wait: WaitReady) => boolean): {
  reader: OutputReader;
  type: (text: string) => void;
} {
  // Time stands still: nothing comes too late for the burst.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const args = ["-c", `stty raw -echo; head -c ${ROW_BYTES} /dev/zero; exec cat`];
  const { native, helperPath } = loadPty();
  const env = Object.entries(environment()).map(([name, value]) => `${name}=${value}`);
  const tool = native.fork("/bin/sh", args, env, folder, 80, 24, -1, -1, true, helperPath, () => undefined);
  const reader = new OutputReader(
    tool.fd,
    () => undefined,
    (...of) => {
      const wait = openWaitReady(...of);
      return wait && (() => onWait(wait));
    },
  );
  return { reader, type: (text) => void writeSync(tool.fd, text) };
}

afterEach(() => vi.restoreAllMocks());

describe("a tool's output", () => {
  it("is shown, and then given to the listeners: every byte, once, in order", async () => {
    const terminal = startFlood();
    const shown: Uint8Array[] = [];
    const chunks: Uint8Array[] = [];
    let [shownBytes, givenBytes, early] = [0, 0, 0];
    terminal.showFirst((piece) => {
      shown.push(piece);
      shownBytes += piece.length;
    });
    terminal.onData((chunk) => {
      chunks.push(chunk);
      givenBytes += chunk.length;
      if (givenBytes !== shownBytes) early += 1;
    });
    await terminal.exited;
    expect(Buffer.concat(shown).equals(FLOOD)).toBe(true);
    expect(Buffer.concat(chunks).equals(FLOOD)).toBe(true);
    expect(early).toBe(0);
  });

  it("is not read any further in a piece that pauses it, and all of it comes afterwards", async () => {
    const terminal = startFlood();
    let [pieces, bytes, tooMany] = [0, 0, 0];
    terminal.showFirst((piece) => {
      pieces += 1;
      bytes += piece.length;
      terminal.pause();
      setImmediate(() => terminal.resume());
    });
    terminal.onData(() => {
      if (pieces > 1) tooMany += 1;
      pieces = 0;
    });
    await terminal.exited;
    // The tool's end overrides the pause: what the kernel still holds then comes in a row.
    expect(tooMany).toBe(0);
    expect(bytes).toBe(FLOOD.length);
  });

  it("may close its terminal in the middle of a flood, and nothing is shown after that", async () => {
    const terminal = startFlood("; sleep 60");
    let late = 0;
    terminal.showFirst(() => {
      if (!terminal.alive) late += 1;
      terminal.close();
    });
    terminal.onData(() => undefined);
    await terminal.exited;
    expect(late).toBe(0);
  });

  it("is waited for once much came in a row, and what comes then is part of the same chunk", async () => {
    let hasWaited = false;
    const { reader, type } = readRow((wait) => {
      if (hasWaited) return wait(0);
      hasWaited = true;
      type("go on");
      return wait(60_000);
    });
    let pieces = 0;
    reader.showFirst(() => (pieces += 1), []);
    const longChunk = new Promise<number>((resolve) =>
      reader.onData(() => {
        if (hasWaited) resolve(pieces);
        pieces = 0;
      }),
    );
    expect(await longChunk).toBeGreaterThan(1);
    reader.close();
  });

  it("is not waited for while a key waits", async () => {
    const path = join(folder, "keys");
    spawnSync("mkfifo", [path]);
    const keys = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    writeSync(keys, "k");
    const waited = new Promise<boolean>((resolve) => {
      const { reader } = readRow((wait) => {
        const isReady = wait(60_000);
        resolve(isReady);
        setImmediate(() => reader.close());
        return isReady;
      });
      reader.showFirst(() => undefined, [keys]);
      reader.onData(() => undefined);
    });
    expect(await waited).toBe(false);
    closeSync(keys);
  });

  it("comes in chunks of 16 KiB at most where nobody is shown it before", async () => {
    const terminal = startFlood();
    let longest = 0;
    terminal.onData((chunk) => (longest = Math.max(longest, chunk.length)));
    await terminal.exited;
    expect(longest).toBeLessThanOrEqual(16 * 1024);
  });
});
