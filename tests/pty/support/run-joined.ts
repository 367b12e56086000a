/** A worker without anything but its two terminals: `run-joined TOOL ARGUMENTS…` ends as the tool did. */
import { systemClock } from "../../../src/observe/clock.js";
import { joinHost } from "../../../src/worker/session/host/host-join.js";
import { openOwnTerminal } from "../../../src/worker/session/host/host-terminal.js";
import { passEvents } from "../../../src/worker/session/host/host-hooks.js";
import { openPty } from "../../../src/worker/pty/pty.js";
import type { Terminal } from "../../../src/worker/process/terminal.js";
import { environment } from "./environment.js";

/** One chunk at a time, so that a slow user stops the tool. */
async function* readOutput(terminal: Terminal): AsyncGenerator<Uint8Array> {
  const chunks: (Uint8Array | null)[] = [];
  let wake: () => void = () => undefined;
  const add = (chunk: Uint8Array | null) => {
    chunks.push(chunk);
    terminal.pause();
    wake();
  };
  terminal.onData(add);
  void terminal.exited.then(() => add(null));
  for (;;) {
    const chunk = chunks.shift();
    if (chunk === null) return;
    if (chunk) {
      yield chunk;
      continue;
    }
    terminal.resume();
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

const host = openOwnTerminal(systemClock);
const terminal = openPty({
  command: process.argv.slice(2),
  env: environment(),
  cwd: process.cwd(),
  size: host.size,
  clock: systemClock,
});
const tool = {
  terminal,
  passOutput: async (to: (chunk: Uint8Array) => Promise<void> | null) => {
    for await (const chunk of readOutput(terminal)) await to(chunk);
  },
  typeKeys: (bytes: Uint8Array) => {
    if (bytes.includes(0x18)) throw new Error("a bug in the worker"); // Ctrl-X stands for one.
    void terminal.write(bytes);
  },
  resize: (size: { cols: number; rows: number }) => terminal.resize(size),
};
await joinHost(host, tool, systemClock, {
  onReading: () => undefined,
  filterInput: (chunk) => chunk,
  events: {
    ...passEvents(host, terminal, (signal) => void terminal.kill(signal)),
    onOutputLost: () => terminal.close(),
  },
});
const exit = await terminal.exited;
host.close();
process.exit(exit.exitCode ?? 128 + (exit.signal ?? 0));
