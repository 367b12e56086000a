/** Into a pipe goes exactly what the command has printed; a part of it is never taken for the whole. */
import { makeFileFolder } from "../../../support/temporary-folder.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { selectOutput } from "../../../../src/cli/console/print-output.js";
import { makeConsoleResult } from "../../../support/console-result.js";
import type { ConsoleResult } from "../../../../src/wire/calls/console-calls.js";

const folder = makeFileFolder("print-output");

function keep(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Wish {
  readonly raw?: boolean;
  readonly isTerminal?: boolean;
}

function print(over: Partial<ConsoleResult>, { raw = false, isTerminal = false }: Wish = {}) {
  const { bytes, ...rest } = selectOutput(makeConsoleResult(over), { raw, isTerminal });
  return { text: Buffer.from(bytes).toString(raw ? "latin1" : "utf8"), ...rest };
}

const toRaw = (text: string): Partial<ConsoleResult> => ({
  raw: Buffer.from(text, "latin1").toString("base64"),
  bytes: text.length,
});

it("at a terminal shows what would turn the order of characters round, and keeps it in a pipe", () => {
  const over = { text: "\u202egnp.exe\n", ...toRaw("x") };
  expect(print(over, { isTerminal: true }).text).toBe("‹U+202E›gnp.exe\n");
  expect(print(over).text).toBe("\u202egnp.exe\n");
});

describe("into a pipe", () => {
  it("goes no line feed that was not printed", () => {
    expect(print({ text: "x", bytes: 1 })).toMatchObject({ text: "x", notes: [], isPart: false });
    expect(print({ text: "x", bytes: 1 }, { isTerminal: true }).text).toBe("x\n");
  });

  it("goes the whole of an output whose middle a terminal does not show", () => {
    const cut = { text: "a\n[… 3 characters left out …]\nz\n", cut: 3, bytes: 9 };
    const file = keep("c1.txt", "a\nb\nc\nz\n");
    expect(print({ ...cut, file })).toMatchObject({ text: "a\nb\nc\nz\n", notes: [], isPart: false });
    expect(print({ ...cut, file }, { isTerminal: true })).toMatchObject({
      text: cut.text,
      notes: [`the whole output is in ${file}`],
    });
    const gone = { ...cut, file: join(folder, "gone") };
    expect(print(gone)).toMatchObject({ notes: ["3 characters of the output are left out"], isPart: true });
  });

  it("goes no marker in front of what a command that runs has printed last", () => {
    const running = { state: "running", text: "[… 9 characters left out …]\nz", cut: 9 } as const;
    expect(print(running)).toMatchObject({
      text: "z",
      notes: ["the command goes on; wait for it with --wait", "9 characters of the output are left out"],
    });
  });
});

describe("of its bytes", () => {
  it.each([
    ["tabs, zeros and what is no text stay", "a\tb\0\xff\r\n", "a\tb\0\xff\n"],
    ["a carriage return of the command's own stays", "10%\r20%\r\r\n", "10%\r20%\r\n"],
    ["all stay where not every line feed came with one", "a\nb\r\n", "a\nb\r\n"],
    ["nothing is added", "x", "x"],
  ])("%s", (_what, captured, printed) => {
    expect(print(toRaw(captured), { raw: true })).toMatchObject({ text: printed, notes: [], isPart: false });
    expect(print(toRaw(captured), { raw: true, isTerminal: true }).text).toBe(printed);
  });

  it("the whole is taken from its file, and a part is said to be one", () => {
    const rawFile = keep("c1.raw", "a\r\nb\r\n");
    expect(print({ rawFile, bytes: 6 }, { raw: true })).toMatchObject({ text: "a\nb\n", isPart: false });
    expect(print({ rawFile, bytes: 9 }, { raw: true })).toMatchObject({
      text: "a\nb\n",
      notes: ["only 6 of its 9 bytes are there"],
      isPart: true,
    });
    expect(print({ rawFile: join(folder, "gone"), bytes: 9 }, { raw: true }).isPart).toBe(true);
  });

  it("none are printed while the command goes on", () => {
    expect(print({ state: "running", text: "half", bytes: 4 }, { raw: true }).text).toBe("");
  });
});
