/**
 * System programs that people name in rules, and that run or write by options with unrelated names: the options that they may
 * get. Data.
 */
import { allowOnly, list, type Escapes } from "./escapes.js";

const APT: Escapes = allowOnly(
  "installed upgradable upgradeable all-versions names-only full quiet yes assume-yes assume-no simulate dry-run no-install-recommends " +
    "install-recommends recurse target-release with-new-pkgs version help",
  "aqysnf",
  "t",
);

/** Not `-B`, `-wrapper`, `-specs`, `-fplugin`, `-Wl,…`: programs, and files that say which are run. */
const COMPILER: Escapes = {
  only: {
    long: list("version help"),
    short: "cSEgvwO",
    valued: "DUIlL",
    exact: list(
      "-Wall -Wextra -Werror -Wpedantic -Wshadow -Wconversion -pedantic -ansi -fsyntax-only -fPIC -fpic -shared -static -pthread -Os -Og " +
        "-Ofast -std=c99 -std=c11 -std=c17 -std=gnu11 -std=gnu17 -std=c++11 -std=c++14 -std=c++17 -std=c++20",
    ),
  },
  // A file of further options.
  words: /^@/,
};

export const SYSTEM_ESCAPES: Readonly<Record<string, Escapes>> = {
  ...{ apt: APT, "apt-get": APT, "apt-cache": APT },
  ...{ gcc: COMPILER, "g++": COMPILER, cc: COMPILER, "c++": COMPILER, clang: COMPILER, "clang++": COMPILER },
  // `-TT` is a command, `-@` takes names from the input.
  zip: { ...allowOnly("recurse-paths quiet verbose junk-paths update freshen", "rqvjyux", "x"), words: /^@/ },
  split: allowOnly(
    "lines bytes line-bytes number numeric-suffixes hex-suffixes suffix-length additional-suffix elide-empty-files verbose",
    "dxeu",
    "lbnaC",
  ),
  csplit: allowOnly("digits quiet silent elide-empty-files keep-files suppress-matched", "nksqz", "n"),
  // With `-G` a second word is written.
  ptx: allowOnly(
    "auto-reference format ignore-case references right-side-refs width gap-size word-regexp",
    "AfrR",
    "wgW",
  ),
  systemctl: allowOnly(
    "all full lines type state property value plain no-legend no-pager failed quiet recursive reverse user system now",
    "alqr",
    "ntp",
  ),
  gpg: allowOnly(
    "list-keys list-public-keys list-secret-keys list-sigs check-sigs fingerprint with-fingerprint with-colons keyid-format verify armor " +
      "batch no-tty quiet verbose version",
    "kKqva",
  ),
};
