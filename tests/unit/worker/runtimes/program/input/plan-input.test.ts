/** A command becomes lines that the program takes as one command, or a reason; nothing in it can press a key of its own. */
import { makeFileFolder } from "../../../../../support/temporary-folder.js";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readProgram } from "../../../../../../src/worker/adapter-format/program/read-program.js";
import { planInput } from "../../../../../../src/worker/runtimes/program/input/plan-input.js";
import { buildCdCommand } from "../../../../../../src/worker/runtimes/program/input/quote-path.js";

const folder = makeFileFolder("plan");
const { program: bash } = readProgram(readFileSync("adapters/programs/bash.yaml", "utf8"), "bash.yaml");
const seed = readProgram(readFileSync("tests/fixtures/programs/seed.yaml", "utf8"), "seed.yaml").program;
const direct = {
  ...bash,
  input: { ...bash.input, multiline_detect: "prompt_based" as const, multiline_delivery: "direct" as const },
};
const ENDING = "\n{ __atb_code=$?; } 2>/dev/null\n";
let guid = 0;
const plan = (command: string, program = bash) => planInput(command, program, { folder, guid: `g${guid++}` });

describe("a command", () => {
  it("of one line is typed as it is", () => {
    expect(plan("echo hi\n")).toEqual({ lines: ["echo hi"], file: null, directory: null });
  });

  it("of several lines goes into a file, which is not there before the line that reads it", () => {
    const planned = plan("a\nb");
    if (typeof planned === "string" || planned.file === null) throw new Error("there is no file");
    expect(planned.file.text).toBe(`a\nb\n${ENDING}`);
    expect(existsSync(planned.file.path)).toBe(false);
    expect(planned.lines).toEqual([`. '${planned.file.path}'; { __atb_end $? && :; } 2>/dev/null`]);
  });

  it("has our own last line in its file only where that cannot become text of its own", () => {
    const read = (block: string): string => {
      const planned = plan(block);
      return typeof planned === "string" ? "" : (planned.file?.text ?? "");
    };
    for (const closed of [
      "cat <<END\na\nEND",
      "cat <<-'A B'\n\ta\n\tA B",
      'cat << "E"; cat <<\\F\na\nE\nb\nF',
      "cat <<<END\ntrue",
      "a \\\nb \\",
    ])
      expect(read(closed)).toBe(`${closed}\n${ENDING}`);
    for (const open of ["cat <<END\na", "cat <<-'A B'\na\nA", "cat <<A; cat <<B\nA\n", "cat <<\ntrue"])
      expect(read(open)).toBe(`${open.trimEnd()}\n`);
  });

  it("goes into a file where the shell would put something of its history into it", () => {
    for (const line of ['echo "wow!!"', "echo !nosuch", "!5", "^a^b", " ^a^b", "echo !$"]) {
      const planned = plan(line);
      if (typeof planned === "string" || planned.file === null)
        throw new Error(`there is no file for ${line}`);
      expect(planned.file.text).toBe(`${line}\n${ENDING}`);
    }
    for (const line of ["[ ! -f x ]", "! true", "test a != b", "echo hi!", "grep '^a' b"])
      expect(plan(line)).toEqual({ lines: [line], file: null, directory: null });
  });

  it("goes line by line, or between the lines of a wrapper, where the file says so", () => {
    expect(plan("a\nb", direct)).toEqual({ lines: ["a", "b"], file: null, directory: null });
    const wrapped = {
      ...direct,
      input: {
        ...direct.input,
        multiline_delivery: "wrapper" as const,
        multiline_wrapper: { open: ":{", close: ":}", trigger: "auto" as const },
      },
    };
    expect(plan("a\nb", wrapped)).toEqual({
      lines: [":{", "a", "b", ":}"],
      file: null,
      directory: null,
    });
    expect(plan("a", wrapped)).toEqual({ lines: ["a"], file: null, directory: null });
  });

  it("goes as one encoded line, and into a file where that is too long", () => {
    const encoded = { ...bash, input: { ...bash.input, multiline_delivery: "encoded_scriptblock" as const } };
    const short = plan("a\nb", encoded);
    expect(short).toMatchObject({ file: null });
    expect(
      Buffer.from(
        /'([^']+)'/.exec((short as { lines: readonly string[] }).lines[0] ?? "")?.[1] ?? "",
        "base64",
      ).toString(),
    ).toBe("a\nb");
    expect((plan(`${"x".repeat(5000)}\nb`, encoded) as { file: object | null }).file).not.toBeNull();
  });

  it.each([
    ["a control character", "echo \x03", "U+0003"],
    ["an escape sequence", "echo \x1b[A", "U+001B"],
  ])("with %s is not typed", (_what, command, words) => {
    expect(plan(command)).toContain(words);
  });

  it("with a tab is not typed where it would complete the line", () => {
    expect(plan("a\tb", direct)).toContain("tab");
    expect((plan("a\tb") as { file: object | null }).file).not.toBeNull();
  });

  it("longer than the kernel's line is not typed", () => {
    expect(plan("x".repeat(4500), direct)).toContain("longer than 4000 bytes");
  });

  it("whose brackets are open is not typed", () => {
    expect(plan("(define (f x)", seed)).toContain("not complete");
  });
});

describe("the way to a folder", () => {
  const cd = (
    quote: "single_quote_posix" | "single_quote_pwsh" | "double_quote_cmd" | "c_style_double_quote",
    path: string,
  ) =>
    buildCdCommand(
      { capabilities: { ...bash.capabilities, cd_command: "cd {path}", cd_command_quote: quote } },
      path,
    );

  it("is written in the program's own quotes", () => {
    expect(cd("single_quote_posix", "/it's")).toBe("cd /it'\\''s");
    expect(cd("single_quote_pwsh", "/it's")).toBe("cd /it''s");
    expect(cd("double_quote_cmd", '/a"b')).toBe('cd /a""b');
    expect(cd("c_style_double_quote", '/a"\\b')).toBe('cd /a\\"\\\\b');
    expect(cd("single_quote_posix", "/$&")).toBe("cd /$&");
  });

  it("is not written where it would be two commands", () => {
    expect(cd("single_quote_posix", "/a\nb")).toBeNull();
    expect(
      buildCdCommand({ capabilities: { ...bash.capabilities, cd_command: undefined } }, "/a"),
    ).toBeNull();
  });
});
