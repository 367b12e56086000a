/**
 * Programs that read or print, and builtins of shells: the options that are known to run, write and assign nothing, in the forms of GNU,
 * BSD and busybox and as a builtin. Any other option is asked about. Data.
 */
import { allowOnly as only, list, type Escapes } from "./escapes.js";

/** Their output may have any form. */
const PRINTS: Escapes = {};
/** A word of theirs sets a variable, or is arithmetic: bash runs the subscript of an array (`a[$(touch x)]`). */
const ASSIGNS: Escapes = { ...only("", ""), maxWords: 0 };
/** Their number is arithmetic in zsh. */
const COUNTS: Escapes = { ...only("", ""), words: /[^0-9]/, readsRule: true };
/** `-c` reads files that are not named in the command, but in a list. */
const SUMS: Escapes = only("binary text tag zero untagged raw base64 algorithm length", "btz", "al");
const GREP: Escapes = only(
  "extended-regexp fixed-strings basic-regexp perl-regexp regexp file ignore-case no-ignore-case invert-match word-regexp line-regexp " +
    "count color colour files-without-match files-with-matches max-count only-matching quiet silent no-messages byte-offset " +
    "with-filename no-filename label line-number initial-tab null text after-context before-context context binary-files devices " +
    "directories exclude exclude-from exclude-dir include recursive dereference-recursive line-buffered null-data",
  "EFGPivwxycLloqsbHhnTZazIrRUSO",
  "efmABCDd",
);
/** Options of `test`, without those that read a variable (`-v`, `-R`) or a number, which is arithmetic in zsh and ksh. */
const TEST = list("-e -f -d -r -w -x -s -z -n -L -h -b -c -p -S -g -u -k -O -G -N -nt -ot -ef -a -o");

export const READING_ESCAPES: Readonly<Record<string, Escapes>> = {
  ...{ echo: PRINTS, true: PRINTS, false: PRINTS },
  // `-v` and `%n` assign; zsh and ksh read numbers as arithmetic.
  printf: { ...only("", ""), words: /^(?!(?:[^%]|%-?[0-9]{0,4}(?:\.[0-9]{1,4})?[sbq%])*$)/, readsRule: true },
  print: { ...only("", "lnrN"), readsRule: true },
  test: { only: { long: [], short: "", exact: TEST }, readsRule: true },
  ...{ let: ASSIGNS, read: ASSIGNS, mapfile: ASSIGNS, readarray: ASSIGNS, getopts: ASSIGNS, vared: ASSIGNS },
  ...{ integer: ASSIGNS, float: ASSIGNS, private: ASSIGNS, nameref: ASSIGNS, functions: ASSIGNS },
  ...{ exit: COUNTS, return: COUNTS, break: COUNTS, continue: COUNTS, shift: COUNTS, logout: COUNTS },
  // `wait -p` assigns, `jobs -x` runs its arguments.
  wait: { ...only("", "nf"), readsRule: true },
  jobs: { ...only("", "lnprs"), readsRule: true },
  // In fish a named group of a pattern is a variable that it sets.
  string: { words: /\(\?/ },
  cd: only("", "LPe"),
  pwd: only("logical physical", "LP"),

  ls: only(
    "all almost-all author escape block-size ignore-backups color directory dired classify file-type format full-time group-directories-first " +
      "no-group human-readable si dereference dereference-command-line hide hyperlink indicator-style inode ignore kibibytes " +
      "numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive size sort time time-style " +
      "tabsize width context zero",
    "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOPTWy%",
    "ITw",
  ),
  cat: only(
    "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
    "AbeEnstTuv",
  ),
  head: only("bytes lines quiet silent verbose zero-terminated", "qvz", "nc"),
  tail: only(
    "bytes follow lines max-unchanged-stats pid quiet silent retry sleep-interval verbose zero-terminated",
    "fFqvzr",
    "ncbs",
  ),
  stat: only("dereference file-system cached format printf terse", "LFlnqrsx", "cft"),
  df: only(
    "all block-size human-readable si inodes local no-sync output portability print-type total type exclude-type",
    "aghHiklmnPTYb",
    "Btx",
  ),
  basename: only("multiple suffix zero", "az", "s"),
  dirname: only("zero", "z"),
  realpath: only(
    "canonicalize-existing canonicalize-missing logical physical quiet relative-to relative-base strip no-symlinks zero",
    "emLPqsz",
  ),
  readlink: only(
    "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero",
    "femnqsvz",
  ),
  which: only("all skip-dot skip-tilde show-dot show-tilde tty-only", "as"),
  ...{ whoami: only("", ""), tty: only("silent quiet", "s"), groups: only("", "") },
  id: only("group groups name real user zero context", "agGnruzZpPFAc"),
  uname: only(
    "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system",
    "asnrvmpio",
  ),
  nproc: only("all ignore", ""),
  // On macOS it runs its arguments.
  arch: { ...only("", ""), maxWords: 0 },
  locale: only("all-locales charmaps category-name keyword-name verbose", "amckv"),
  uptime: only("pretty since", "ps"),
  ps: only(
    "forest sort format pid ppid user group headers no-headers cols columns rows lines width deselect tty sid quick-pid info",
    "aAcdeEfFgGhHjlLmMPrRsSTuvVwxXyZ",
    "CGgkNnoOpqtUu",
  ),
  free: only(
    "bytes mega giga tera kibi mebi gibi tebi human si lohi line total seconds count wide",
    "bkmghltwvL",
    "sc",
  ),
  cut: only(
    "bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated",
    "nsz",
    "bcdf",
  ),
  tr: only("complement delete squeeze-repeats truncate-set1", "cCdstu"),
  comm: only("check-order nocheck-order output-delimiter total zero-terminated", "iz"),
  cmp: only("print-bytes ignore-initial verbose bytes quiet silent", "bhlsxz", "in"),
  nl: only(
    "body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines number-format no-renumber " +
      "number-separator starting-line-number number-width",
    "p",
    "bdfhilnsvw",
  ),
  tac: only("before regex separator", "br", "s"),
  rev: only("zero", "0"),
  fold: only("bytes spaces width", "bs", "w"),
  expand: only("initial tabs", "i", "t"),
  unexpand: only("all first-only tabs", "a", "t"),
  column: only(
    "json separator output-separator output-width table table-name table-columns table-noextreme table-noheadings table-right table-truncate " +
      "table-wrap table-empty-lines table-maxout fillrows keep-empty-lines",
    "JtxLemd",
    "scoNRTWE",
  ),
  ...{ md5sum: SUMS, sha1sum: SUMS, sha256sum: SUMS, sha512sum: SUMS, cksum: SUMS, b2sum: SUMS },
  sum: only("sysv", "rs"),
  ...{ grep: GREP, egrep: GREP, fgrep: GREP },
  seq: only("format separator equal-width", "w", "fst"),
  od: only(
    "address-radix endian skip-bytes read-bytes strings format output-duplicates width traditional",
    "abcdfhHilosxvX",
    "AjNStw",
  ),
  hexdump: only(
    "one-byte-octal one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex format length skip no-squeezing",
    "bcCdovxX",
    "efns",
  ),
  // A word with that sign names a file of further words.
  strings: {
    ...only(
      "all print-file-name bytes radix encoding include-all-whitespace output-separator",
      "afowd",
      "ntes",
    ),
    words: /^@/,
  },
  // Its `-D` writes a file.
  lsof: only("", "abChlnNoOPRtUvVwX", "acdFgiprsTuE"),
};
