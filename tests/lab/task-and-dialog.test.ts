/** A dialog that appears after a task was pasted gets no Enter. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findScenarios } from "../../prompt-lab/scenario/find-scenarios.js";
import { systemClock } from "../../src/observe/clock.js";
import { addAdapterCode } from "../../src/plugins/adapters/adapters.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import { LiveDetector } from "../../src/worker/detection/live/live-detector.js";
import { TerminalTaskInput, type TaskInputOptions } from "../../src/worker/runtimes/terminal/task-input.js";
import { Screen } from "../../src/worker/screen/screen.js";
import type { Terminal } from "../../src/worker/process/terminal.js";

/** The words that the recorded dialog shows above itself, drawn like the input box. */
const WORDS = "Please tidy up [[shell]]";
const FILE = "adapters/gemini.yaml";
const CLEARED = "\u001b[2J\u001b[3J\u001b[H\u001b[?25l";
const IDLE = `\u001b[?2004h${CLEARED}\r\n > \u001b[7m \u001b[0m\u001b[38;5;248m  Type your message or @path/to/file\u001b[0m\r\n\r\n ~/proj  gemini`;

it("a dialog that appears after a task was pasted gets no Enter, although the words stand above it", async () => {
  const adapter = addAdapterCode(compileAdapter(readFileSync(FILE, "utf8"), FILE));
  const [recording] = findScenarios(["prompt-lab/scenarios/gemini"]).filter(
    ({ scenarioId }) => scenarioId === "gemini_shell_80x24_0.61.0",
  );
  const dialog = recording!.events.map((event) =>
    "data_b64" in event ? Buffer.from(event.data_b64, "base64") : Buffer.alloc(0),
  );
  const screen = new Screen({ cols: 80, rows: 24 });
  const signals = (): object => ({});
  const detector = new LiveDetector({
    adapter,
    screen,
    clock: systemClock,
    readSignals: signals,
  });
  const written: string[] = [];
  const terminal: Partial<Terminal> = {
    alive: true,
    exited: new Promise(() => undefined),
    readNow: () => false,
    readQueues: () => null,
    write: (bytes) => {
      written.push(Buffer.from(bytes).toString());
      if (written.length === 1) screen.write(Buffer.concat([Buffer.from(CLEARED), ...dialog]));
      return Promise.resolve(bytes.length);
    },
  };
  const task = new TerminalTaskInput({
    clock: systemClock,
    adapter,
    screen,
    detector,
    prompts: { isAsking: false } as unknown as TaskInputOptions["prompts"],
    keys: { hold: () => undefined, release: () => undefined } as unknown as TaskInputOptions["keys"],
    typedKeys: { typedAt: -Infinity } as unknown as TaskInputOptions["typedKeys"],
    foregroundGroup: () => null,
    terminal: terminal as Terminal,
    runExclusive: (run) => run(),
  });
  screen.write(Buffer.from(IDLE));
  await expect.poll(() => detector.toolState).toBe("idle");
  const result = await task.submit(WORDS, () => Promise.resolve());
  detector.stop();
  expect(result).toMatchObject({ kind: "receipt", receipt: { outcome: "uncertain" } });
  expect(written.join("")).toContain(WORDS);
  expect(written.join("")).not.toContain("\r");
});
