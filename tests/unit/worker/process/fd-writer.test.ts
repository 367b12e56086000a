/** The writer of a descriptor keeps the order of bytes over partial writes, polls a slow reader seldom, and reports how much went in. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../src/observe/clock.js";
import {
  FdWriter,
  WRITE_PRESSURE_BYTES,
  WRITE_QUEUE_BYTES_MAX,
  WRITE_RETRY_MAX_MS,
} from "../../../../src/worker/process/fd-writer.js";

/** A descriptor that takes as much as there is room for. */
class FakeDescriptor {
  room = 0;
  calls = 0;
  taken = "";
  broken: string | null = null;

  readonly write = (_fd: number, bytes: Uint8Array, offset: number, length: number): number => {
    this.calls += 1;
    if (this.broken) throw Object.assign(new Error("no"), { code: this.broken });
    if (this.room === 0) throw Object.assign(new Error("later"), { code: "EAGAIN" });
    const count = Math.min(this.room, length);
    this.room -= count;
    this.taken += Buffer.from(bytes).toString("latin1", offset, offset + count);
    return count;
  };
}

function setup(room = Infinity) {
  const descriptor = new FakeDescriptor();
  descriptor.room = room;
  const clock = new ManualClock();
  return { descriptor, clock, writer: new FdWriter(7, clock, descriptor.write) };
}

const text = (value: string) => Buffer.from(value);

describe("the writer of a descriptor", () => {
  it("writes what fits before it returns", async () => {
    const { descriptor, writer } = setup();
    const written = writer.write(text("abc"));
    expect(descriptor.taken).toBe("abc");
    expect(await written).toBe(3);
  });

  it("knows for how long its reader has taken nothing that waits", () => {
    const { descriptor, clock, writer } = setup(0);
    clock.advance(5_000);
    void writer.write(text("ab"));
    clock.advance(3_000);
    expect(writer.waitsMs).toBe(3_000);
    descriptor.room = 1;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(writer.waitsMs).toBeLessThan(WRITE_RETRY_MAX_MS);
    descriptor.room = 1;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(writer).toMatchObject({ pendingBytes: 0, waitsMs: 0, isOpen: true });
    writer.close();
    expect(writer.isOpen).toBe(false);
  });

  it("keeps the order over full buffers and partial writes", async () => {
    const { descriptor, clock, writer } = setup(2);
    const all = Promise.all([writer.write(text("abc")), writer.write(text("de")), writer.write(text("f"))]);
    while (writer.pendingBytes > 0) {
      descriptor.room = 1;
      clock.advance(WRITE_RETRY_MAX_MS);
    }
    expect(descriptor.taken).toBe("abcdef");
    expect(await all).toEqual([3, 2, 1]);
  });

  it("tries a reader that does not read only some thirty times a second, and at once again when it read", () => {
    const { descriptor, clock, writer } = setup(0);
    void writer.write(text("x"));
    clock.advance(10_000);
    expect(descriptor.calls).toBeGreaterThan(100);
    expect(descriptor.calls).toBeLessThan(10_000 / WRITE_RETRY_MAX_MS + 10);
    expect(clock.pending).toBe(1);
    descriptor.room = 1;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(descriptor.taken).toBe("x");
    expect(clock.pending).toBe(0);
  });

  it("does not try again for a second write while it waits", () => {
    const { descriptor, writer } = setup(0);
    void writer.write(text("a"));
    void writer.write(text("b"));
    expect(descriptor.calls).toBe(1);
  });

  it("says how much went in when it is closed", async () => {
    const { descriptor, clock, writer } = setup(2);
    const all = Promise.all([writer.write(text("abc")), writer.write(text("de"))]);
    writer.close();
    expect(await all).toEqual([2, 0]);
    expect(await writer.write(text("f"))).toBe(0);
    clock.advance(1000);
    expect(descriptor.taken).toBe("ab");
    expect(clock.pending).toBe(0);
  });

  it("closes itself on an error that no waiting heals", async () => {
    const { descriptor, writer } = setup();
    descriptor.broken = "EIO";
    expect(await writer.write(text("abc"))).toBe(0);
    expect(await writer.write(text("d"))).toBe(0);
    expect(descriptor.calls).toBe(1);
  });

  it("takes back what has not gone in, and nothing else", async () => {
    const { descriptor, clock, writer } = setup(1);
    const abort = new AbortController();
    const first = writer.write(text("ab"), { signal: abort.signal });
    const second = writer.write(text("cd"));
    abort.abort();
    expect(await first).toBe(1);
    descriptor.room = Infinity;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(await second).toBe(2);
    expect(descriptor.taken).toBe("acd");
  });

  it("writes nothing for a signal that was given before", async () => {
    const { descriptor, writer } = setup();
    expect(await writer.write(text("ab"), { signal: AbortSignal.abort() })).toBe(0);
    expect(descriptor.calls).toBe(0);
  });

  it("refuses whole what does not fit into the queue", async () => {
    const { writer } = setup(0);
    void writer.write(new Uint8Array(WRITE_QUEUE_BYTES_MAX));
    expect(await writer.write(text("x"))).toBe(0);
    expect(writer.pendingBytes).toBe(WRITE_QUEUE_BYTES_MAX);
  });

  it("asks writers to stop when much waits, and to go on when little does", () => {
    const { descriptor, clock, writer } = setup(0);
    const told: boolean[] = [];
    writer.onPressure((full) => told.push(full));
    void writer.write(new Uint8Array(WRITE_PRESSURE_BYTES));
    expect(told).toEqual([]);
    void writer.write(new Uint8Array(1));
    expect(told).toEqual([true]);
    descriptor.room = WRITE_PRESSURE_BYTES / 2;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(told).toEqual([true]);
    descriptor.room = WRITE_PRESSURE_BYTES / 2;
    clock.advance(WRITE_RETRY_MAX_MS);
    expect(told).toEqual([true, false]);
  });

  it("tells when nothing waits any more, whether written or given up", async () => {
    const { descriptor, clock, writer } = setup(0);
    await writer.awaitDrained();
    void writer.write(text("a"));
    const drained = writer.awaitDrained();
    descriptor.room = 1;
    clock.advance(WRITE_RETRY_MAX_MS);
    await drained;
    void writer.write(text("b"));
    const closed = writer.awaitDrained();
    writer.close();
    await closed;
    expect(descriptor.taken).toBe("a");
  });
});
