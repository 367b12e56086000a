/**
 * What a program must not be given beyond the words of the rule: options by which it runs or writes something that the rule does not
 * name. Data.
 */
import { BUILD_ESCAPES } from "./build-options.js";
import { list, type Escapes } from "./escapes.js";
import { READING_ESCAPES } from "./reading-options.js";
import { SYSTEM_ESCAPES } from "./system-options.js";

/** For a program that is not listed: the usual meaning of such options. */
export const UNLISTED: Escapes = {
  long: list(
    "exec execute command cmd eval expression script shell program run plugin plugins load load-plugins require import preload loader " +
      "hook init-hook bootstrap config config-file rcfile settings output out outfile output-file output-dir outdir log-file " +
      "pager editor rsh compress-program write fix in-place option filter host prefix invoke wrapper launcher interpreter viewer browser " +
      "formatter reporter processor transformer",
  ),
  byWord: true,
  short: "oce",
  // A file of further words, or one that is sent.
  words: /^(?:--?[^=@]*=|-[A-Za-z])?@/,
};

/** Git starts an editor. Behind other letters may stand a text: `-mfeat`. */
const OPENS_EDITOR = /^-[ainopqsvxz]*e/;

/** A path of another machine that a shell may expand there. */
const REMOTE_CODE = /^[^/]*:.*[^\p{L}\p{N}_@%+=:,./~-]/u;

/** By program, or by program and an argument of the rule. */
export const ESCAPES: Readonly<Record<string, Escapes>> = {
  ...BUILD_ESCAPES,
  ...READING_ESCAPES,
  ...SYSTEM_ESCAPES,
  git: {
    long: list(
      "exec exec-path upload-pack receive-pack config-env config ext-diff extcmd textconv open-files-in-pager output output-directory " +
        "git-dir work-tree help paginate smtp-server template separate-git-dir gpg-sign signed show-signature attr-source web man " +
        "info html no-index export-marks tool edit edit-description unsafe-paths build-fake-ancestor add-file add-virtual-file",
    ),
    words: /(?:ext|fd)::|%G/,
    ownWords: list(
      "status log diff show blame branch tag fetch pull push add commit checkout switch restore reset stash merge rebase cherry-pick revert " +
        "ls-files ls-tree ls-remote rev-parse rev-list describe shortlog remote init clone rm mv grep clean reflog cat-file name-rev " +
        "merge-base for-each-ref show-ref diff-tree diff-files diff-index symbolic-ref check-ignore count-objects whatchanged " +
        "range-diff cherry apply am archive format-patch notes worktree version",
    ),
  },
  "git clone": { short: "uc" },
  "git grep": { short: "O" },
  "git rebase": { short: "xSsi", long: ["strategy", "interactive"] },
  "git merge": { short: "Ss", long: ["strategy"], words: OPENS_EDITOR },
  "git pull": { short: "Ss", long: ["strategy"] },
  "git cherry-pick": { short: "S", long: ["strategy"], words: OPENS_EDITOR },
  "git revert": { short: "S", long: ["strategy"], words: OPENS_EDITOR },
  "git am": { short: "S" },
  "git add": { words: OPENS_EDITOR },
  "git commit": { short: "S", words: OPENS_EDITOR },
  "git notes": { words: /^edit$/ },
  "git tag": { short: "su" },
  "git difftool": { short: "x" },
  "git format-patch": { short: "o" },
  "git archive": { short: "o", long: ["remote"] },
  "git cat-file": { long: ["filters"] },
  "git bisect": { words: /^run$/ },
  "git submodule": { words: /^foreach$/ },
  find: { words: /^-(?:exec|ok|delete|fprint|fls|files0-from)/ },
  fd: { long: list("exec exec-batch list-details"), short: "xXl" },
  fdfind: { long: list("exec exec-batch list-details"), short: "xXl" },
  rg: { long: list("pre hostname-bin search-zip"), short: "z" },
  ag: { long: list("pager search-zip"), short: "z" },
  ack: { long: list("pager ackrc output") },
  sort: { long: list("output compress-program temporary-directory files0-from"), short: "oT" },
  wc: { long: ["files0-from"] },
  du: { long: ["files0-from"] },
  diff: { long: ["paginate"], short: "l" },
  // `-R` runs it again for each directory, and that run writes a file.
  tree: { long: ["output"], short: "oR" },
  uniq: { maxWords: 1 },
  xxd: { maxWords: 1 },
  hostname: { long: ["file"], short: "Fb", maxWords: 0 },
  tar: {
    only: {
      long: list(
        "list verbose gzip gunzip xz bzip2 auto-compress file extract get create keep-old-files strip-components exclude",
      ),
      short: "tvzjJafxck",
    },
    // A host: tar reaches it by a further program. `@` names an archive whose contents are added.
    words: /:|^@/,
    hasBareLetters: true,
  },
  rsync: {
    only: {
      long: list("archive verbose recursive times dry-run compress progress stats human-readable links"),
      short: "avrtnzhPl",
    },
    words: REMOTE_CODE,
  },
  scp: { only: { long: [], short: "rpqCv46" }, words: REMOTE_CODE },
  curl: {
    only: {
      long: list(
        "silent show-error fail fail-with-body location head include verbose max-time connect-timeout compressed http1.1 http2 ipv4 ipv6 " +
          "retry user-agent header get no-progress-meter",
      ),
      short: "sSfLIivmAGH46N",
    },
    // Curl expands `{a,b}` and `[a-z]` itself: `{file}:///etc/passwd`. Behind `=` or alone, `@` names a file that it reads.
    words: /^@|^--[a-z-]+=@|^(?!https?:)[a-z][a-z0-9+.-]*:\/|^file:|[{}[\]]/i,
  },
  wget: {
    only: {
      long: list("quiet spider server-response no-verbose timeout tries max-redirect"),
      short: "qSvTtn",
    },
    words: /^@|^(?!https?:)[a-z][a-z0-9+.-]*:\//i,
  },
  date: { long: list("set file"), short: "sf", words: /^[0-9]/ },
  file: { long: list("compile magic-file files-from uncompress"), short: "CmfzZ" },
  docker: {
    long: list("config context host output iidfile metadata-file cidfile env-file file tls tlscacert"),
    short: "H",
  },
  podman: {
    long: list(
      "config connection url identity module hooks-dir runtime conmon output iidfile cidfile env-file file",
    ),
  },
  kubectl: {
    long: list("kubeconfig context cluster user server token as profile-output cache-dir"),
    short: "s",
  },
  "gh api": { long: list("method field raw-field input hostname"), short: "XfF" },
  gh: { ownWords: list("pr issue repo run release status search label gist workflow") },
  terraform: { only: { long: list("no-color json compact-warnings"), short: "", isSingleDash: true } },
};
