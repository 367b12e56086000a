/** Checks references between parts of a program file: a strategy has all parts that it needs, and no part is unused. */
import * as v from "valibot";
import { findNearest } from "../../../model/data/nearest.js";
import { buildPath } from "../file-parts.js";
import { inputTempfile } from "./input-section.js";
import { isAnchored } from "./program-parts.js";
import { programFile, type ProgramFile } from "./program-file.js";

interface ProgramProblem {
  readonly at: readonly [string, ...(string | number)[]];
  readonly words: string;
}

/** A whole program file, as its sections say and as they belong together. */
export const linkedProgram = v.pipe(
  programFile,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return;
    for (const { at, words } of findProblems(dataset.value))
      addIssue({ message: words, received: "", path: buildPath(...at) });
  }),
  v.transform((file) => {
    const { input } = file;
    const isMissing = input.multiline_delivery === "tempfile" && !input.tempfile;
    return isMissing ? { ...file, input: { ...input, tempfile: POSIX_FILE } } : file;
  }),
);

/** How a POSIX shell reads a block where its file says no more than `multiline_delivery: tempfile`. */
const POSIX_FILE = v.parse(inputTempfile, {
  extension: ".sh",
  invocation_template: ". '{path}'",
  // Typed, it would be expanded from the history.
  needed_for: "![^\\s=]|^\\s*\\^",
});

function findProblems(file: ProgramFile): readonly ProgramProblem[] {
  return [
    ...initProblems(file),
    ...checkPrompt(file),
    ...checkInput(file),
    ...checkModes(file),
    ...checkCapabilities(file),
    ...testProblems(file),
  ];
}

function initProblems(file: ProgramFile): readonly ProgramProblem[] {
  const { init, process } = file;
  const scripts = [init.script_resource, init.script, file.integration_script].filter(isThere);
  const found: ProgramProblem[] = [];
  if (scripts.length > 1)
    found.push(
      makeProblem(
        ["init"],
        'only one of "script_resource", "script" and "integration_script" may stand there',
      ),
    );
  if (init.strategy === "shell_integration" && scripts.length === 0)
    found.push(makeProblem(["init", "strategy"], '"shell_integration" needs "script_resource" or "script"'));
  if (init.strategy === "shell_integration" && init.delivery === "none")
    found.push(makeProblem(["init", "strategy"], '"shell_integration" needs a "delivery" for its script'));
  if (init.strategy === "prompt_variable" && process.prompt_template === undefined)
    found.push(makeProblem(["init", "strategy"], '"prompt_variable" needs "process.prompt_template"'));
  if (init.strategy === "marker" && init.marker === undefined)
    found.push(makeProblem(["init", "strategy"], '"marker" needs "init.marker.primary"'));
  if (init.strategy === "regex" && file.prompt.primary === undefined)
    found.push(makeProblem(["init", "strategy"], '"regex" needs "prompt.primary"'));
  if (init.delivery === "rc_file" && init.rc_file === undefined)
    found.push(makeProblem(["init", "delivery"], '"rc_file" needs "init.rc_file"'));
  return found;
}

function checkPrompt({ prompt, init, output }: ProgramFile): readonly ProgramProblem[] {
  const found: ProgramProblem[] = [];
  if (prompt.strategy !== "shell_integration" && prompt.primary === undefined && init.marker === undefined)
    found.push(makeProblem(["prompt", "strategy"], `"${prompt.strategy}" needs "prompt.primary"`));
  if (prompt.strategy !== "shell_integration" && output.input_echo_strategy === "osc_boundaries")
    found.push(
      makeProblem(
        ["output", "input_echo_strategy"],
        '"osc_boundaries" needs "prompt.strategy: shell_integration"',
      ),
    );
  if (prompt.group_captures.length > 0 && !isAnchored(prompt.primary ?? ""))
    found.push(makeProblem(["prompt", "group_captures"], 'they need groups of "prompt.primary"'));
  return found;
}

function checkInput({ input, capabilities }: ProgramFile): readonly ProgramProblem[] {
  const found: ProgramProblem[] = [];
  const needsWrapper = input.multiline_delivery === "wrapper" || input.multiline_detect === "wrapper";
  if (needsWrapper && !input.multiline_wrapper)
    found.push(makeProblem(["input"], '"wrapper" needs "input.multiline_wrapper"'));
  const isPosix = capabilities.cd_command_quote === "single_quote_posix";
  if (input.multiline_delivery === "tempfile" && !input.tempfile && !isPosix)
    found.push(makeProblem(["input", "multiline_delivery"], '"tempfile" needs "input.tempfile"'));
  const parens = input.balanced_parens;
  if (input.multiline_detect === "balanced_parens" && !parens)
    found.push(makeProblem(["input", "multiline_detect"], '"balanced_parens" needs "input.balanced_parens"'));
  if (parens && parens.open.length !== parens.close.length)
    found.push(makeProblem(["input", "balanced_parens", "close"], 'expected as many as in "open"'));
  return found;
}

function checkModes({ modes, prompt }: ProgramFile): readonly ProgramProblem[] {
  const isTold = prompt.shell_integration?.property_updates.mode_key !== undefined;
  return modes.flatMap((mode, at) => {
    const found: ProgramProblem[] = [];
    if (modes.findIndex(({ name }) => name === mode.name) < at)
      found.push(makeProblem(["modes", at, "name"], `two modes are named "${mode.name}"`));
    const signs = [mode.primary, mode.detect, mode.reported].filter(isThere);
    if (signs.length === 0 && !mode.default)
      found.push(
        makeProblem(["modes", at, "name"], `mode "${mode.name}" needs "primary", "detect" or "reported"`),
      );
    if (mode.reported !== undefined && !isTold)
      found.push(
        makeProblem(
          ["modes", at, "reported"],
          '"reported" needs "prompt.shell_integration.property_updates.mode_key"',
        ),
      );
    if (mode.default && modes.findIndex((other) => other.default) < at)
      found.push(makeProblem(["modes", at, "default"], "only one mode can be the default"));
    return found;
  });
}

function checkCapabilities({ capabilities, signals, modes }: ProgramFile): readonly ProgramProblem[] {
  const { cd_command: cd, cd_command_quote: quote } = capabilities;
  const found: ProgramProblem[] = [];
  if (signals.interrupt === null && capabilities.interrupt)
    found.push(makeProblem(["capabilities", "interrupt"], '"signals.interrupt" is null: it must be false'));
  if (cd !== undefined && quote === undefined)
    found.push(makeProblem(["capabilities", "cd_command"], '"cd_command" needs "cd_command_quote"'));
  if (cd !== undefined && !cd.includes("{path}"))
    found.push(makeProblem(["capabilities", "cd_command"], 'expected "{path}" in it'));
  if (capabilities.auto_modes && !modes.some(({ auto_enter: auto }) => auto))
    found.push(makeProblem(["capabilities", "auto_modes"], 'no mode has "auto_enter: true"'));
  return found;
}

function testProblems({ tests, modes, commands }: ProgramFile): readonly ProgramProblem[] {
  const known = modes.map(({ name }) => name);
  const named = tests.flatMap(({ expect_mode: mode, setup_sequence: steps }, at) => [
    { at: ["tests", at, "expect_mode"] as const, mode },
    ...steps.map((step, index) => ({
      at: ["tests", at, "setup_sequence", index, "expect_mode"] as const,
      mode: step.expect_mode,
    })),
  ]);
  const scopes = (commands?.scope ?? []).map((mode, at) => ({
    at: ["commands", "scope", at] as const,
    mode,
  }));
  const empty = tests.flatMap(({ eval: code, setup, setup_sequence: steps }, at) =>
    (code ?? setup) === undefined && steps.length === 0
      ? [makeProblem(["tests", at], 'expected "eval", "setup" or "setup_sequence"')]
      : [],
  );
  return [
    ...empty,
    ...[...named, ...scopes].flatMap(({ at, mode }) => {
      if (mode === undefined || known.includes(mode)) return [];
      const meant = findNearest(mode, known);
      const help = meant ? `did you mean "${meant}"?` : `there are: ${known.join(", ") || "none"}`;
      return [makeProblem([...at], `there is no mode "${mode}"; ${help}`)];
    }),
  ];
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}

function makeProblem(at: ProgramProblem["at"], words: string): ProgramProblem {
  return { at, words };
}
