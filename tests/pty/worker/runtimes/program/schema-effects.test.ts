/** What a field of a program file says, happens; and where it says nothing, or something else, that does not happen. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { testProgram } from "../../../../../prompt-lab/check/program-tests.js";
import type { ProgramFile } from "../../../../../src/worker/adapter-format/program/program-file.js";
import { prepareLaunch } from "../../../../../src/worker/runtimes/program/launch.js";
import { eventually } from "../../../../support/hub-home.js";
import {
  openFixture,
  openTestProgram,
  readFixture,
  type TestProgram,
} from "../../../../support/program/open.js";

const opened: TestProgram[] = [];
afterEach(async () => {
  for (const program of opened.splice(0)) await program.close();
});

async function open(name: string, change?: (program: ProgramFile) => ProgramFile): Promise<TestProgram> {
  const program = await openFixture(name, change);
  opened.push(program);
  return program;
}

async function openShipped(name: string): Promise<TestProgram> {
  const program = await openTestProgram(name);
  opened.push(program);
  return program;
}

const shows = ({ screen }: TestProgram, text: string): boolean =>
  screen.view().lines.some((line) => line.text.includes(text));

function begin(program: TestProgram, command: string) {
  const end = program.run(command);
  return { end, begun: eventually(() => program.session.phase === "running") };
}

describe("capabilities.cd_command", () => {
  it("takes the program to a directory first, and its output is none of the command's", async () => {
    const toy = await open("toy");
    const there = join(mkdtempSync(join(tmpdir(), "cd-")), 'a "quoted" place');
    mkdirSync(there);
    const { output, note } = await toy.session.run("pwd", { timeoutMs: 60_000, directory: there });
    expect(output.text).toBe(`${there}\n`);
    expect(note).toBe(`whether it is in ${there} now, the program does not tell`);
  });

  it("types nothing where there is no such directory, or the file names no command", async () => {
    const toy = await open("toy");
    const nowhere = await toy.session.run("say x", { timeoutMs: 60_000, directory: "/no/such/place" });
    expect(nowhere).toMatchObject({ state: "refused", note: "/no/such/place is no directory" });
    const marker = await open("marker");
    const nothing = await marker.session.run("1", { timeoutMs: 60_000, directory: "/" });
    expect(nothing).toMatchObject({ state: "refused", note: "the program cannot be taken to /" });
  });

  it("stops where the change of the directory fails", async () => {
    const bash = await openShipped("bash");
    await bash.run("cd() { return 1; }");
    const { note, output } = await bash.session.run("echo typed", { timeoutMs: 60_000, directory: "/" });
    expect({ note, text: output.text }).toEqual({
      note: "only the change of its directory was typed, which failed",
      text: "",
    });
  });
});

describe("capabilities.exit_code", () => {
  const makeUnreliable = (program: ProgramFile): ProgramFile => ({
    ...program,
    capabilities: {
      ...program.capabilities,
      exit_code: "unreliable",
      cwd_tracking: false,
      cd_command: "true {path}",
      cd_command_quote: "single_quote_posix",
    },
    tests: [
      {
        name: "a limit",
        setup_sequence: [],
        eval: "true",
        expect_exit_code: 0,
        exit_code_is_unreliable: true,
      },
      { name: "a promise", setup_sequence: [], eval: "true", expect_exit_code: 0 },
    ],
  });

  it("unreliable: results tell no code, and the code of cd_command proves no directory", async () => {
    const zsh = await open("prompt-variable", makeUnreliable);
    expect(await zsh.run("true")).toMatchObject({ state: "finished", note: "", exitCode: null });
    const there = await zsh.session.run("true", { timeoutMs: 60_000, directory: "/" });
    expect(there.note).toBe("whether it is in / now, the program does not tell");
  });

  it("unreliable: only a test that shows a limit reads the code", async () => {
    const read = readFixture("prompt-variable");
    const { tests } = await testProgram({ ...read, program: makeUnreliable(read.program) }, true);
    expect(tests).toEqual([
      { name: "a limit", problems: [] },
      { name: "a promise", problems: ['"true": this program\'s exit codes are not known; use "expect"'] },
    ]);
  });
});

describe("signals", () => {
  it("eof ends what a command reads", async () => {
    const toy = await open("toy");
    const { end, begun } = begin(toy, "read");
    await begun;
    expect(await toy.session.sendInput("four")).toBeNull();
    await eventually(() => shows(toy, "four"));
    expect(await toy.session.press("eof")).toBeNull();
    expect((await end).output.text).toContain("read 5\n");
  });

  it("eof is not pressed where nothing of ours runs, or the file names none", async () => {
    const toy = await open("toy");
    expect(await toy.session.press("eof")).toBe("no command of yours is running");
    const marker = await open("marker");
    const { end, begun } = begin(marker, "import time; time.sleep(1)");
    await begun;
    expect(await marker.session.press("eof")).toContain("names no key");
    await end;
  });

  it("suspend puts a command into the background, and the shell goes on", async () => {
    const bash = await openShipped("bash");
    // It stops at once: a shell that has begun to start another program would stop only after that program has started.
    const { end } = begin(bash, "sh -c 'echo has be''gun; while :; do :; done'");
    await eventually(() => shows(bash, "has begun"));
    expect(await bash.session.press("suspend")).toBeNull();
    const { state, exitCode } = await end;
    expect({ state, exitCode }).toEqual({ state: "finished", exitCode: 148 });
    expect((await bash.run("jobs")).output.text).toContain("Stopped");
  });

  it("suspend is not pressed in a program without jobs", async () => {
    const toy = await open("toy", (program) => ({
      ...program,
      capabilities: { ...program.capabilities, job_control: false },
    }));
    const { end, begun } = begin(toy, "sleep 0.5");
    await begun;
    expect(await toy.session.press("suspend")).toContain("it has no jobs");
    await end;
  });

  it("interrupt_confirm answers the program that asks again", async () => {
    const toy = await open("toy");
    const { end } = begin(toy, "sleep 100");
    await eventually(() => shows(toy, "asleep"));
    expect(await toy.session.press("interrupt")).toBeNull();
    expect(await end).toMatchObject({ state: "finished", isInterrupted: true });
    expect((await toy.run("say sound")).output.text).toBe("sound\n");
  });
});

describe("lifecycle.shutdown", () => {
  it("types the program's own last command at its prompt", async () => {
    const toy = await open("toy");
    await toy.session.shutDown();
    expect(shows(toy, "bye")).toBe(true);
    expect(await toy.terminal.exited).toMatchObject({ exitCode: 0, signal: null });
  });

  it("forces a program that has no such command", async () => {
    const toy = await open("toy", (program) => ({
      ...program,
      lifecycle: { ...program.lifecycle, shutdown: { command: null, grace_ms: 10, force_signal: "hup" } },
    }));
    await toy.session.shutDown();
    expect(await toy.terminal.exited).toMatchObject({ signal: 1 });
  });
});

describe("input.clear_line", () => {
  it("empties the line in which something unseen stands", async () => {
    const toy = await open("toy");
    await toy.terminal.write(Buffer.from("garbage "));
    await eventually(() => shows(toy, "garbage"));
    expect((await toy.run("say clean")).output.text).toBe("clean\n");
    const other = await open("toy", (program) => ({
      ...program,
      input: { ...program.input, clear_line: null },
    }));
    await other.terminal.write(Buffer.from("garbage "));
    await eventually(() => shows(other, "garbage"));
    expect((await other.run("say clean")).output.text).not.toBe("clean\n");
  });

  it("is not pressed where nothing stands", async () => {
    const toy = await open("toy", (program) => ({
      ...program,
      input: { ...program.input, clear_line: "un" },
    }));
    expect((await toy.run("say clean")).output.text).toBe("clean\n");
  });
});

describe("tests", () => {
  it("fail where a native program's exit code is told, and where the last step of a setup does not do what is expected", async () => {
    const toy = readFixture("toy");
    const told = "print('\\x1b]633%cL%c7\\x07' % (59, 59))\nprint(1)";
    const tests = [
      { name: "told", setup_sequence: [], eval: told, expect_no_last_exit: true },
      { name: "not told", setup_sequence: [], setup: told, eval: "say x", expect_no_last_exit: true },
      { name: "of a setup", setup_sequence: [{ eval: "say a" }, { eval: "say b" }], expect: "a" },
    ];
    const report = await testProgram({ ...toy, program: { ...toy.program, tests } }, true);
    expect(report.tests.map(({ problems }) => problems.join())).toEqual([
      expect.stringContaining("the exit code of a native program was reported"),
      "",
      '"say b": expected a, found "b"',
    ]);
  });
});

describe("ready", () => {
  it("kick_enter_after_ready draws a fresh prompt", async () => {
    const count = ({ screen }: TestProgram): number =>
      screen.view().lines.filter(({ text }) => text.startsWith("ready>")).length;
    const kicked = await open("inject");
    await eventually(() => count(kicked) === 2);
    // Of one that marks no end of its prompt, it is known a little later where it is.
    const unended = await open(
      "inject",
      ({ prompt: { shell_integration: marks, ...prompt }, ...program }) => ({
        ...program,
        prompt: {
          ...prompt,
          shell_integration: marks && { ...marks, markers: { ...marks.markers, command_input_start: "Z" } },
        },
      }),
    );
    await eventually(() => count(unended) === 2);
    const quiet = await open("inject", (program) => ({
      ...program,
      ready: { ...program.ready, kick_enter_after_ready: false },
    }));
    await quiet.run("true");
    // The first one, and the one behind the command.
    await eventually(() => count(quiet) === 2);
  });
});

describe("init.banner_injection", () => {
  it("is printed by the program, or by us before it starts", async () => {
    const told = { banner: "shared", reason: "with leave" };
    const place = { args: [], typed: "x", environment: {}, cwd: "/", guid: "g", nonce: "n" };
    const folder = mkdtempSync(join(tmpdir(), "banner-"));
    expect(prepareLaunch(readFixture("inject"), { ...place, ...told, folder }).banner).toBe(
      "shared!\n(with leave)",
    );
    expect(prepareLaunch(readFixture("toy"), { ...place, ...told, folder }).banner).toBe("");
    const toy = await open("toy");
    expect(shows(toy, "of the tests")).toBe(false);
  });
});

describe("prompt.group_captures", () => {
  it("tell the level where no mode does", async () => {
    const toy = await open("toy", (program) => ({ ...program, modes: [] }));
    expect(await toy.run("open")).toMatchObject({ level: 1, mode: null, captures: { depth: 1 } });
    expect(await toy.run("close")).toMatchObject({ level: null });
  });
});

describe("output.async_interleave and post_prompt_settle_ms", () => {
  const change =
    (output: Partial<ProgramFile["output"]>) =>
    (program: ProgramFile): ProgramFile => ({ ...program, output: { ...program.output, ...output } });

  it.each([
    ["redraw_detect", "out_of_band", { text: "2\n", outOfBand: "later" }],
    ["redraw_detect", "merge", { text: "later\n2\n", outOfBand: "" }],
    ["accept", "out_of_band", { text: "later\n2\n", outOfBand: "" }],
    ["redraw_detect", "discard", { text: "2\n", outOfBand: "" }],
    ["none", "out_of_band", { text: "2\n", outOfBand: "" }],
  ] as const)("%s, %s: what was printed between two commands", async (strategy, place, expected) => {
    const async_interleave = { strategy, capture_as: place };
    const marker = await open("marker", change({ async_interleave }));
    await marker.run('import threading; threading.Timer(0.5, lambda: print("la" + "ter")).start()');
    await eventually(() => shows(marker, "later"));
    const { output, outOfBand } = await marker.run("1 + 1");
    expect({ text: output.text, outOfBand }).toEqual(expected);
  });

  it("rows that come while the prompt settles belong to the command", async () => {
    const strategy = { strategy: "none", capture_as: "out_of_band" } as const;
    const late = "(sleep 0.1; echo late) &!";
    const slow = await open("prompt-variable", change({ async_interleave: strategy }));
    expect((await slow.run(late)).output.text).toContain("late\n");
    const quick = await open(
      "prompt-variable",
      change({ async_interleave: strategy, post_prompt_settle_ms: 0 }),
    );
    expect((await quick.run(late)).output.text).toBe("");
  });
});
