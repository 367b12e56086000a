/** The command and the executable of a program file become what is started: as their author wrote them, and never a file of the folder. */
import { makeFileFolder } from "../../../../support/temporary-folder.js";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProgramFile } from "../../../../../src/worker/adapter-format/program/program-file.js";
import { findProgram, prepareLaunch } from "../../../../../src/worker/runtimes/program/launch.js";
import { readFixture } from "../../../../support/program/open.js";

const folder = makeFileFolder("launch");

const script = join(folder, "toy-g.py");
const environment = { PATH: process.env["PATH"], PLACE: "/my place", EMPTY: "", H: "x", TRICK: "{nonce}" };

function start(template: string, invocation: string, more: Partial<ProgramFile["process"]> = {}) {
  rmSync(script, { force: true });
  const read = readFixture("toy");
  const { process, init } = read.program;
  const program = {
    ...read.program,
    process: { ...process, ...more, command_template: template },
    init: { ...init, init_invocation_template: invocation },
  };
  const place = { args: ["own word"], typed: "toy", cwd: "/", guid: "g", nonce: "n" };
  return prepareLaunch({ ...read, program }, { ...place, environment, folder }).command;
}

describe("process.command_template", () => {
  it.each<[string, string, string[], { prompt_template?: string }?]>([
    ['"{shell_path}" -i {init_invocation}', '"{tempfile_path}"', ["toy", "-i", script]],
    ['"{shell_path}" --use:{init_invocation}', '"{tempfile_path}"', ["toy", `--use:${script}`]],
    ['"{shell_path}" -c "{init_invocation}"', ". '{tempfile_path}'; x", ["toy", "-c", `. '${script}'; x`]],
    ["{shell_path} {init_invocation}", '-f "{tempfile_path}"', ["toy", "-f", script]],
    [
      '"{shell_path}" -c "{init_invocation}"',
      'source "{tempfile_path}"',
      ["toy", "-c", `source "${script}"`],
    ],
    ["{shell_path} %PLACE%/x $PLACE", "", ["toy", "/my place/x", "$PLACE"]],
    ['{shell_path} -c "date +%H%M%S"', "", ["toy", "-c", "date +%H%M%S"]],
    ["{shell_path} %TRICK% {prompt}", "", ["toy", "{nonce}", "%PLACE%"], { prompt_template: "%PLACE%" }],
  ])("%s with %s", (template, invocation, command, more = {}) => {
    expect(start(template, invocation, more)).toEqual([...command, "own word"]);
  });

  it("has the prompt by both of its names", () => {
    const command = start('{shell_path} /k "prompt {prompt_template}" {prompt}', "", {
      prompt_template: "$P$G ",
    });
    expect(command).toEqual(["toy", "/k", "prompt $P$G ", "$P$G ", "own word"]);
  });

  it.each(["NO_SUCH_FOLDER", "EMPTY"])("starts nothing where a variable is not set or empty: %s", (name) => {
    expect(() => start(`{shell_path} -jar %${name}%/x.jar`, "")).toThrow(
      `needs a variable that is not set or empty: %${name}%/x.jar`,
    );
  });
});

describe("process.executable_candidates", () => {
  const find = (candidates: string[]): string =>
    findProgram(
      { name: "toy", process: { ...readFixture("toy").program.process, executable_candidates: candidates } },
      { typed: null, environment: { ...environment, HERE: "/usr" }, cwd: "/" },
    );

  it("are tried in their order, without those whose variable is not set", () => {
    expect(find(["C:\\Perl\\perl.exe", "%NO_SUCH_FOLDER%/bin/sh", "%HERE%/bin/env"])).toBe("/usr/bin/env");
  });

  it("are none below the folder that the program is started in", () => {
    expect(find(["%EMPTY%usr/bin/env", "usr/bin/env", "./usr/bin/env", "%HERE%/bin/env"])).toBe(
      "/usr/bin/env",
    );
    expect(() => find(["%EMPTY%usr/bin/env", "usr/bin/env", "./usr/bin/env"])).toThrow("was not found");
  });

  it("are named where none is there", () => {
    expect(() => find(["%NO_SUCH_FOLDER%/bin/sh", "no-such-toy", "no-such-toy"])).toThrow(
      "the executable of toy was not found (%NO_SUCH_FOLDER%/bin/sh, no-such-toy, no-such-python, toy)",
    );
  });
});
