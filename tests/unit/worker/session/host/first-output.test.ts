/** A tool's first output is shown before its session exists, is bounded, and is handed over without a gap or a repetition. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import {
  FIRST_BYTE_WITHIN_MS,
  FIRST_OUTPUT_BYTES_MAX,
  FirstOutput,
} from "../../../../../src/worker/session/host/first-output.js";

class FakeTerminal {
  readonly listeners = new Set<(chunk: Uint8Array) => void>();
  isPaused = false;
  end: () => void = () => undefined;
  readonly exited = new Promise<never>((resolve) => (this.end = resolve as () => void));

  onData(listener: (chunk: Uint8Array) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  print(text: string): void {
    for (const listener of this.listeners) listener(Buffer.from(text));
  }
}

function setup() {
  const terminal = new FakeTerminal();
  const written: string[] = [];
  const abandoned: string[] = [];
  const host = {
    write: (chunk: Uint8Array) => Promise.resolve(void written.push(Buffer.from(chunk).toString())),
    abandon: (modes: string) => void abandoned.push(modes),
  };
  return { terminal, written, abandoned, first: new FirstOutput(terminal, host), clock: new ManualClock() };
}

/** What Node does before it ends because of an error that nobody caught. */
function crash(): void {
  (process as NodeJS.EventEmitter).emit("uncaughtExceptionMonitor", new Error("a bug"));
}

describe("the first output of a tool", () => {
  it("is written to the user's terminal at once, and is handed over whole and in order", () => {
    const { terminal, written, first } = setup();
    terminal.print("a");
    terminal.print("b");
    expect(written).toEqual(["a", "b"]);
    expect(first.handOver().map((chunk) => Buffer.from(chunk).toString())).toEqual(["a", "b"]);
    terminal.print("c");
    expect(written).toEqual(["a", "b"]);
    expect(terminal.listeners.size).toBe(0);
  });

  it("stops the tool at its limit, and lets it go on when it is handed over", () => {
    const { terminal, first } = setup();
    terminal.print("x".repeat(FIRST_OUTPUT_BYTES_MAX));
    expect(terminal.isPaused).toBe(false);
    terminal.print("y");
    expect(terminal.isPaused).toBe(true);
    first.handOver();
    expect(terminal.isPaused).toBe(false);
  });

  it("leaves a terminal without the tool's modes if we crash before its session exists, and not afterwards", () => {
    const { terminal, abandoned, first } = setup();
    terminal.print("\x1b[?1049h\x1b[?25l");
    crash();
    expect(abandoned).toEqual(["\x1b[?1049l\x1b[?25h\x1b[m"]);
    const later = setup();
    later.first.handOver();
    first.handOver();
    crash();
    expect(later.abandoned).toEqual([]);
  });

  it.each<[string, (parts: ReturnType<typeof setup>) => void]>([
    ["at the tool's first byte", ({ terminal }) => terminal.print("a")],
    ["at the tool's end", ({ terminal }) => terminal.end()],
    ["when the tool prints nothing for too long", ({ clock }) => clock.advance(FIRST_BYTE_WITHIN_MS)],
  ])("has begun %s", async (_when, happen) => {
    const parts = setup();
    let isOver = false;
    const begun = parts.first.awaitBegin(parts.clock).then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    happen(parts);
    await begun;
    expect(isOver).toBe(true);
  });
});
