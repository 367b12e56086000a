/** The user's terminal is raw during a run, and is restored after every end and stop, in the foreground and in the background. */
import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import type { HostHooks } from "../../../../../src/worker/session/host/host-hooks.js";
import type { HostIo } from "../../../../../src/worker/session/host/host-terminal.js";
import {
  HostTerminal,
  OUTPUT_PRESSURE_BYTES,
  SIZE_WITHOUT_TERMINAL,
  STOP_FLUSH_MS,
} from "../../../../../src/worker/session/host/host-terminal.js";
import { RawMode } from "../../../../../src/worker/session/host/host-raw-mode.js";
import type { TerminalChange } from "../../../../../src/worker/session/host/stty.js";

/** A terminal that takes bytes only when told to. */
class SlowOutput extends Writable {
  taken = "";
  #next: (() => void) | null = null;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken += chunk.toString("latin1");
    this.#next = done;
  }

  takeAll(): void {
    for (let next = this.#next; next; next = this.#next) {
      this.#next = null;
      next();
    }
  }
}

class FakeRawMode {
  raw = false;
  enter(): Promise<void> {
    this.raw = true;
    return Promise.resolve();
  }
  leave(): void {
    this.raw = false;
  }
}

/** A job that stops until somebody says otherwise. */
class FakeJob {
  isInBackground = false;
  readonly stops: string[] = [];
  goOn: (stopped: boolean) => void = () => undefined;
  onLinger: () => void = () => undefined;
  waitBeforeStop(): Promise<void> {
    this.onLinger();
    return Promise.resolve();
  }
  stop(signal: string): Promise<boolean> {
    this.stops.push(signal);
    return new Promise((resolve) => (this.goOn = resolve));
  }
}

function setup(terminal = true, writeAvailable: HostIo["writeAvailable"] = null) {
  const told: string[] = [];
  const events = new EventEmitter();
  const input = new PassThrough();
  const output = new SlowOutput({ highWaterMark: 1 });
  const rawMode = new FakeRawMode();
  const size = { cols: 80, rows: 24 };
  const clock = new ManualClock();
  const job = new FakeJob();
  const gone = { terminal: false };
  const io: HostIo = {
    input,
    output,
    writeAvailable,
    events,
    measure: () => (size.cols > 0 ? { ...size } : null),
    rawMode: terminal ? rawMode : null,
    hasKeys: terminal,
    isScreen: terminal,
    writeNow: (text) => told.push(`at once ${text}`),
    job,
    isGone: () => gone.terminal,
    endBy: (signal) => told.push(`dead by ${signal}`),
    clock,
  };
  const hooks: HostHooks = {
    onInput: (chunk) => told.push(`input ${Buffer.from(chunk).toString("latin1")}`),
    onInputEnd: () => told.push("end"),
    onResize: ({ cols, rows }) => told.push(`${cols}x${rows}`),
    onEndSignal: (signal) => told.push(signal),
    onPassedSignal: (signal) => told.push(`passed ${signal}`),
    onOutputLost: () => told.push("lost"),
    onStopSignal: () => told.push("stop"),
    onContinued: () => told.push("continued"),
  };
  return { host: new HostTerminal(io), hooks, told, gone, events, input, output, rawMode, size, clock, job };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the user's terminal", () => {
  it("is raw before the first input is taken, and as before after close", async () => {
    const { host, hooks, rawMode, input, told } = setup();
    await host.open(hooks);
    expect(rawMode.raw).toBe(true);
    input.write("y");
    await turn();
    expect(told).toEqual(["input y"]);
    host.close();
    host.close();
    expect(rawMode.raw).toBe(false);
    input.write("z");
    await turn();
    expect(told).toEqual(["input y"]);
  });

  it("keeps what is reported before its session exists, in order", async () => {
    const { host, hooks, events, size, told } = setup();
    await host.takeOver();
    size.cols += 1;
    for (const signal of ["SIGWINCH", "SIGTSTP", "SIGUSR1", "SIGTERM"]) events.emit(signal);
    expect(told).toEqual([]);
    await host.open(hooks);
    expect(told).toEqual([`${size.cols}x${size.rows}`, "stop", "passed SIGUSR1", "SIGTERM"]);
  });

  it("that is gone before its session exists ends that session, and throws nothing", async () => {
    const { host, hooks, input, told } = setup();
    await host.takeOver();
    input.emit("error", new Error("EIO"));
    expect(told).toEqual([]);
    await host.open(hooks);
    expect(told).toEqual(["SIGHUP"]);
  });

  it("lets output through at once until it is slow, and tells when there is room again", async () => {
    const { host, hooks, output } = setup();
    await host.open(hooks);
    await host.write(Buffer.from("quick"));
    let went = false;
    const slow = host.write(Buffer.alloc(OUTPUT_PRESSURE_BYTES + 1, "x"))?.then(() => (went = true));
    await turn();
    expect(went).toBe(false);
    output.takeAll();
    await slow;
    expect(output.taken).toHaveLength(5 + OUTPUT_PRESSURE_BYTES + 1);
  });

  it("takes output past its stream while it keeps up, and in order once it does not", async () => {
    const taken: string[] = [];
    let room = 5;
    const { host, hooks, output } = setup(true, (bytes) => {
      const piece = Buffer.from(bytes.subarray(0, room)).toString();
      taken.push(piece);
      return piece.length;
    });
    await host.open(hooks);
    expect(host.write(Buffer.from("quick"))).toBeNull();
    expect([taken, output.taken]).toEqual([["quick"], ""]);
    void host.write(Buffer.from("slow-down"));
    room = 100;
    void host.write(Buffer.from("!"));
    expect(taken).toEqual(["quick", "slow-"]);
    output.takeAll();
    const flushed = host.flush();
    output.takeAll();
    await flushed;
    expect(output.taken).toBe("down!");
    expect(host.write(Buffer.from("quick again"))).toBeNull();
    expect(taken.at(-1)).toBe("quick again");
  });

  it("whose reader is gone gets nothing more, and says so once", async () => {
    const tries: number[] = [];
    const { host, hooks, output, told } = setup(true, (bytes) => {
      tries.push(bytes.length);
      return 0;
    });
    await host.open(hooks);
    void host.write(Buffer.from("lost"));
    output.destroy(new Error("EIO"));
    await turn();
    expect(host.write(Buffer.from("more"))).toBeNull();
    expect([told, tries]).toEqual([["lost"], [4]]);
  });

  it("is flushed when the last byte is out", async () => {
    const { host, hooks, output } = setup();
    await host.open(hooks);
    void host.write(Buffer.from("last"));
    let flushed = false;
    const flush = host.flush().then(() => (flushed = true));
    await turn();
    expect(flushed).toBe(false);
    output.takeAll();
    await flush;
    expect(output.taken).toBe("last");
  });

  it("frees the waiting tool and drops the rest when nobody takes the output any more", async () => {
    const { host, hooks, output, told } = setup();
    await host.open(hooks);
    const stuck = host.write(Buffer.alloc(OUTPUT_PRESSURE_BYTES + 1));
    output.destroy(new Error("EPIPE"));
    await stuck;
    await host.write(Buffer.from("more"));
    await host.flush();
    expect(told).toEqual(["lost"]);
  });

  it("reports a size that changed, once", async () => {
    const { host, hooks, events, size, told } = setup();
    await host.open(hooks);
    events.emit("SIGWINCH");
    size.cols = 132;
    events.emit("SIGWINCH");
    events.emit("SIGWINCH");
    expect(told).toEqual(["132x24"]);
    expect(host.size).toEqual({ cols: 132, rows: 24 });
  });

  it("has a size of its own where there is no terminal", () => {
    const { host, size } = setup(false);
    size.cols = 0;
    expect(host.size).toEqual(SIZE_WITHOUT_TERMINAL);
  });

  it("tells every signal that asks us to end, until it is closed", async () => {
    const { host, hooks, events, told } = setup();
    await host.open(hooks);
    for (const signal of ["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"]) events.emit(signal);
    expect(told).toEqual(["SIGHUP", "SIGTERM", "SIGINT", "SIGQUIT"]);
    host.close();
    expect(events.eventNames()).toEqual([]);
  });

  it("takes the end of a pipe for the end of the input, and that of a terminal for a hang-up, each once", async () => {
    for (const terminal of [false, true]) {
      const { host, hooks, input, told } = setup(terminal);
      await host.open(hooks);
      input.end();
      await turn();
      input.destroy(new Error("EIO"));
      await turn();
      expect(told).toEqual([terminal ? "SIGHUP" : "end"]);
    }
  });

  it("stops and takes up the input again for a tool that does not read", async () => {
    const { host, hooks, input, told } = setup();
    await host.open(hooks);
    host.pauseInput();
    input.write("a");
    await turn();
    expect(told).toEqual([]);
    host.resumeInput();
    await turn();
    expect(told).toEqual(["input a"]);
  });
});

describe("a terminal that is given back in the last moment", () => {
  it("gets a shell's modes at once, whatever is queued, and only if it has a screen", async () => {
    for (const terminal of [true, false]) {
      const { host, hooks, told, rawMode, output } = setup(terminal);
      await host.open(hooks);
      void host.write(Buffer.from("queued"));
      host.abandon("modes");
      expect(rawMode.raw).toBe(false);
      expect(output.taken).toBe("queued");
      expect(told).toEqual(terminal ? ["at once modes"] : []);
    }
  });
});

describe("raw mode", () => {
  function rawSetup() {
    const events = new EventEmitter();
    const steps: string[] = [];
    let finish: () => void = () => undefined;
    const change = (): TerminalChange => {
      steps.push("stty");
      return { done: new Promise<void>((resolve) => (finish = resolve)), stop: () => steps.push("stop") };
    };
    const input = { setRawMode: (on: boolean) => steps.push(on ? "raw" : "cooked") };
    return { events, steps, finish: () => finish(), mode: new RawMode(input, events, change) };
  }

  it("is entered only when the output is raw too", async () => {
    const { mode, finish, steps } = rawSetup();
    let entered = false;
    const entering = mode.enter().then(() => (entered = true));
    await turn();
    expect(entered).toBe(false);
    finish();
    await entering;
    expect(steps).toEqual(["raw", "stty"]);
  });

  it.each(["exit", "uncaughtExceptionMonitor"])(
    "is left on %s, once, with no change under way any more",
    (way) => {
      const { mode, events, steps } = rawSetup();
      void mode.enter();
      events.emit(way);
      mode.leave();
      expect(steps).toEqual(["raw", "stty", "stop", "cooked"]);
      expect(events.eventNames()).toEqual([]);
    },
  );

  it("is entered anew when somebody else changed it meanwhile, from the mode that was found at first", () => {
    const { mode, steps } = rawSetup();
    void mode.enter();
    steps.length = 0;
    void mode.enter();
    expect(steps).toEqual(["stop", "cooked", "raw", "stty"]);
  });
});

describe("a run that is stopped", () => {
  async function opened() {
    const all = setup();
    await all.host.open(all.hooks);
    all.output.takeAll();
    return all;
  }
  const turns = async () => {
    for (let number = 0; number < 4; number++) await turn();
  };

  it("lets the output out first, gives the terminal back, and takes it again when it goes on", async () => {
    const { host, output, rawMode, job, input, told } = await opened();
    void host.write(Buffer.from("last words"));
    const suspended = host.suspend();
    await turns();
    expect(job.stops).toEqual([]);
    output.takeAll();
    await turns();
    expect(job.stops).toEqual(["SIGTSTP"]);
    expect(rawMode.raw).toBe(false);
    input.write("for the shell");
    await turns();
    job.goOn(true);
    await suspended;
    expect(rawMode.raw).toBe(true);
    await turns();
    expect(told).toEqual(["input for the shell"]);
  });

  it("does not wait for a terminal that takes nothing", async () => {
    const { host, job, clock } = await opened();
    void host.write(Buffer.from("stuck"));
    void host.suspend();
    await turns();
    clock.advance(STOP_FLUSH_MS);
    await turns();
    expect(job.stops).toEqual(["SIGTSTP"]);
  });

  it("stays stopped while another job has the terminal, and measures it afterwards", async () => {
    const { host, job, rawMode, events, size, told, output } = await opened();
    const suspended = host.suspend();
    await turns();
    output.takeAll();
    await turns();
    job.isInBackground = true;
    job.goOn(true);
    await turns();
    expect(job.stops).toEqual(["SIGTSTP", "SIGTTOU"]);
    expect(rawMode.raw).toBe(false);
    job.isInBackground = false;
    size.cols = 100;
    events.emit("SIGCONT");
    job.goOn(true);
    await suspended;
    expect(rawMode.raw).toBe(true);
    expect(told).toEqual(["100x24"]);
  });

  it("is not kept from ending in the background, and dies there by the signal that ends it", async () => {
    const { host, job, rawMode, events, told, output } = await opened();
    const suspended = host.suspend();
    await turns();
    output.takeAll();
    await turns();
    job.isInBackground = true;
    events.emit("SIGTERM");
    job.goOn(true);
    await suspended;
    expect(rawMode.raw).toBe(false);
    host.close();
    host.endBySignal();
    expect(told).toEqual(["SIGTERM", "dead by SIGTERM"]);
  });

  it("reads nothing of a terminal that it no longer has, while its tool ends", async () => {
    const { host, job, events, output, input, told } = await opened();
    const suspended = host.suspend();
    await turns();
    output.takeAll();
    await turns();
    job.isInBackground = true;
    events.emit("SIGTERM");
    job.goOn(true);
    await suspended;
    input.write("for the shell");
    await turns();
    expect(input.isPaused()).toBe(true);
    expect(told).toEqual(["SIGTERM"]);
  });

  it("does not stop with its tool once it is to end", async () => {
    const { host, job, events, output, rawMode, input, told } = await opened();
    events.emit("SIGTERM");
    const suspended = host.suspend();
    await turns();
    output.takeAll();
    await suspended;
    expect(job.stops).toEqual([]);
    expect(rawMode.raw).toBe(true);
    input.write("yes");
    await turns();
    expect(told).toEqual(["SIGTERM", "input yes"]);
  });

  it("does not stop in the background when the signal that ends it comes while it waits there", async () => {
    const { host, job, events, output } = await opened();
    const suspended = host.suspend();
    await turns();
    output.takeAll();
    await turns();
    job.isInBackground = true;
    job.onLinger = () => events.emit("SIGTERM");
    job.goOn(true);
    await suspended;
    expect(job.stops).toEqual(["SIGTSTP"]);
  });

  it("ends by the signal where the terminal is gone, also when nothing but the end of its input told so", async () => {
    const { host, input, told, gone } = await opened();
    gone.terminal = true;
    input.destroy(Object.assign(new Error("gone"), { code: "EIO" }));
    await turns();
    host.close();
    host.endBySignal();
    expect(told).toEqual(["SIGHUP", "dead by SIGHUP"]);
  });

  it("passes on what is meant for the tool alone", async () => {
    const { events, told } = await opened();
    events.emit("SIGUSR1");
    events.emit("SIGUSR2");
    expect(told).toEqual(["passed SIGUSR1", "passed SIGUSR2"]);
  });

  it("ends as usual in the foreground", async () => {
    const { host, events, told } = await opened();
    events.emit("SIGTERM");
    host.close();
    host.endBySignal();
    expect(told).toEqual(["SIGTERM"]);
  });

  it("is told when it was stopped by force, once it has the terminal again", async () => {
    const { events, rawMode, told } = await opened();
    rawMode.raw = false; // what the shell made of it
    events.emit("SIGCONT");
    expect(told).toEqual([]);
    await turns();
    expect(rawMode.raw).toBe(true);
    expect(told).toEqual(["continued"]);
  });

  it("tells of a wish to stop, and leaves the signal to the system while it stops", async () => {
    const { host, events, told, job, output } = await opened();
    events.emit("SIGTSTP");
    expect(told).toEqual(["stop"]);
    void host.suspend();
    await turns();
    output.takeAll();
    await turns();
    expect(events.listenerCount("SIGTSTP")).toBe(0);
    job.goOn(true);
    await turns();
    expect(events.listenerCount("SIGTSTP")).toBe(1);
  });
});
