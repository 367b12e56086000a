/** A program that has lost an interrupt, and is seen to read on, gets it again; one that works on gets it once. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../../src/observe/clock.js";
import { Changes } from "../../../../../src/worker/runtimes/program/changes.js";
import { LineTyper } from "../../../../../src/worker/runtimes/program/line-typer.js";
import { CommandRun } from "../../../../../src/worker/runtimes/program/output/command-run.js";
import type { ProgramPort } from "../../../../../src/worker/runtimes/program/program-port.js";
import type { PromptMarkKind } from "../../../../../src/worker/runtimes/program/prompt/mark-parser.js";
import { PartialLine } from "../../../../../src/worker/runtimes/program/prompt/partial-line.js";
import { ChangedPrompt } from "../../../../../src/worker/runtimes/program/prompt/changed-prompt.js";
import { ModeDetector } from "../../../../../src/worker/runtimes/program/prompt/mode-detector.js";
import { PromptGate } from "../../../../../src/worker/runtimes/program/prompt/prompt-gate.js";
import { PromptWatch } from "../../../../../src/worker/runtimes/program/prompt/prompt-watch.js";
import { readShipped } from "../../../../support/program/open.js";
import { OWN_TERMINAL } from "../../../../support/program/own-terminal.js";

const INTERRUPT = "\x03";

/** `reads`: what is seen of the program after an interrupt. */
function open(name: "psql" | "fish", reads: boolean | undefined) {
  const { program } = readShipped(name);
  const clock = new ManualClock();
  const changes = new Changes(clock);
  const written: string[] = [];
  const isReading = (): boolean | undefined => reads;
  const terminal = {
    alive: true,
    readNow: () => false,
    write: (bytes: Uint8Array) => {
      written.push(Buffer.from(bytes).toString());
      return Promise.resolve(bytes.length);
    },
  };
  const port = {
    terminal,
    findReaders: () => ({ blocked: reads, readers: [] }),
    turn: (work: () => Promise<unknown>) => work(),
    hold: () => undefined,
    release: () => undefined,
  } as unknown as ProgramPort;
  const watch = new PromptWatch({
    program,
    modes: new ModeDetector(program),
    clock,
    owner: OWN_TERMINAL,
    isReading,
    typedAt: () => -Infinity,
    columns: () => 80,
    onPhase: () => changes.notify(),
  });
  const partialLine = new PartialLine();
  const { capabilities } = program;
  const changed = new ChangedPrompt({ port, clock, watch, owner: OWN_TERMINAL });
  const gate = new PromptGate({
    changes,
    changed,
    port,
    clock,
    watch,
    owner: OWN_TERMINAL,
    partialLine,
    capabilities,
    isProven: true,
  });
  const typer = new LineTyper({
    program,
    port,
    clock,
    watch,
    changes,
    gate,
    changed,
    onTyping: () => undefined,
  });
  const folder = mkdtempSync(join(tmpdir(), "line-typer-"));
  const takeIdleOutput = (): string => "";
  const run = new CommandRun({
    id: "c1",
    program,
    folder,
    size: () => ({ cols: 80, rows: 24 }),
    startedAt: 0,
    takeIdleOutput,
    paste: { isOn: false },
  });
  const mark = (kind: PromptMarkKind, ...values: readonly string[]): void => {
    if (kind === "finished") typer.noteFinishMark();
    run.onMark({ kind, values });
    watch.onMark({ kind, values });
    changes.notify();
  };
  const type = (line: string): void => {
    run.begin(line);
    watch.noteSubmitted();
  };
  return { typer, run, partialLine, clock, written, mark, type };
}

/** A psql that asks for rows. */
function openCopy(reads: boolean | undefined) {
  const opened = open("psql", reads);
  opened.mark("finished", "false");
  opened.mark("input");
  opened.type("copy t from stdin;");
  opened.mark("continuation");
  return opened;
}

/** Lets everything that waits for the clock go on. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await new Promise(setImmediate);
}

describe("an interrupt that brings a program back", () => {
  const halt = new AbortController().signal;

  it("is given again while the program reads on without a prompt, and no more once that is there", async () => {
    const { typer, run, clock, written, mark } = openCopy(true);
    const escaped = typer.escape(run, [], halt);
    await pass(clock, 400);
    expect(written).toEqual([INTERRUPT]);
    await pass(clock, 200);
    expect(written).toEqual([INTERRUPT, INTERRUPT]);
    mark("finished", "false");
    mark("input");
    expect(await escaped).toBe("");
    await pass(clock, 5000);
    expect(written).toHaveLength(2);
  });

  it.each([false, undefined])(
    "is given once where it is not seen that the program reads (%s)",
    async (reads) => {
      const { typer, run, clock, written, mark } = openCopy(reads);
      const escaped = typer.escape(run, [], halt);
      await pass(clock, 5000);
      expect(written).toEqual([INTERRUPT]);
      mark("finished", "false");
      mark("input");
      expect(await escaped).toBe("");
    },
  );

  it("is given again behind a refused line until the program marks its end, and not only draws its prompt again", async () => {
    const { typer, run, clock, written, mark, type } = open("fish", undefined);
    mark("finished", "0");
    mark("input");
    type("echo )");
    mark("property", "Refused=1");
    mark("finished", "127");
    mark("input");
    const over = typer.awaitPrompt(run);
    await pass(clock, 100);
    await over;
    const escaped = typer.escape(run, [], halt);
    await pass(clock, 100);
    mark("input");
    await pass(clock, 100);
    expect(written).toEqual([INTERRUPT, INTERRUPT]);
    mark("finished", "130");
    mark("input");
    await pass(clock, 100);
    await escaped;
    expect(written).toEqual([INTERRUPT, INTERRUPT]);
  });
});

describe("a further line of a block", () => {
  const halt = new AbortController().signal;

  it("waits until the line that a person has begun has gone, and is typed into none", async () => {
    const { typer, run, partialLine, clock, written } = openCopy(true);
    partialLine.onTyped(Buffer.from("drop table t; "));
    const typed = typer.type(run, "1", { isRest: true, file: null, timeoutMs: 10_000, halt });
    await pass(clock, 2000);
    expect(written).toEqual([]);
    partialLine.onTyped(Buffer.from("\r"));
    await pass(clock, 200);
    expect(await typed).toBeNull();
    expect(written).toEqual(["1\n"]);
  });

  it("is given up in the end, and the person's line is neither sent nor dropped", async () => {
    const { typer, run, partialLine, clock, written } = openCopy(true);
    partialLine.onTyped(Buffer.from("drop table t; "));
    const typed = typer.type(run, "1", { isRest: true, file: null, timeoutMs: 1000, halt });
    await pass(clock, 1200);
    expect(await typed).toBe("somebody is typing at the terminal");
    expect(await typer.escape(run, [], halt)).toContain("still asks for the rest");
    expect(written).toEqual([]);
    expect(run.isIncomplete).toBe(true);
  });
});
