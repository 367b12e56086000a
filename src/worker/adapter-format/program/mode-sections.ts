/** `modes`, `commands`, `signals` and `lifecycle` of a program file. */
import * as v from "valibot";
import { keys, promptPattern, refuseReservedLimit, wait, word, words } from "./program-parts.js";

export const mode = v.strictObject({
  /** Its name. */
  name: word,
  /** Its prompt. */
  primary: v.optional(promptPattern),
  /** The mode that it starts in. */
  default: v.optional(v.boolean(), false),
  /** The program enters it without a command, so it is looked for after every command. */
  auto_enter: v.optional(v.boolean(), false),
  /** What in the output shows that it was entered; without it the prompt alone does. */
  detect: v.optional(promptPattern),
  /** With `mode_key` in `prompt`: what the property says in this mode. */
  reported: v.optional(word),
  /** It can be entered while it is on. */
  nested: v.optional(v.boolean(), false),
  /** The group of its prompt that holds the depth. */
  level_capture: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9))), null),
  /** Commands that move on and stay in it. */
  advance_commands: v.optional(
    v.array(
      v.strictObject({
        /** The command to type. */
        command: words,
        /** Its effect. */
        effect: v.picklist(["step_in", "step_over", "step_out"]),
      }),
    ),
    [],
  ),
  /** Commands that leave it. */
  exit_commands: v.optional(
    v.array(
      v.strictObject({
        /** The command to type. */
        command: words,
        /** Where that leads. */
        effect: v.picklist(["return_to_toplevel", "unwind_one_level", "invoke_restart", "resume"]),
      }),
    ),
    [],
  ),
  /** The prompt that shows that it was left. */
  exit_detect: v.optional(promptPattern),
});

const debuggerCommand = v.optional(v.nullable(words));

/** Hints for people and agents; none of them is enforced. */
export const commandsSection = v.strictObject({
  /** What its own commands begin with. */
  prefix: v.optional(v.string(), ""),
  /** The modes in which they work. */
  scope: v.optional(v.array(word), []),
  /** The command that lists all of them. */
  discovery: v.optional(words),
  /** The most useful ones. */
  builtin: v.optional(
    v.array(
      v.strictObject({
        /** Its name. */
        name: word,
        /** How it is written. */
        syntax: words,
        /** Its effect. */
        description: v.optional(words),
      }),
    ),
    [],
  ),
  /**
   * A debugger's commands; null where there is none. Placeholders: `{expr}`, `{target}`, `{line}`, `{file}`. `step_in`, `step_over`,
   * `step_out`, `continue`, `locals`, `backtrace` and `run` become buttons in chats where they contain no `{…}` and chats show them
   * whole (one line, without blanks at its ends): in the modes of `scope`; without it, with `family: debugger`, in the modes that have
   * `advance_commands`, or in all if none has.
   */
  debugger: v.optional(
    v.strictObject({
      /** Into the next call. */
      step_in: debuggerCommand,
      /** Over the next line. */
      step_over: debuggerCommand,
      /** Back to the caller. */
      step_out: debuggerCommand,
      /** On to the next breakpoint. */
      continue: debuggerCommand,
      /** From the start. */
      run: debuggerCommand,
      /** The value of an expression. */
      print: debuggerCommand,
      /** All parts of a value. */
      dump: debuggerCommand,
      /** Who called whom. */
      backtrace: debuggerCommand,
      /** The source here. */
      source_list: debuggerCommand,
      /** Local variables. */
      locals: debuggerCommand,
      /** The current place. */
      where: debuggerCommand,
      /** Arguments of this call. */
      args: debuggerCommand,
      /** Stop at a function. */
      breakpoint_set: debuggerCommand,
      /** Stop at a line. */
      breakpoint_set_line: debuggerCommand,
      /** All breakpoints. */
      breakpoint_list: debuggerCommand,
      /** Without breakpoints from now on. */
      breakpoint_clear_all: debuggerCommand,
    }),
  ),
});

export const signalsSection = v.strictObject({
  /** What interrupts a command; null where it would end the whole program. */
  interrupt: v.optional(v.nullable(keys), null),
  /** What ends the input of a command that reads. */
  eof: v.optional(v.nullable(keys), null),
  /** What suspends a command. It needs `capabilities.job_control`. */
  suspend: v.optional(v.nullable(keys), null),
  /** What confirms the interrupt where it is asked for. */
  interrupt_confirm: v.optional(v.nullable(keys), null),
});

const READY_LIMIT = 'it would say the same as "ready.timeout_ms", and neither is used';

export const lifecycleSection = v.strictObject({
  /** Reserved. */
  ready_timeout_ms: v.optional(refuseReservedLimit(READY_LIMIT), 0),
  /** How a session is ended, as by `stop`. */
  shutdown: v.strictObject({
    /** The text to type at its prompt. */
    command: v.optional(v.nullable(words), null),
    /** How long it then has. */
    grace_ms: v.optional(wait, 1000),
    /** What ends it otherwise. */
    force_signal: v.optional(v.picklist(["kill", "term", "hup", "int"]), "kill"),
  }),
  /**
   * When a session that an agent started without arguments is started again: after a signal such as SIGSEGV or SIGKILL ended its program,
   * at most three times; and after an hour in which the agent did not use it.
   */
  restart_on: v.optional(v.array(v.picklist(["crash", "idle_timeout"])), []),
});
