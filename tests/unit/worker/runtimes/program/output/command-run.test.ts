/** A prompt that is drawn again while a line is typed ends no command, and an exit code is one of what has just run. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandRun } from "../../../../../../src/worker/runtimes/program/output/command-run.js";
import type { PromptMarkKind } from "../../../../../../src/worker/runtimes/program/prompt/mark-parser.js";
import { readShipped } from "../../../../../support/program/open.js";

type Output = ReturnType<typeof readShipped>["program"]["output"];

class DrivenRun {
  readonly #run: CommandRun;

  constructor(name = "psql", output: Partial<Output> = {}) {
    const { program } = readShipped(name);
    this.#run = new CommandRun({
      id: "c1",
      program: { ...program, output: { ...program.output, ...output } },
      folder: mkdtempSync(join(tmpdir(), "command-run-")),
      size: () => ({ cols: 80, rows: 24 }),
      startedAt: 0,
      takeIdleOutput: () => "",
      paste: { isOn: false },
    });
  }

  type(line: string): void {
    this.#run.begin(line);
  }

  print(text: string): void {
    this.#run.onOutput(Buffer.from(text), false);
  }

  /** Types keys that bring the program back to its prompt. */
  escape(shown: string, presses = 1): void {
    this.#run.endLine("");
    this.#run.begin("", true);
    for (let left = presses; left > 0; left--) this.#run.notePressed();
    this.print(shown);
  }

  /** As a session hands marks on. */
  mark(kind: PromptMarkKind, ...values: readonly string[]): void {
    if (this.#run.isRedrawn) this.#run.restart({ kind, values });
    else this.#run.onMark({ kind, values });
  }

  /** The whole way of a line that is answered at once. */
  answer(line: string, error: string): void {
    this.type(line);
    this.print(`${line}\r\n`);
    this.mark("finished", error);
    this.#run.endLine("");
  }

  get isFinished(): boolean {
    return this.#run.isFinished;
  }

  get isExact(): boolean {
    return this.#run.peek().isExact;
  }

  end(): { readonly text: string; readonly exitCode: number | null } {
    this.#run.endLine("");
    return { text: this.#run.collect().text, exitCode: this.#run.exitCode };
  }
}

it("takes the marks of a prompt that is drawn again over the typed line for no end of its command", () => {
  const run = new DrivenRun();
  run.type("select 1;");
  run.print("sele\r\x1b[K\r");
  run.mark("finished", "false");
  run.mark("prompt");
  run.print("postgres=# ");
  run.mark("input");
  expect(run.isFinished).toBe(false);
  run.print("select 1;\r\nERROR\r\n");
  run.mark("finished", "true");
  expect(run.isFinished).toBe(true);
  expect(run.end()).toEqual({ text: "ERROR\n", exitCode: 1 });
});

it.each<[Partial<Output>, string]>([
  [{}, "5\n"],
  [{ input_echo_strategy: "none" }, "2 + 3\n5\n"],
  [{ strip_input_echo: false }, "2 + 3\n5\n"],
])("leaves the echo of the typed line in the output where the file says so: %j", (output, text) => {
  const run = new DrivenRun("python", output);
  run.type("2 + 3");
  run.print("2 + 3\r\n5\r\n");
  run.mark("finished", "0");
  expect(run.end().text).toBe(text);
});

it("calls no output exact in which the echo of the typed line may stand", () => {
  const run = new DrivenRun();
  run.type("select 1;");
  run.print("sel  ect 1;\r\n1\r\n");
  expect(run.isExact).toBe(false);
  run.mark("finished", "false");
  expect(run.end().text).toBe("sel  ect 1;\n1\n");
  expect(run.isExact).toBe(false);
  run.type("select 1;");
  run.print("select 1;\r\n1\r\n");
  expect(run.isExact).toBe(true);
});

it("takes the keys that bring a program back for no output, but keeps what it says of them", () => {
  for (const [name, presses, shown, text] of [
    ["psql", 1, "^C\r\n", ""],
    ["psql", 2, "^C^C\r\n", ""],
    ["psql", 1, "^C^C\r\n", "^C^C\n"],
    ["psql", 1, "^C\r\nKeyboardInterrupt\r\n", "^C\nKeyboardInterrupt\n"],
    // Its file says that it says each interrupt once more.
    ["ruby", 1, "^C^C\r\n", ""],
    ["ruby", 2, "^C^C\r\n^C^C\r\n", ""],
    ["ruby", 1, "^C^C\r\nabort\r\n", "^C^C\nabort\n"],
  ] as const) {
    const run = new DrivenRun(name);
    run.type("def broken");
    run.print("def broken\r\n");
    run.mark("continuation");
    run.escape(shown, presses);
    expect({ name, shown, text: run.end().text }).toEqual({ name, shown, text });
  }
});

describe("a program that says of its own commands whether the statement before them failed", () => {
  const run = (...lines: readonly (readonly [line: string, error: string])[]): number | null => {
    const driven = new DrivenRun();
    for (const [line, error] of lines) driven.answer(line, error);
    return driven.end().exitCode;
  };

  it("gives a statement a code, and a command, a comment or a copy none", () => {
    expect(run(["select 1;", "false"])).toBe(0);
    expect(run(["select x;", "true"])).toBe(1);
    for (const none of ["\\d", "-- x", "help", "help;", "copy t from stdin;", "begin; COPY t from 'x';"])
      expect(run([none, "true"]), none).toBeNull();
    expect(run(["select helpful;", "true"])).toBe(1);
  });

  it("keeps the code of a statement before a command in the same block", () => {
    expect(run(["select x;", "true"], ["\\d", "true"])).toBe(1);
  });

  it("knows no code of what the program says in no known word", () => {
    expect(run(["select 1;", ""])).toBeNull();
  });
});

it("tells no code of a program whose codes are not reliable", () => {
  for (const [name, code] of [
    ["cmd", null],
    ["bash", 0],
  ] as const) {
    const run = new DrivenRun(name);
    run.type("true");
    run.print("true\r\n");
    run.mark("executed");
    run.mark("finished", "0");
    expect({ name, code: run.end().exitCode }).toEqual({ name, code });
  }
});
