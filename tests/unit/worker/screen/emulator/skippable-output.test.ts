/** A flood of output is shown soon after its end and counted whole, although parts of it are skipped. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { Screen } from "../../../../../src/worker/screen/screen.js";
import { waitFor } from "../../../../support/wait-for.js";

const SIZE = { cols: 40, rows: 5 };
/** As it is read from a tool that does not pause. */
const CHUNK_BYTES = 16 * 1024;

function log(first: number, bytes: number): { readonly chunk: Buffer; readonly lines: number } {
  const lines = Math.ceil(bytes / 16);
  const text = Array.from({ length: lines }, (_, n) => `line ${String(first + n).padStart(9)}\r\n`);
  return { chunk: Buffer.from(text.join("")), lines };
}

/** Returns how many lines that were. */
async function flood(screen: Screen, megabytes: number): Promise<number> {
  let count = 0;
  for (let bytes = 0; bytes < megabytes * 1024 * 1024; bytes += CHUNK_BYTES) {
    const { chunk, lines } = log(count, CHUNK_BYTES);
    screen.write(chunk);
    count += lines;
    await nextTurn();
  }
  return count;
}

describe("a flood of output", () => {
  it("is on the screen soon after its end, without being asked for", async () => {
    const screen = new Screen(SIZE);
    const lines = await flood(screen, 1);
    screen.write(Buffer.from("Continue? "));
    await waitFor(() => expect(screen.view().lines.at(-1)?.text).toBe("Continue?"));
    expect(screen.view().lines[0]?.text).toBe(`line ${String(lines - 4).padStart(9)}`);
    expect(screen.view().scrollback).toHaveLength(500);
    expect(screen.view().scrollback[0]).toBe(`line ${String(lines - 504).padStart(9)}`);
  });

  it("counts every byte and line feed, also of what nobody can see any more", async () => {
    const screen = new Screen(SIZE);
    const lines = await flood(screen, 1);
    await screen.flushed();
    expect(screen.lineFeeds).toBe(lines);
    expect([screen.parsedBytes, screen.backlogBytes]).toEqual([screen.writtenBytes, 0]);
  });

  it("shows through while it lasts, and never waits for more than it is gathered to", async () => {
    const screen = new Screen(SIZE);
    const frames = new Set<number>();
    let most = 0;
    while (frames.size < 3) {
      await flood(screen, 0.25);
      most = Math.max(most, screen.backlogBytes);
      frames.add(screen.view().frame);
    }
    expect(most).toBeLessThan(600 * 1024);
  });

  it("is parsed once for each picture that is due, although more comes while that is parsed", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 0.05));
    const screen = new Screen(SIZE);
    const line = `${"\u001b[31mred \u001b[m".repeat(22)}\r\n`;
    const chunk = Buffer.from(line.repeat(Math.floor((64 * 1024) / line.length)));
    const keptBytes = line.length * (2 * SIZE.rows + 500);
    const chunks = 500;
    for (let n = 0; n < chunks; n += 1) {
      screen.write(chunk);
      now += 1;
      await nextTurn();
    }
    clock.mockRestore();
    // Each change is a piece of 16 KB, and each of at most four pictures needs the lines that can still be seen and 64 KB around them.
    expect(screen.view().frame).toBeLessThan((4 * (keptBytes + 4 * chunk.length)) / (16 * 1024));
    expect(screen.view().frame).toBeGreaterThan(0);
    screen.dispose();
  });

  it("reports its end, even when everything is parsed by then", async () => {
    const screen = new Screen(SIZE);
    // On a busy machine its chunks may come too slowly to be one.
    while (!screen.isFlooded) await flood(screen, 0.25);
    screen.resize({ cols: 30, rows: 5 });
    const ended = vi.fn(() => screen.isFlooded);
    screen.onChange(ended);
    await waitFor(() => expect(ended).toHaveLastReturnedWith(false));
    expect(screen.backlogBytes).toBe(0);
  });

  it("is all in the picture before the size changes", async () => {
    const screen = new Screen(SIZE);
    await flood(screen, 1);
    screen.write(Buffer.from("last"));
    screen.resize({ cols: 30, rows: 5 });
    expect(screen.view().lines.at(-1)?.text).toBe("last");
    expect(screen.backlogBytes).toBe(0);
  });
});
