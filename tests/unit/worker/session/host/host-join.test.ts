/**
 * The join of the user's terminal and the tool's terminal passes bytes, sizes and signals on in order, and ends a piped input
 * with Ctrl-D when the tool reads a line.
 */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { endInput } from "../../../../../src/worker/session/host/host-input-end.js";
import {
  joinHost,
  type JoinHooks,
  type OutputTaker,
  type ToolSide,
} from "../../../../../src/worker/session/host/host-join.js";
import { HostTerminal } from "../../../../../src/worker/session/host/host-terminal.js";
import { OutputStream } from "../../../../../src/worker/runtimes/output-stream.js";
import { hostIo } from "../../../../support/host-io.js";
import type { TtySignals } from "../../../../../src/worker/process/facts/tty-facts.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

function joined() {
  const events = new EventEmitter();
  const input = new PassThrough();
  const output = new PassThrough();
  const toolOutput = new OutputStream(() => undefined);
  const log: string[] = [];
  let pressure: (full: boolean) => void = () => undefined;
  const size = { cols: 80, rows: 24 };
  const host = new HostTerminal(hostIo({ input, output, events, measure: () => ({ ...size }) }));
  const tool: ToolSide = {
    terminal: {
      pid: 1,
      ptsPath: null,
      alive: true,
      write: (bytes) => Promise.resolve(bytes.length),
      drained: () => Promise.resolve(),
      onPressure: (listener) => {
        pressure = listener;
        return () => undefined;
      },
    },
    passOutput: (to) => toolOutput.pass(to),
    typeKeys: (bytes, typed) => log.push(`${typed ? "typed" : "passed"} ${JSON.stringify(latin(bytes))}`),
    resize: ({ cols, rows }) => log.push(`${cols}x${rows}`),
  };
  const clock = new ManualClock();
  const done = joinHost(host, tool, clock, {
    onReading: ({ keys }) => log.push(`keys ${keys.map((key) => key.text || key.kind).join(" ")}`),
    filterInput: (chunk) => (latin(chunk) === "drop me" ? new Uint8Array() : chunk),
    events: {
      onEndSignal: (signal) => log.push(signal),
      onPassedSignal: (signal) => log.push(signal),
      onOutputLost: () => log.push("lost"),
      onStopSignal: () => log.push("stop"),
      onContinued: () => log.push("continued"),
    },
  });
  return {
    input,
    output,
    toolOutput,
    log,
    clock,
    done,
    events,
    size,
    press: (full: boolean) => pressure(full),
  };
}

const quietTool: ToolSide = {
  terminal: {
    pid: 1,
    ptsPath: null,
    alive: true,
    write: (bytes) => Promise.resolve(bytes.length),
    drained: () => Promise.resolve(),
    onPressure: () => () => undefined,
  },
  passOutput: () => new Promise(() => undefined),
  typeKeys: () => undefined,
  resize: () => undefined,
};

const quietHooks: JoinHooks = {
  onReading: () => undefined,
  filterInput: (chunk) => chunk,
  events: {
    onEndSignal: () => undefined,
    onPassedSignal: () => undefined,
    onOutputLost: () => undefined,
    onStopSignal: () => undefined,
    onContinued: () => undefined,
  },
};

describe("the join of the user's terminal and the tool's", () => {
  it("passes the tool's bytes on untouched and ends when they are all out", async () => {
    const { toolOutput, output, done } = joined();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    toolOutput.push(bytes);
    toolOutput.end();
    await done;
    expect(output.read()).toEqual(bytes);
  });

  it("loses nothing of a tool that printed and ended before the user's terminal was raw", async () => {
    const output = new PassThrough();
    let ready: () => void = () => undefined;
    const rawMode = {
      enter: () => new Promise<void>((resolve) => (ready = resolve)),
      leave: () => undefined,
    };
    const parts = { input: new PassThrough(), output, events: new EventEmitter(), measure: () => null };
    const io = { ...hostIo(parts), rawMode };
    const stream = new OutputStream(() => undefined);
    const tool = { ...quietTool, passOutput: (to: OutputTaker) => stream.pass(to) };
    const done = joinHost(new HostTerminal(io), tool, new ManualClock(), quietHooks);
    stream.push(Buffer.from("done\r\n"));
    stream.end();
    await turn();
    ready();
    await done;
    expect(String(output.read())).toBe("done\r\n");
  });

  it("reports typed input before the tool gets it, and answers of the terminal separately", async () => {
    const { input, log } = joined();
    await turn();
    input.write("1\r");
    await turn();
    input.write("\x1b[I");
    await turn();
    expect(log).toEqual(["keys 1 enter", 'typed "1\\r"', "keys ", 'passed "\\u001b[I"']);
  });

  it("passes Esc on at once as typed, and names it when nothing followed", async () => {
    const { input, log, clock } = joined();
    await turn();
    input.write("\x1b");
    await turn();
    expect(log).toEqual(["keys ", 'typed "\\u001b"']);
    clock.advance(50);
    expect(log.at(-1)).toBe("keys escape");
  });

  it("leaves out what the filter takes", async () => {
    const { input, log } = joined();
    await turn();
    input.write("drop me");
    await turn();
    expect(log.at(-1)).toBe('typed ""');
  });

  it("stops the user's side while the tool does not read", async () => {
    const { input, log, press } = joined();
    await turn();
    press(true);
    input.write("a");
    await turn();
    expect(log).toEqual([]);
    press(false);
    await turn();
    expect(log).toEqual(["keys a", 'typed "a"']);
  });

  it("hands on a new size and the wish to end", async () => {
    const { events, size, log } = joined();
    await turn();
    size.rows = 50;
    events.emit("SIGWINCH");
    events.emit("SIGTERM");
    expect(log).toEqual(["80x50", "SIGTERM"]);
  });
});

describe("the end of a piped input", () => {
  async function ended(states: readonly TtySignals[], lastByte?: number) {
    const clock = new ManualClock();
    const written: number[][] = [];
    let looks = 0;
    const state = { over: false };
    const terminal = {
      alive: true,
      drained: () => Promise.resolve(),
      write: (bytes: Uint8Array) => {
        written.push([...bytes]);
        return Promise.resolve(bytes.length);
      },
    };
    const facts = { read: () => Promise.resolve(states[Math.min(looks++, states.length - 1)] ?? {}) };
    const end = endInput({ terminal, facts, clock, lastByte }).then(() => (state.over = true));
    while (!state.over) {
      await turn();
      clock.advance(100);
    }
    await end;
    return { written, looks, elapsedMs: clock.monotonic() - new ManualClock().monotonic() };
  }

  const reading = { canonical: true, blockedOnRead: true };

  it("is one Ctrl-D as soon as the tool reads a line", async () => {
    const { written, looks } = await ended([{ canonical: true, blockedOnRead: false }, reading], 0x0a);
    expect(written).toEqual([[4]]);
    expect(looks).toBe(2);
  });

  it("is told to a tool that had no input at all", async () => {
    expect((await ended([reading])).written).toEqual([[4]]);
  });

  it("takes a second Ctrl-D after an unfinished line, which the first one only hands over", async () => {
    expect((await ended([reading], 0x61)).written).toEqual([[4, 4]]);
  });

  it("is told late to a tool that reads lines but is busy, or does not show what it does", async () => {
    const { written, elapsedMs } = await ended([{ canonical: true }]);
    expect(written).toEqual([[4]]);
    expect(elapsedMs).toBeGreaterThanOrEqual(3000);
  });

  it("is never told to a tool that takes keys, nor where the mode is unknown", async () => {
    expect((await ended([{ canonical: false, blockedOnRead: true }])).written).toEqual([]);
    expect((await ended([{}])).written).toEqual([]);
  });
});
