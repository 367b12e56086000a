/**
 * Programs that run code of the project, with the words that they may get beyond those of a rule: a list of forbidden words could
 * never be complete. Data.
 */
import { list, type AllowedOptions, type Escapes } from "./escapes.js";

/** What the runners of tests take, and no value of these names a program or a file that is written. */
const TEST_OPTIONS: AllowedOptions = {
  long: list(
    "watch watch-all no-watch coverage no-coverage verbose silent quiet run bail ci color no-color passWithNoTests runInBand " +
      "testNamePattern testPathPattern testPathPatterns runTestsByPath onlyChanged changed findRelatedTests listTests maxWorkers " +
      "minWorkers detectOpenHandles forceExit testTimeout shard expand no-cache help version grep fgrep invert recursive parallel " +
      "exit timeout retries no-timeouts forbid-only forbid-pending hideSkippedTests",
  ),
  short: "thv",
  exact: ["--reporter=dot", "--reporter=verbose", "--reporter=default", "--reporter=spec", "--reporter=min"],
};

const PACKAGE_SCRIPTS: Escapes = {
  only: { long: list("silent verbose quiet if-present color no-color"), short: "sdq" },
  // What the script makes of its options is not known.
  onlyBehind: TEST_OPTIONS,
  isShellLine: true,
  ownWords: list(
    "test t run run-script install i ci ls list outdated audit view info why root bin prefix search start stop add",
  ),
};
const RUNNER: Escapes = { isShellLine: true };

export const BUILD_ESCAPES: Readonly<Record<string, Escapes>> = {
  npm: PACKAGE_SCRIPTS,
  pnpm: PACKAGE_SCRIPTS,
  yarn: PACKAGE_SCRIPTS,
  bun: { ...PACKAGE_SCRIPTS, only: TEST_OPTIONS },
  npx: RUNNER,
  pnpx: RUNNER,
  bunx: RUNNER,
  just: { isShellLine: true, only: { long: list("quiet verbose"), short: "qv" }, words: /=/ },
  task: { isShellLine: true, only: { long: list("silent verbose"), short: "sv" }, words: /=/, maxWords: 1 },
  nx: { isShellLine: true, only: { long: list("verbose"), short: "" } },
  turbo: { isShellLine: true, only: { long: list("force continue"), short: "" } },
  lerna: {
    isShellLine: true,
    only: { long: list("stream parallel"), short: "" },
    ownWords: list("run list ls changed diff"),
  },
  composer: { ...RUNNER, only: { long: list("quiet verbose no-interaction ansi no-ansi"), short: "qvn" } },
  cargo: {
    only: {
      long: list(
        "release workspace all package lib bin bins test tests example examples bench benches doc all-targets all-features " +
          "no-default-features features verbose quiet color message-format jobs no-run no-fail-fast locked offline frozen profile " +
          "keep-going exclude nocapture no-capture test-threads exact ignored include-ignored show-output skip list check help",
      ),
      short: "vqpjrFh",
    },
    words: /^\+/,
    ownWords: list("build check test clippy doc fmt bench tree metadata update fetch clean search version"),
  },
  "cargo clippy": {
    only: {
      long: list(
        "workspace all package lib tests examples all-targets all-features no-default-features features quiet verbose no-deps",
      ),
      short: "vqpDWA",
    },
  },
  go: {
    only: {
      long: list(
        "v run count race cover short timeout bench benchmem benchtime parallel failfast json list skip tags p cpu shuffle covermode " +
          "coverpkg n x vet m u deps f test",
      ),
      short: "",
      isSingleDash: true,
    },
    ownWords: list("build test vet fmt list doc version"),
  },
  make: {
    only: {
      long: list(
        "jobs keep-going silent quiet dry-run just-print always-make no-print-directory ignore-errors question output-sync",
      ),
      short: "jksnBiqO",
    },
    words: /=/,
    maxWords: 1,
  },
  ninja: { only: { long: list("verbose quiet"), short: "jkvn" }, maxWords: 1 },
  rake: { only: { long: list("quiet silent trace dry-run"), short: "qsnt" }, words: /=/, maxWords: 1 },
  mvn: {
    only: {
      long: list("quiet batch-mode offline threads no-transfer-progress errors fail-fast"),
      short: "qBoTeU",
      exact: ["-ntp", "-ff"],
    },
    maxWords: 1,
  },
  gradle: {
    only: {
      long: list(
        "quiet info debug stacktrace offline continue parallel no-daemon console rerun-tasks dry-run tests warn",
      ),
      short: "qidsmw",
    },
    maxWords: 1,
  },
  pytest: {
    only: {
      long: list(
        "verbose quiet exitfirst maxfail last-failed lf failed-first ff new-first nf stepwise sw collect-only co durations durations-min " +
          "tb no-header no-summary showlocals capture color disable-warnings no-cov cov numprocesses timeout version help strict-markers",
      ),
      short: "vqxslkmrnh",
      exact: ["--cov-report=term", "--cov-report=term-missing"],
    },
    words: /^@/,
  },
  jest: { only: { ...TEST_OPTIONS, short: "tihvow" } },
  vitest: { only: { ...TEST_OPTIONS, short: "thvw" } },
  mocha: { only: { ...TEST_OPTIONS, short: "gfibwtjsph" } },
  ava: { only: TEST_OPTIONS },
  tap: { only: TEST_OPTIONS },
  playwright: {
    only: {
      long: list("grep grep-invert headed workers retries project timeout list max-failures quiet"),
      short: "gjxh",
    },
  },
  eslint: {
    only: {
      long: list(
        "ext max-warnings quiet no-error-on-unmatched-pattern color no-color report-unused-disable-directives no-inline-config no-ignore " +
          "ignore-pattern no-warn-ignored version help debug",
      ),
      short: "vh",
      exact: ["--format=json", "--format=stylish", "--format=compact", "--format=unix"],
    },
  },
  prettier: {
    only: {
      long: list("check list-different no-color color log-level ignore-unknown version help"),
      short: "clu",
    },
  },
  tsc: {
    only: {
      long: list(
        "noEmit watch pretty strict skipLibCheck version help listFiles noErrorTruncation diagnostics extendedDiagnostics target module lib " +
          "jsx moduleResolution esModuleInterop allowJs checkJs resolveJsonModule noUnusedLocals noUnusedParameters noImplicitAny",
      ),
      short: "wvhtm",
    },
    words: /^(?:@|false$|null$)/i,
  },
  ruff: {
    only: {
      long: list(
        "check diff select ignore statistics quiet verbose no-cache exclude show-files version help",
      ),
      short: "qv",
    },
  },
  mypy: {
    only: {
      long: list(
        "strict ignore-missing-imports no-error-summary pretty show-error-codes no-color-output verbose",
      ),
      short: "vhmp",
    },
    words: /^@/,
  },
  rspec: {
    only: {
      long: list("example tag fail-fast color no-color seed"),
      short: "et",
      exact: ["--format=progress", "--format=documentation"],
    },
  },
};
