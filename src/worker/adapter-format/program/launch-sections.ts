/** `process`, `ready` and `init` of a program file: how the program is started, and how it is taught to mark its prompts. */
import * as v from "valibot";
import { keys, lineEnding, refuseReservedLimit, script, wait, word, words } from "./program-parts.js";

export const processSection = v.strictObject({
  /**
   * The command, with `{shell_path}`, `{init_invocation}`, `{tempfile_path}`, `{pid}`, `{guid}`, `{temp_dir}`, `{nonce}`, and `%NAME%` for
   * environment variables. It is cut into arguments first, together with `{init_invocation}` (double quotes keep blanks), and filled in
   * then, so a value is never split and no shell reads it. Default: `"{shell_path}"`. The person's own arguments stand where `{args}` does,
   * otherwise at the end.
   */
  command_template: v.optional(words),
  /**
   * Arguments of the person under which the script would not be read. The program does not get them; the script honours them itself, by
   * `{taken_arguments}`.
   */
  taken_arguments: v.optional(v.array(word), []),
  /** With `strategy: prompt_variable`: the prompt that the program is given, in the environment variable `PROMPT` and as `{prompt}` or `{prompt_template}`. */
  prompt_template: v.optional(words),
  /** The executable, where its name is not the program's. `%NAME%` and `$NAME` are environment variables. */
  executable: v.optional(word),
  /** Where it may be: the first that exists is started, and one with a variable that is not set is none. They win over `executable`, which wins over the adapter's name. */
  executable_candidates: v.optional(v.nullable(v.array(words))),
  /** `false`: it gets only the variables that every login has, and those of `env`. */
  inherit_environment: v.optional(v.boolean(), true),
  /** Variables that are set for it, with placeholders as in `command_template`. */
  env: v.optional(v.record(v.string(), v.string()), {}),
  /** The encoding of its terminal. */
  encoding: v.optional(v.literal("utf-8"), "utf-8"),
  /** What ends a line that is written to it, where `input` says nothing else. */
  line_ending: v.optional(lineEnding, "\n"),
});

const READY_LIMIT =
  "a program is waited for as long as it takes to start; the caller's own time limit ends the wait";

export const readySection = v.strictObject({
  /**
   * What shows that it is ready: `prompt_start`: the first prompt that `prompt` finds; `marker`, `regex`: `prompt.primary` where it is drawn,
   * also of a program whose later prompts are marked; `custom`: once its output settled.
   */
  wait_for_event: v.optional(v.picklist(["prompt_start", "marker", "regex", "custom"]), "prompt_start"),
  /** Reserved. */
  timeout_ms: v.optional(refuseReservedLimit(READY_LIMIT), 0),
  /** With `delivery: pty_inject`: how long its output is quiet before the script is injected. */
  settle_before_inject_ms: v.optional(wait, 0),
  /** The injected lines are not shown at the terminal. */
  suppress_mirror_during_inject: v.optional(v.boolean(), false),
  /** Enter is pressed once it is ready, for a program whose first prompt was lost in the injection. */
  kick_enter_after_ready: v.optional(v.boolean(), false),
  /** How long to wait after the injection. */
  delay_after_inject_ms: v.optional(wait, 0),
  /** The least time to wait for its first output to settle. */
  output_settled_min_ms: v.optional(wait, 0),
  /** How long the first output must be quiet to count as settled. */
  output_settled_stable_ms: v.optional(wait, 100),
  /** After this time it counts as settled. */
  output_settled_max_ms: v.optional(wait, 30_000),
});

export const HOOK_TYPES = [
  "prompt_function",
  "prompt_variable",
  "preexec",
  "ps0",
  "precommand_lookup_action",
  "debug_trap",
  "custom",
  "none",
] as const;

/** Whether its hook reports that a command begins. */
export function marksBegin({
  hook_type: hook,
}: Pick<v.InferOutput<typeof initSection>, "hook_type">): boolean {
  return !["none", "prompt_function", "prompt_variable"].includes(hook);
}

export const initSection = v.strictObject({
  /** How its prompts are made recognizable. */
  strategy: v.picklist(["shell_integration", "marker", "prompt_variable", "regex", "none"]),
  /** When its hook reports that a command begins. With `prompt_function`, `prompt_variable` and `none` nothing does, so the echo must be found in the output. */
  hook_type: v.optional(v.picklist(HOOK_TYPES), "none"),
  /** How the script reaches it. */
  delivery: v.optional(v.picklist(["launch_command", "pty_inject", "rc_file", "none"]), "none"),
  /** A file that holds the script: beside the adapter, or in a folder `ShellIntegration` beside the adapter's folder. */
  script_resource: v.optional(word),
  /** The script. `{nonce}` in it becomes the session's secret: marks without it are then ignored. */
  script: v.optional(script),
  /** The text that replaces `{init_invocation}`, or that is typed with `delivery: pty_inject`. Placeholders as in `command_template`. */
  init_invocation_template: v.optional(words),
  /** The file that the script is written to. */
  tempfile: v.optional(
    v.strictObject({
      /** How the name of the script's file begins. */
      prefix: v.optional(word, ".atlasbridge-init-"),
      /** How the name of the script's file ends. */
      extension: v.optional(v.pipe(v.string(), v.maxLength(12)), ""),
    }),
  ),
  /** Words for the person at the terminal that the session is shared. */
  banner_injection: v.optional(
    v.strictObject({
      /** `prepend_to_tempfile`: the program prints them, by lines at the head of its script; `write_before_pty`: we print them before it starts. */
      mode: v.picklist(["prepend_to_tempfile", "write_before_pty", "none"]),
      /** The first line, with `{banner}`. */
      banner_template: v.optional(words),
      /** The second line, with `{reason}`. */
      reason_template: v.optional(words),
    }),
  ),
  /** With `delivery: rc_file`: where the program looks for the script. */
  rc_file: v.optional(
    v.strictObject({
      /** The variable that names the folder. */
      dir_env_var: word,
      /** The file in that folder. */
      file_name: word,
    }),
  ),
  /** With `strategy: marker`: the prompts as they are set. */
  marker: v.optional(
    v.strictObject({
      /** The prompt that waits for a command. */
      primary: keys,
      /** The prompt that waits for the rest of one. */
      continuation: v.optional(keys),
    }),
  ),
});
