/**
 * What a program must not be given beyond the words of the rule: options by which it runs or writes something that the rule does not
 * name. Data, in the form that `readEscapes` reads.
 */
import { readEscapes, type Escapes } from "./escapes.js";

/** For a program that is not listed: the usual meaning of such options. */
export const UNLISTED: Escapes = {
  long: (
    "exec execute command cmd eval expression script shell program run plugin plugins load load-plugins require import preload loader " +
    "hook init-hook bootstrap config config-file rcfile settings output out outfile output-file output-dir outdir log-file " +
    "pager editor rsh compress-program write fix in-place option filter host prefix invoke wrapper launcher interpreter viewer browser " +
    "formatter reporter processor transformer"
  ).split(" "),
  byWord: true,
  short: "oce",
  // A file of further words, or one that is sent.
  words: /^(?:--?[^=@]*=|-[A-Za-z])?@/,
};

/** What the runners of tests take, and no value of these names a program or a file that is written. */
const TEST =
  "only watch watch-all no-watch coverage no-coverage verbose silent quiet run bail ci color no-color passWithNoTests runInBand " +
  "testNamePattern testPathPattern testPathPatterns runTestsByPath onlyChanged changed findRelatedTests listTests maxWorkers " +
  "minWorkers detectOpenHandles forceExit testTimeout shard expand no-cache help version grep fgrep invert recursive parallel " +
  "exit timeout retries no-timeouts forbid-only forbid-pending hideSkippedTests; letters thv; " +
  "exact --reporter=dot --reporter=verbose --reporter=default --reporter=spec --reporter=min";

/** Programs that run code of the project: a list of forbidden words could never be complete. */
const BUILDING = String.raw`
# What a script makes of the options behind -- is not known.
npm, pnpm, yarn: shell-line; own test t run run-script install i ci ls list outdated audit view info why root bin prefix search
  start stop add; only silent verbose quiet if-present color no-color; letters sdq; behind; ${TEST}
bun: shell-line; own test t run run-script install i ci ls list outdated audit view info why root bin prefix search start stop add;
  ${TEST}; behind; ${TEST}
npx, pnpx, bunx: shell-line
just: shell-line; not-words /=/; only quiet verbose; letters qv
task: shell-line; max-words 1; not-words /=/; only silent verbose; letters sv
nx: shell-line; only verbose
turbo: shell-line; only force continue
lerna: shell-line; own run list ls changed diff; only stream parallel
composer: shell-line; only quiet verbose no-interaction ansi no-ansi; letters qvn
cargo: not-words /^\+/; own build check test clippy doc fmt bench tree metadata update fetch clean search version; only release
  workspace all package lib bin bins test tests example examples bench benches doc all-targets all-features no-default-features
  features verbose quiet color message-format jobs no-run no-fail-fast locked offline frozen profile keep-going exclude nocapture
  no-capture test-threads exact ignored include-ignored show-output skip list check help; letters vqpjrFh
cargo clippy: only workspace all package lib tests examples all-targets all-features no-default-features features quiet verbose
  no-deps; letters vqpDWA
go: own build test vet fmt list doc version; only v run count race cover short timeout bench benchmem benchtime parallel failfast
  json list skip tags p cpu shuffle covermode coverpkg n x vet m u deps f test; one-dash
make: max-words 1; not-words /=/; only jobs keep-going silent quiet dry-run just-print always-make no-print-directory ignore-errors
  question output-sync; letters jksnBiqO
ninja: max-words 1; only verbose quiet; letters jkvn
rake: max-words 1; not-words /=/; only quiet silent trace dry-run; letters qsnt
mvn: max-words 1; only quiet batch-mode offline threads no-transfer-progress errors fail-fast; letters qBoTeU; exact -ntp -ff
gradle: max-words 1; only quiet info debug stacktrace offline continue parallel no-daemon console rerun-tasks dry-run tests warn;
  letters qidsmw
pytest: not-words /^@/; only verbose quiet exitfirst maxfail last-failed lf failed-first ff new-first nf stepwise sw collect-only co
  durations durations-min tb no-header no-summary showlocals capture color disable-warnings no-cov cov numprocesses timeout version
  help strict-markers; letters vqxslkmrnh; exact --cov-report=term --cov-report=term-missing
jest: ${TEST}; letters tihvow
vitest: ${TEST}; letters thvw
mocha: ${TEST}; letters gfibwtjsph
ava, tap: ${TEST}
playwright: only grep grep-invert headed workers retries project timeout list max-failures quiet; letters gjxh
eslint: only ext max-warnings quiet no-error-on-unmatched-pattern color no-color report-unused-disable-directives no-inline-config
  no-ignore ignore-pattern no-warn-ignored version help debug; letters vh; exact --format=json --format=stylish --format=compact
  --format=unix
prettier: only check list-different no-color color log-level ignore-unknown version help; letters clu
tsc: not-words /^(?:@|false$|null$)/i; only noEmit watch pretty strict skipLibCheck version help listFiles noErrorTruncation
  diagnostics extendedDiagnostics target module lib jsx moduleResolution esModuleInterop allowJs checkJs resolveJsonModule
  noUnusedLocals noUnusedParameters noImplicitAny; letters wvhtm
ruff: only check diff select ignore statistics quiet verbose no-cache exclude show-files version help; letters qv
mypy: not-words /^@/; only strict ignore-missing-imports no-error-summary pretty show-error-codes no-color-output verbose; letters
  vhmp
rspec: only example tag fail-fast color no-color seed; letters et; exact --format=progress --format=documentation
`;

/**
 * Programs that read or print, and builtins of shells: the options that are known to run, write and assign nothing, in the forms of GNU, BSD
 * and busybox and as a builtin.
 */
export const READING_ESCAPES = readEscapes(String.raw`
# Their output may have any form.
echo, true, false:
# -v and %n assign; zsh and ksh read numbers as arithmetic.
printf: reads-rule; not-words /^(?!(?:[^%]|%-?[0-9]{0,4}(?:\.[0-9]{1,4})?[sbq%])*$)/; only
print: reads-rule; only; letters lnrN
# Not -v and -R, which read a variable, and no number, which is arithmetic in zsh and ksh.
test: reads-rule; only; exact -e -f -d -r -w -x -s -z -n -L -h -b -c -p -S -g -u -k -O -G -N -nt -ot -ef -a -o
# A word of theirs sets a variable, or is arithmetic: bash runs the subscript of an array, a[$(touch x)].
let, read, mapfile, readarray, getopts, vared, integer, float, private, nameref, functions: max-words 0; only
# Their number is arithmetic in zsh.
exit, return, break, continue, shift, logout: reads-rule; not-words /[^0-9]/; only
# wait -p assigns, jobs -x runs its arguments.
wait: reads-rule; only; letters nf
jobs: reads-rule; only; letters lnprs
# In fish a named group of a pattern is a variable that it sets.
string: not-words /\(\?/
cd: only; letters LPe
pwd: only logical physical; letters LP
ls: only all almost-all author escape block-size ignore-backups color directory dired classify file-type format full-time
  group-directories-first no-group human-readable si dereference dereference-command-line hide hyperlink indicator-style inode
  ignore kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style reverse recursive size
  sort time time-style tabsize width context zero; letters aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1@eOPTWy%; valued ITw
cat: only show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting; letters AbeEnstTuv
head: only bytes lines quiet silent verbose zero-terminated; letters qvz; valued nc
tail: only bytes follow lines max-unchanged-stats pid quiet silent retry sleep-interval verbose zero-terminated; letters fFqvzr;
  valued ncbs
stat: only dereference file-system cached format printf terse; letters LFlnqrsx; valued cft
df: only all block-size human-readable si inodes local no-sync output portability print-type total type exclude-type; letters
  aghHiklmnPTYb; valued Btx
basename: only multiple suffix zero; letters az; valued s
dirname: only zero; letters z
realpath: only canonicalize-existing canonicalize-missing logical physical quiet relative-to relative-base strip no-symlinks zero;
  letters emLPqsz
readlink: only canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero; letters femnqsvz
which: only all skip-dot skip-tilde show-dot show-tilde tty-only; letters as
whoami, groups: only
tty: only silent quiet; letters s
id: only group groups name real user zero context; letters agGnruzZpPFAc
uname: only all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system; letters
  asnrvmpio
nproc: only all ignore
# On macOS it runs its arguments.
arch: max-words 0; only
locale: only all-locales charmaps category-name keyword-name verbose; letters amckv
uptime: only pretty since; letters ps
ps: only forest sort format pid ppid user group headers no-headers cols columns rows lines width deselect tty sid quick-pid info;
  letters aAcdeEfFgGhHjlLmMPrRsSTuvVwxXyZ; valued CGgkNnoOpqtUu
free: only bytes mega giga tera kibi mebi gibi tebi human si lohi line total seconds count wide; letters bkmghltwvL; valued sc
cut: only bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated; letters nsz; valued bcdf
tr: only complement delete squeeze-repeats truncate-set1; letters cCdstu
comm: only check-order nocheck-order output-delimiter total zero-terminated; letters iz
cmp: only print-bytes ignore-initial verbose bytes quiet silent; letters bhlsxz; valued in
nl: only body-numbering section-delimiter footer-numbering header-numbering line-increment join-blank-lines number-format
  no-renumber number-separator starting-line-number number-width; letters p; valued bdfhilnsvw
tac: only before regex separator; letters br; valued s
rev: only zero; letters 0
fold: only bytes spaces width; letters bs; valued w
expand: only initial tabs; letters i; valued t
unexpand: only all first-only tabs; letters a; valued t
column: only json separator output-separator output-width table table-name table-columns table-noextreme table-noheadings
  table-right table-truncate table-wrap table-empty-lines table-maxout fillrows keep-empty-lines; letters JtxLemd; valued scoNRTWE
# -c reads files that are not named in the command, but in a list.
md5sum, sha1sum, sha256sum, sha512sum, cksum, b2sum: only binary text tag zero untagged raw base64 algorithm length; letters btz;
  valued al
sum: only sysv; letters rs
grep, egrep, fgrep: only extended-regexp fixed-strings basic-regexp perl-regexp regexp file ignore-case no-ignore-case invert-match
  word-regexp line-regexp count color colour files-without-match files-with-matches max-count only-matching quiet silent no-messages
  byte-offset with-filename no-filename label line-number initial-tab null text after-context before-context context binary-files
  devices directories exclude exclude-from exclude-dir include recursive dereference-recursive line-buffered null-data; letters
  EFGPivwxycLloqsbHhnTZazIrRUSO; valued efmABCDd
seq: only format separator equal-width; letters w; valued fst
od: only address-radix endian skip-bytes read-bytes strings format output-duplicates width traditional; letters abcdfhHilosxvX;
  valued AjNStw
hexdump: only one-byte-octal one-byte-char canonical two-bytes-decimal two-bytes-octal two-bytes-hex format length skip
  no-squeezing; letters bcCdovxX; valued efns
# A word with that sign names a file of further words.
strings: not-words /^@/; only all print-file-name bytes radix encoding include-all-whitespace output-separator; letters afowd;
  valued ntes
# Its -D writes a file.
lsof: only; letters abChlnNoOPRtUvVwX; valued acdFgiprsTuE
`);

/** System programs that people name in rules, and that run or write by options with unrelated names. */
const SYSTEM = String.raw`
apt, apt-get, apt-cache: only installed upgradable upgradeable all-versions names-only full quiet yes assume-yes assume-no simulate
  dry-run no-install-recommends install-recommends recurse target-release with-new-pkgs version help; letters aqysnf; valued t
# Not -B, -wrapper, -specs, -fplugin, -Wl,…: programs, and files that say which are run. @ names a file of further options.
gcc, g++, cc, c++, clang, clang++: not-words /^@/; only version help; letters cSEgvwO; exact -Wall -Wextra -Werror -Wpedantic
  -Wshadow -Wconversion -pedantic -ansi -fsyntax-only -fPIC -fpic -shared -static -pthread -Os -Og -Ofast -std=c99 -std=c11 -std=c17
  -std=gnu11 -std=gnu17 -std=c++11 -std=c++14 -std=c++17 -std=c++20; valued DUIlL
# -TT is a command, -@ takes names from the input.
zip: not-words /^@/; only recurse-paths quiet verbose junk-paths update freshen; letters rqvjyux; valued x
split: only lines bytes line-bytes number numeric-suffixes hex-suffixes suffix-length additional-suffix elide-empty-files verbose;
  letters dxeu; valued lbnaC
csplit: only digits quiet silent elide-empty-files keep-files suppress-matched; letters nksqz; valued n
# With -G a second word is written.
ptx: only auto-reference format ignore-case references right-side-refs width gap-size word-regexp; letters AfrR; valued wgW
systemctl: only all full lines type state property value plain no-legend no-pager failed quiet recursive reverse user system now;
  letters alqr; valued ntp
gpg: only list-keys list-public-keys list-secret-keys list-sigs check-sigs fingerprint with-fingerprint with-colons keyid-format
  verify armor batch no-tty quiet verbose version; letters kKqva
`;

const OTHERS = String.raw`
git: not exec exec-path upload-pack receive-pack config-env config ext-diff extcmd textconv open-files-in-pager output
  output-directory git-dir work-tree help paginate smtp-server template separate-git-dir gpg-sign signed show-signature attr-source
  web man info html no-index export-marks tool edit edit-description unsafe-paths build-fake-ancestor add-file add-virtual-file;
  not-words /(?:ext|fd)::|%G/; own status log diff show blame branch tag fetch pull push add commit checkout switch restore reset
  stash merge rebase cherry-pick revert ls-files ls-tree ls-remote rev-parse rev-list describe shortlog remote init clone rm mv grep
  clean reflog cat-file name-rev merge-base for-each-ref show-ref diff-tree diff-files diff-index symbolic-ref check-ignore
  count-objects whatchanged range-diff cherry apply am archive format-patch notes worktree version
git clone: not-letters uc
git grep: not-letters O
git rebase: not strategy interactive; not-letters xSsi
# Git starts an editor. Behind other letters may stand a text: -mfeat.
git merge: not strategy; not-letters Ss; not-words /^-[ainopqsvxz]*e/
git pull: not strategy; not-letters Ss
git cherry-pick, git revert: not strategy; not-letters S; not-words /^-[ainopqsvxz]*e/
git am: not-letters S
git add: not-words /^-[ainopqsvxz]*e/
git commit: not-letters S; not-words /^-[ainopqsvxz]*e/
git notes: not-words /^edit$/
git tag: not-letters su
git difftool: not-letters x
git format-patch: not-letters o
git archive: not remote; not-letters o
git cat-file: not filters
git bisect: not-words /^run$/
git submodule: not-words /^foreach$/
find: not-words /^-(?:exec|ok|delete|fprint|fls|files0-from)/
fd, fdfind: not exec exec-batch list-details; not-letters xXl
rg: not pre hostname-bin search-zip; not-letters z
ag: not pager search-zip; not-letters z
ack: not pager ackrc output
sort: not output compress-program temporary-directory files0-from; not-letters oT
wc, du: not files0-from
diff: not paginate; not-letters l
# -R runs it again for each directory, and that run writes a file.
tree: not output; not-letters oR
uniq, xxd: max-words 1
hostname: max-words 0; not file; not-letters Fb
# A host: tar reaches it by a further program. @ names an archive whose contents are added.
tar: bare-letters; not-words /:|^@/; only list verbose gzip gunzip xz bzip2 auto-compress file extract get create keep-old-files
  strip-components exclude; letters tvzjJafxck
# A path of another machine that a shell may expand there.
rsync: not-words /^[^/]*:.*[^\p{L}\p{N}_@%+=:,./~-]/u; only archive verbose recursive times dry-run compress progress stats
  human-readable links; letters avrtnzhPl
scp: not-words /^[^/]*:.*[^\p{L}\p{N}_@%+=:,./~-]/u; only; letters rpqCv46
# Curl expands {a,b} and [a-z] itself: {file}:///etc/passwd. Behind = or alone, @ names a file that it reads.
curl: not-words /^@|^--[a-z-]+=@|^(?!https?:)[a-z][a-z0-9+.-]*:\/|^file:|[{}[\]]/i; only silent show-error fail fail-with-body
  location head include verbose max-time connect-timeout compressed http1.1 http2 ipv4 ipv6 retry user-agent header get
  no-progress-meter; letters sSfLIivmAGH46N
wget: not-words /^@|^(?!https?:)[a-z][a-z0-9+.-]*:\//i; only quiet spider server-response no-verbose timeout tries max-redirect;
  letters qSvTtn
date: not set file; not-letters sf; not-words /^[0-9]/
file: not compile magic-file files-from uncompress; not-letters CmfzZ
docker: not config context host output iidfile metadata-file cidfile env-file file tls tlscacert; not-letters H
podman: not config connection url identity module hooks-dir runtime conmon output iidfile cidfile env-file file
kubectl: not kubeconfig context cluster user server token as profile-output cache-dir; not-letters s
gh api: not method field raw-field input hostname; not-letters XfF
gh: own pr issue repo run release status search label gist workflow
terraform: only no-color json compact-warnings; one-dash
`;

/** By program, or by program and an argument of the rule. */
export const ESCAPES: Readonly<Record<string, Escapes>> = {
  ...READING_ESCAPES,
  ...readEscapes(BUILDING + SYSTEM + OTHERS),
};
