/** `capabilities`, `probe` and `tests` of a program file: its abilities, and the proof that the file works here. */
import * as v from "valibot";
import { expectation, script, wait, word, words } from "./program-parts.js";

export const CD_QUOTES = [
  "single_quote_posix",
  "single_quote_pwsh",
  "double_quote_cmd",
  "c_style_double_quote",
] as const;

export const capabilitiesSection = v.strictObject({
  /** What a command sets, the next one sees. */
  stateful: v.optional(v.boolean(), true),
  /** Its interrupt can be relied on. */
  interrupt: v.optional(v.boolean(), false),
  /** `commands` is filled in. */
  meta_commands: v.optional(v.boolean(), false),
  /** It enters modes without a command. */
  auto_modes: v.optional(v.boolean(), false),
  /** Output can come between commands. */
  async_output: v.optional(v.boolean(), false),
  /** Whether its exit codes are known; `unreliable`: they are always 0, so results tell none. */
  exit_code: v.optional(v.union([v.boolean(), v.literal("unreliable")]), false),
  /** It reports its working directory. */
  cwd_tracking: v.optional(v.boolean(), false),
  /** How the reported directory is written. */
  cwd_format: v.optional(v.picklist(["windows_native", "posix", "none"]), "none"),
  /** `&`, `fg`, `bg` and suspending work. */
  job_control: v.optional(v.boolean(), false),
  /** The protocol of its marks. */
  shell_integration: v.optional(v.nullable(v.picklist(["osc633", "iterm2", "kitty"])), null),
  /** How a typing person is detected: by text behind the prompt, or by what the processes of its terminal wait for. */
  user_busy_detection: v.optional(v.picklist(["osc_b", "process_polling", "none"]), "none"),
  /** With `process_polling`. */
  user_busy_detection_params: v.optional(
    v.looseObject({
      /** How often is looked. */
      interval_ms: v.optional(wait),
    }),
  ),
  /** The command that changes its working directory, with `{path}`: `send --cd`. */
  cd_command: v.optional(words),
  /** The quotes around `{path}` in it, by which the path is escaped. */
  cd_command_quote: v.optional(v.picklist(CD_QUOTES)),
});

export const probeSection = v.strictObject({
  /** The command to run. */
  eval: words,
  /** What its output must match. Of a pattern with a group, `probe` prints the group: the version. */
  expect: expectation,
  /** What the program is of no use without, such as a server. */
  needs: v.optional(
    v.strictObject({
      /** A command that ends with 0 where it is there, with `{shell_path}` for the program. No shell reads it. */
      command: v.pipe(v.array(words), v.minLength(1), v.maxLength(20)),
      /** Why nothing was tested otherwise. */
      otherwise: words,
    }),
  ),
});

const assertions = {
  /** What the output must match. */
  expect: v.optional(expectation),
  /** Whether it must fail. */
  expect_error: v.optional(v.boolean()),
  /** Its exit code. */
  expect_exit_code: v.optional(v.pipe(v.number(), v.integer())),
  /** Whether the working directory must be reported. */
  expect_cwd_update: v.optional(v.boolean()),
  /** With `true`: no mark `L` may come, by which PowerShell's script of the ripple schema tells the exit code of a native program. */
  expect_no_last_exit: v.optional(v.boolean()),
  /** The mode that it must be in then. */
  expect_mode: v.optional(word),
  /** The depth of that mode. */
  expect_level: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** What output outside of the command must match. */
  expect_out_of_band: v.optional(expectation),
  /** The test shows a limit of the program, and no promise. */
  exit_code_is_unreliable: v.optional(v.boolean()),
};

export const sequenceStep = v.strictObject({
  /** The commands to run. */
  eval: script,
  ...assertions,
});

export const contractTest = v.strictObject({
  /** The thing that it shows. */
  name: word,
  /** Commands to run first. */
  setup: v.optional(script),
  /** Steps to run first, one after the other, each with its own expectations. */
  setup_sequence: v.optional(v.array(sequenceStep), []),
  /** The commands to run. Without them the steps before are the test, and the last one must meet the expectations. */
  eval: v.optional(script),
  ...assertions,
});
