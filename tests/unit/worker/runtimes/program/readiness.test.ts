/** A program is ready when its file says that it is, and what is typed in at its start is seen by nobody where the file says so. */
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import type { ProgramFile } from "../../../../../src/worker/adapter-format/program/program-file.js";
import { injectScript } from "../../../../../src/worker/runtimes/program/inject-script.js";
import type { ProgramPort } from "../../../../../src/worker/runtimes/program/program-port.js";
import { ModeDetector } from "../../../../../src/worker/runtimes/program/prompt/mode-detector.js";
import { PromptWatch } from "../../../../../src/worker/runtimes/program/prompt/prompt-watch.js";
import { OutputSettling } from "../../../../../src/worker/runtimes/program/output-settling.js";
import { readFixture } from "../../../../support/program/open.js";
import { OWN_TERMINAL } from "../../../../support/program/own-terminal.js";

const { program: inject } = readFixture("inject");

function watch(event: ProgramFile["ready"]["wait_for_event"]) {
  const clock = new ManualClock();
  const program: ProgramFile = {
    ...inject,
    ready: { ...inject.ready, wait_for_event: event },
    init: { ...inject.init, delivery: "launch_command" },
    prompt: { ...inject.prompt, primary: "^first> $" },
  };
  const modes = new ModeDetector(program);
  const nothing = {
    typedAt: () => -Infinity,
    columns: () => 80,
    isReading: () => undefined,
    onPhase: () => undefined,
  };
  const watched = new PromptWatch({ program, modes, clock, owner: OWN_TERMINAL, ...nothing });
  watched.onOutput(Buffer.from("first> "));
  clock.advance(1000);
  return watched.phase;
}

describe("ready.wait_for_event", () => {
  it("takes the first prompt that is drawn, or only one that is marked", () => {
    expect(watch("regex")).toBe("prompt");
    expect(watch("marker")).toBe("prompt");
    expect(watch("prompt_start")).toBe("starting");
  });
});

describe("ready.suppress_mirror_during_inject", () => {
  it.each([true, false])("%s", async (suppresses) => {
    const clock = new ManualClock();
    const said: string[] = [];
    const terminal = {
      write: (bytes: Uint8Array) => {
        said.push(Buffer.from(bytes).toString());
        return Promise.resolve(bytes.length);
      },
    };
    const port = {
      terminal,
      onData: () => undefined,
      findReaders: () => ({ blocked: true, readers: [] }),
      hold: () => said.push("hold"),
      release: () => said.push("release"),
      mute: (on: boolean) => said.push(`mute ${on}`),
    } as unknown as ProgramPort;
    const ready = { ...inject.ready, suppress_mirror_during_inject: suppresses, delay_after_inject_ms: 0 };
    const done = injectScript({ ...inject, ready }, ". x", { port, clock });
    clock.advance(199);
    expect(said).toEqual([]);
    clock.advance(1);
    await done;
    expect(said).toEqual(["hold", `mute ${suppresses}`, ". x\n", "mute false", "release"]);
  });
});

describe("ready.output_settled_*", () => {
  const LIMITS = { minMs: 100, stableMs: 20, maxMs: 500 };

  function settle(isReading: () => boolean | undefined = () => true) {
    const clock = new ManualClock();
    let settled = false;
    const settling = new OutputSettling(clock, LIMITS, () => (settled = true), isReading);
    return { clock, settling, isSettled: () => settled };
  }

  it("waits the least time, although nothing comes", () => {
    const { clock, settling, isSettled } = settle();
    settling.note();
    clock.advance(99);
    expect(isSettled()).toBe(false);
    clock.advance(1);
    expect(isSettled()).toBe(true);
  });

  it("waits until nothing came for long enough, and not longer than the limit", () => {
    const { clock, settling, isSettled } = settle();
    for (let at = 0; at < 490; at += 10) {
      clock.advance(10);
      settling.note();
    }
    expect(isSettled()).toBe(false);
    clock.advance(10);
    expect(isSettled()).toBe(true);
  });

  it("waits for the first output where it is not known whether the program reads", () => {
    const { clock, settling, isSettled } = settle(() => undefined);
    clock.advance(400);
    expect(isSettled()).toBe(false);
    settling.note();
    clock.advance(25);
    expect(isSettled()).toBe(true);
  });

  it("waits for a program that is seen to be busy", () => {
    let isReading = false;
    const { clock, isSettled } = settle(() => isReading);
    clock.advance(400);
    expect(isSettled()).toBe(false);
    isReading = true;
    clock.advance(30);
    expect(isSettled()).toBe(true);
  });
});
