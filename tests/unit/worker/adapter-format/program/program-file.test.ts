/**
 * A program file of the adapter spec is read as it stands; what the spec reserves is refused with its reason, an unknown key with the
 * nearest known one.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../../src/model/errors.js";
import { summarize } from "../../../../../src/plugins/adapters/describe-program.js";
import { isAnchored } from "../../../../../src/worker/adapter-format/program/program-parts.js";
import { readMark } from "../../../../../src/worker/adapter-format/program/prompt-sections.js";
import { readProgram } from "../../../../../src/worker/adapter-format/program/read-program.js";
import { planInput } from "../../../../../src/worker/runtimes/program/input/plan-input.js";

const SPEC = readFileSync("tests/fixtures/programs/seed.yaml", "utf8");
const PLACE = { folder: "/place", guid: "g" };

function problemIn(text: string): string {
  try {
    readProgram(text, "seed.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(AtlasBridgeError);
    expect((error as AtlasBridgeError).code).toBe("ATB_ADAPTER_INVALID");
    return (error as AtlasBridgeError).message;
  }
  throw new Error("nothing was refused");
}

function change(from: string | RegExp, to: string): string {
  const text = SPEC.replace(from, () => to);
  expect(text).not.toBe(SPEC);
  return text;
}

describe("a file with every example of the adapter spec", () => {
  const { program, notes, script } = readProgram(SPEC, "seed.yaml");

  it("is read as it stands", () => {
    expect(program.process.executable_candidates).toHaveLength(4);
    expect(program.input.balanced_parens?.char_literal_prefix).toBe("#\\");
    expect(program.signals.interrupt).toBe("\x03");
    expect(program.modes[1]?.exit_commands[1]?.effect).toBe("return_to_toplevel");
    expect(program.tests.at(-2)?.setup_sequence[0]?.expect_level).toBe(0);
    expect(script).toContain("$global:__rp_pending");
    expect(notes).toEqual([]);
  });

  it("tells a prompt that is written as its text from a regular expression", () => {
    expect(isAnchored(program.modes[0]?.primary ?? "")).toBe(false);
    expect(isAnchored(program.modes[1]?.primary ?? "")).toBe(true);
  });
});

describe("what the spec reserves is refused with its reason", () => {
  it.each([
    ["ready.timeout_ms", change("  timeout_ms: 0", "  timeout_ms: 100"), "waited for as long as it takes"],
    ["lifecycle.ready_timeout_ms", change("ready_timeout_ms: 0", "ready_timeout_ms: 5"), "neither is used"],
    [
      "indent_based",
      change("multiline_detect: balanced_parens", "multiline_detect: indent_based"),
      "next version",
    ],
    ["heredoc", change("multiline_delivery: tempfile", "multiline_delivery: heredoc"), "end mark"],
  ])("%s", (_what, text, reason) => {
    expect(problemIn(text)).toContain("reserved");
    expect(problemIn(text)).toContain(reason);
  });
});

describe("a program file is refused for", () => {
  it.each([
    [
      "an unknown key",
      change("  strip_ansi: false", "  strip_ansy: false"),
      'unknown key "output.strip_ansy"; did you mean "strip_ansi"? (adapter schema, section 7)',
    ],
    ["an unknown key of the file", `${SPEC}\nfamilie: shell\n`, "(adapter schema, section 2)"],
    ["an unknown word", change("hook_type: prompt_function", "hook_type: prompt_func"), "hook_type"],
    ["an agent's family", change("family: shell", "family: agent"), "family"],
    [
      "a strategy without its script",
      change(/ {2}script: \|\n.*\n/, ""),
      'needs "script_resource" or "script"',
    ],
    [
      "a strategy without its delivery",
      change("delivery: launch_command", "delivery: none"),
      'needs a "delivery"',
    ],
    [
      "a prompt variable without a prompt",
      change("strategy: shell_integration\n  hook", "strategy: prompt_variable\n  hook"),
      "prompt_template",
    ],
    ["two scripts", `${SPEC}\nintegration_script: x\n`, "only one of"],
    [
      "marks' echo without marks",
      change("deterministic_byte_match", "osc_boundaries").replace(
        /prompt:\n {2}strategy: shell_integration/,
        "prompt:\n  strategy: regex",
      ),
      "osc_boundaries",
    ],
    ["brackets without partners", change('close: [")", "]", "}"]', 'close: [")", "]"]'), "as many as"],
    [
      "a block's file of what is no POSIX shell",
      change(/ {2}tempfile:\n(?: {4}.*\n)+ {2}chunk/, "  chunk"),
      'needs "input.tempfile"',
    ],
    ["a mark that is none", change('"\\x1b]633;A\\x07"', '"AB"'), "or its letter"],
    ["two modes of one name", change("name: pry", "name: main"), "two modes"],
    ["an interrupt that is none", change('interrupt: "\\x03"', "interrupt: null"), "must be false"],
    ["a cd command without its quotes", change(/ {2}cd_command_quote: .*\n/, ""), "cd_command_quote"],
    [
      "a test of a mode that is not there",
      change("expect_mode: pry", "expect_mode: prie"),
      "there are: main, pry",
    ],
    ["a test that runs nothing", change(/ {4}eval: "2 \+ 3"\n/, ""), '"setup" or "setup_sequence"'],
    ["a pattern that takes long", change("'^pry\\(\\d+\\)> $'", "'^(a+)+$'"), "exponential"],
  ])("%s", (_what, text, words) => {
    expect(problemIn(text)).toContain(words);
    expect(problemIn(text)).toMatch(/seed\.yaml:\d+:\d+/);
  });

  it("an escape without a continuation prompt gets a note instead", () => {
    const text = change(/ {2}continuation: '\^.*\n/, "");
    expect(readProgram(text, "seed.yaml").notes.join()).toContain("continuation_escape");
  });

  it("a mode that tells no level, and commands that nobody lists, get notes instead", () => {
    expect(readProgram(change("nested: false", "nested: true"), "seed.yaml").notes.join()).toContain(
      '"level_capture"',
    );
    const unlisted = SPEC.replace(/\ncommands:\n(?: .*\n)+/, "\n");
    expect(readProgram(unlisted, "seed.yaml").notes.join()).toContain('"meta_commands" without "commands"');
  });
});

describe("published files are read with", () => {
  it("the letter of a mark instead of its sequence", () => {
    const text = change('"\\x1b]633;A\\x07"', '"A"');
    const { markers } = readProgram(text, "seed.yaml").program.prompt.shell_integration ?? {};
    expect(readMark(markers?.prompt_start ?? "")).toBe("633;A");
  });

  it("a hook that replaces the prompt's variable, a test that only sets up, and a long description", () => {
    readProgram(change("hook_type: prompt_function", "hook_type: prompt_variable"), "seed.yaml");
    readProgram(change('\n    eval: "pwd"', ""), "seed.yaml");
    const long = readProgram(change(/description: .*/, `description: A. ${"b ".repeat(400)}`), "seed.yaml");
    expect(summarize(long.program)).toBe("A");
  });

  it("a POSIX shell that reads its blocks by its dot", () => {
    const text = change(/ {2}tempfile:\n(?: {4}.*\n)+ {2}chunk/, "  chunk").replace(
      "cd_command_quote: single_quote_pwsh",
      "cd_command_quote: single_quote_posix",
    );
    const { program } = readProgram(text, "seed.yaml");
    expect(
      planInput("a\nb", { ...program, input: { ...program.input, multiline_detect: "none" } }, PLACE),
    ).toMatchObject({
      lines: [expect.stringMatching(/^\. '\/place\/.*\.sh'$/)],
    });
  });

  it("their scripts beside the file, or beside its folder", () => {
    const root = mkdtempSync(join(tmpdir(), "published-"));
    for (const folder of ["adapters", "ShellIntegration"]) mkdirSync(join(root, folder));
    const text = change(/ {2}script: \|\n.*\n/, "  script_resource: hooks.sh\n");
    const read = (): unknown => readProgram(text, join(root, "adapters", "seed.yaml")).script;
    expect(read).toThrow("ShellIntegration/hooks.sh");
    writeFileSync(join(root, "ShellIntegration", "hooks.sh"), "theirs");
    expect(read()).toBe("theirs");
    writeFileSync(join(root, "adapters", "hooks.sh"), "beside");
    expect(read()).toBe("beside");
    rmSync(root, { recursive: true });
  });
});
