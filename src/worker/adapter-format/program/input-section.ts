/** `input` of a program file: how a command of one or several lines is brought in. */
import * as v from "valibot";
import { expectation, keys, lineEnding, refuseReserved, word, words } from "./program-parts.js";

const HEREDOC = 'the block would have to be free of its own end mark; use "tempfile" or "direct"';
const INDENT = 'it is for the next version of this format; use "prompt_based" or "none"';

const brackets = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(4))),
  v.minLength(1),
  v.maxLength(8),
);

export const balancedParens = v.strictObject({
  /** Opening brackets. */
  open: brackets,
  /** Closing brackets, in the same order. */
  close: brackets,
  /** What a text begins and ends with. */
  string_delims: v.optional(v.array(word), ['"']),
  /** What makes the next character of a text ordinary. */
  escape: v.optional(word, "\\"),
  /** What begins a comment up to the end of the line. */
  line_comment: v.optional(word),
  /** What begins and ends a comment. */
  block_comment: v.optional(v.tuple([word, word])),
  /** What makes the next character a literal (`#\(`). */
  char_literal_prefix: v.optional(word),
  /** What makes the whole next datum a comment (`#;`). */
  datum_comment_prefix: v.optional(word),
});

export const inputTempfile = v.strictObject({
  /** How the name of the block's file begins. */
  prefix: v.optional(word, ".atlasbridge-exec-"),
  /** How the name of the block's file ends. */
  extension: v.optional(v.pipe(v.string(), v.maxLength(12)), ""),
  /** The block's file, with `{temp_dir}`, `{pid}`, `{guid}`. Default: prefix, pid and guid in the temporary folder. */
  path_template: v.optional(words),
  /** The line that runs the file, with `{path}`. */
  invocation_template: words,
  /**
   * Text behind the block in its file. It is left out where it might become a part of the block: behind a here-document
   * (`<<WORD`) that has no line `WORD`.
   */
  ending: v.optional(words),
  /** A command of one line that matches it goes into the file, too: typed, the program would run something else, as with `!` in bash. */
  needed_for: v.optional(expectation),
  /** Lines of the program's history that match it are ours, and hidden from it: `{history_filter}` in scripts. */
  history_filter: v.optional(expectation),
  /** Files that sessions left which were killed are removed at the start. */
  cleanup_on_start: v.optional(v.boolean(), true),
  /** Only those older than this many hours. */
  stale_ttl_hours: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(24 * 365)), 24),
});

export const inputSection = v.strictObject({
  /** What ends each line. */
  line_ending: v.optional(lineEnding),
  /** How it is seen that a block is incomplete. With `none` a block needs `tempfile`, or it is refused. */
  multiline_detect: v.optional(
    v.union([
      v.picklist(["prompt_based", "wrapper", "balanced_parens", "none"]),
      refuseReserved("indent_based", INDENT),
    ]),
    "none",
  ),
  /** How a block of several lines is given. */
  multiline_delivery: v.optional(
    v.union([
      v.picklist(["direct", "tempfile", "wrapper", "encoded_scriptblock"]),
      refuseReserved("heredoc", HEREDOC),
    ]),
    "direct",
  ),
  /** Text around a block. */
  multiline_wrapper: v.optional(
    v.strictObject({
      /** The line before the block. */
      open: words,
      /** The line after the block. */
      close: words,
      /** When it is used: `auto` for blocks of more than one line. */
      trigger: v.optional(v.picklist(["auto", "always", "never"]), "auto"),
    }),
  ),
  /** The brackets that must be balanced before a block is typed. */
  balanced_parens: v.optional(balancedParens),
  /** The file of a block. A POSIX shell (`cd_command_quote: single_quote_posix`) reads it by `. FILE` where nothing else is said. */
  tempfile: v.optional(inputTempfile),
  /** How long to wait after each line. */
  chunk_delay_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)), 0),
  /**
   * The keys that empty the line before a command is typed, used only if the line is seen to hold something. Only keys that are
   * proved to do nothing else.
   */
  clear_line: v.optional(v.nullable(keys), null),
});
