/** `prompt` and `output` of a program file: how it is seen that a command has ended, and what of the bytes is its output. */
import * as v from "valibot";
import { pattern } from "../file-parts.js";
import { keys, lineEnding, promptPattern, wait, word } from "./program-parts.js";

/** A sequence such as `"\x1b]633;A\x07"`, or its letter; its number and letter count, either terminator is taken. */
const oscMark = v.pipe(
  v.string(),
  v.check(isMark, 'expected a sequence such as "\\x1b]633;A\\x07", or its letter'),
);

/** The number and letter of a mark's sequence, or of its letter alone: `633;A`. */
export function readMark(sequence: string): string | null {
  if (/^[A-Z]$/.test(sequence)) return `633;${sequence}`;
  const ending = ["\x07", "\x1b\\"].find((each) => sequence.endsWith(each));
  if (ending === undefined || !sequence.startsWith("\x1b]")) return null;
  const inner = sequence.slice(2, -ending.length);
  return /^\d{1,4};[A-Z]$/.test(inner) ? inner : null;
}

function isMark(sequence: string): boolean {
  return readMark(sequence) !== null;
}

export const promptSection = v.strictObject({
  /** How its prompt is found. */
  strategy: v.picklist(["shell_integration", "marker", "regex"]),
  /** With `strategy: shell_integration`: the marks that the program prints. */
  shell_integration: v.optional(
    v.strictObject({
      /** The protocol of the marks. */
      protocol: v.optional(v.literal("osc633"), "osc633"),
      /** The marks, where the program prints others than those of the protocol. */
      markers: v.optional(
        v.strictObject({
          /** The prompt begins. */
          prompt_start: v.optional(oscMark, "\x1b]633;A\x07"),
          /** The end of the prompt, where typed text begins. */
          command_input_start: v.optional(oscMark, "\x1b]633;B\x07"),
          /** The command begins: what follows is its output. */
          command_executed: v.optional(oscMark, "\x1b]633;C\x07"),
          /** The command has ended, with its exit code. */
          command_finished: v.optional(oscMark, "\x1b]633;D\x07"),
          /** A property has a new value. */
          property_update: v.optional(oscMark, "\x1b]633;P\x07"),
        }),
        {},
      ),
      /** What properties mean. */
      property_updates: v.optional(
        v.strictObject({
          /** The property that holds the working directory. */
          cwd_key: v.optional(word, "Cwd"),
          /** The property that tells the mode: that of `modes` whose `reported` it is, otherwise the default one. */
          mode_key: v.optional(word),
        }),
        {},
      ),
      /**
       * Words that the program prints instead of a number in the mark of an end, with their exit codes. Any other word means no
       * exit code.
       */
      exit_words: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer()))),
      /** What has no exit code, so that the program repeats that of something earlier: a pattern for the lines since its prompt. */
      no_exit_code: v.optional(pattern),
      /**
       * The mark of the end is part of the prompt, which a line editor may draw again: before the line feed of the typed line it
       * is ignored.
       */
      finished_in_prompt: v.optional(v.boolean(), false),
    }),
  ),
  /** The prompt that waits for a command: a regular expression for the cursor's line. */
  primary: v.optional(promptPattern),
  /** The prompt that waits for the rest of a command. */
  continuation: v.optional(promptPattern),
  /**
   * The text that leaves the continuation prompt: a certain error there. Of several lines each is written only while it is still
   * needed. Without it a program that marks its prompts is interrupted. Needs `continuation`.
   */
  continuation_escape: v.optional(keys),
  /** What the program prints where it was brought back in that way, besides the keys as its terminal shows them: a pattern for all of it, without its line feeds. What matches is no output of the command. */
  continuation_escape_output: v.optional(pattern),
  /** Parts of the prompt that mean something. */
  group_captures: v.optional(
    v.array(
      v.strictObject({
        /** Its name in results. */
        name: word,
        /** The group of `primary`. */
        group: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
        /** The type of its value. */
        type: v.optional(v.picklist(["int", "string"]), "string"),
        /** Its meaning. A `nesting_level` is the level in results where no mode has one. */
        role: v.optional(v.picklist(["monotonic_counter", "nesting_level", "mode_indicator"])),
      }),
    ),
    [],
  ),
});

export const outputSection = v.strictObject({
  /**
   * How long the output must be quiet behind a prompt before the command counts as finished. Output in that time belongs to the
   * command.
   */
  post_prompt_settle_ms: v.optional(wait, 0),
  /** `false`: results also carry the output with its colours. */
  strip_ansi: v.optional(v.boolean(), true),
  /** The typed command is no part of its output. */
  strip_input_echo: v.optional(v.boolean(), true),
  /** How the echo of typed text is separated from output. */
  input_echo_strategy: v.optional(
    v.picklist(["osc_boundaries", "deterministic_byte_match", "fuzzy_byte_match", "none"]),
    "osc_boundaries",
  ),
  /** What ends a line of its output. */
  line_ending: v.optional(lineEnding, "\r\n"),
  /** Output that no command has asked for. */
  async_interleave: v.optional(
    v.strictObject({
      /**
       * `redraw_detect`: output between two commands counts, without text drawn at the prompt; `quiesce`: the same, and a command
       * ends only when all is quiet; `accept`: it belongs to the next command; `none`: it is left out.
       */
      strategy: v.optional(v.picklist(["redraw_detect", "quiesce", "accept", "none"]), "redraw_detect"),
      /** Where it goes: apart, in front of the next command's output, or nowhere. */
      capture_as: v.optional(v.picklist(["out_of_band", "merge", "discard"]), "out_of_band"),
    }),
    {},
  ),
});
