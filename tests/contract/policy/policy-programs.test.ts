/**
 * What a rule lets pass of programs that expand, follow or evaluate their own words, compared with the real bash, dash, curl and find:
 * what is answered prints nothing from elsewhere, runs nothing and sets nothing.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { READING_ESCAPES } from "../../../src/hub/policy/command/options.js";
import { resolveLinks } from "../../../src/policy/policy-world.js";
import { commandPrompt, judge, parseRules } from "../../support/policy/policies.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "atb-programs-")));
const [work, outside] = [join(top, "work"), join(top, "outside")];
const MARK = "seen-from-outside";
for (const folder of [join(work, "src"), join(work, "evil"), outside]) mkdirSync(folder, { recursive: true });
writeFileSync(join(outside, MARK), `${MARK}\n`);
symlinkSync(outside, join(work, "src", "link"));
// `git clone` brings such names along.
for (const name of ["-e", "--link"]) symlinkSync(join(outside, MARK), join(work, name));
symlinkSync(outside, join(work, "-d"));
writeFileSync(join(work, "evil", "uname"), "#!/bin/sh\n: > ran-evil\n");
chmodSync(join(work, "evil", "uname"), 0o755);
afterAll(() => rmSync(top, { recursive: true }));

const BUILTINS = Object.keys(READING_ESCAPES).filter((name) => /^[a-z]+$/.test(name) && !isFile(name));
const ALLOWED = [...BUILTINS, "uname", "curl -s"].map((words) => `"${words}"`).join(", ");
const POLICY = parseRules(`
  - { id: programs, match: { command: [${ALLOWED}] }, answer: allow_once }
`);
const INSIDE = parseRules(`
  - { id: inside, match: { command: [find, grep, ls, du, tree, git diff], path: . }, answer: allow_once }
`);
const world = { home: top, resolveLinks, ownPaths: [] };

function answers(policy: typeof POLICY, line: string): boolean {
  return judge(policy, commandPrompt(line), { world, session: { cwd: work } }).kind === "answer";
}

/** Programs that are files everywhere take their options from elsewhere; this is about what a shell does itself. */
function isFile(name: string): boolean {
  return !/^(?:builtin|keyword)$/m.test(
    spawnSync("bash", ["-c", `type -t ${name}`], { encoding: "utf8" }).stdout,
  );
}

/** The line lies in a file: some are longer than an argument may be. */
function run(
  shell: "bash" | "dash",
  line: string,
): { readonly printed: string; readonly ran: readonly string[] } {
  const script = join(top, "script");
  writeFileSync(script, line);
  const { stdout } = spawnSync(shell, [script], { cwd: work, input: "", encoding: "utf8", timeout: 60_000 });
  const ran = readdirSync(work).filter((name) => name.startsWith("ran-"));
  for (const name of ran) rmSync(join(work, name));
  return { printed: stdout, ran };
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Forms in which a word may be evaluated; the number names the file that shows it. */
const FORMS: readonly ((program: string, letter: string, at: number) => string)[] = [
  (program, letter, at) => `${program} -${letter} 'a[$(: > ran-${at})]'`,
  (program, letter, at) => `${program} -${letter} 'a[$(: > ran-${at})]' x`,
  (program, letter, at) => `${program} x -${letter} 'a[$(: > ran-${at})]'`,
  (program, letter, at) => `${program} x != y -a -${letter} 'a[$(: > ran-${at})]'`,
];

/** Some end the shell, which costs one of their own. */
function isolate(line: string): string {
  const silent = "</dev/null >/dev/null 2>&1";
  return /^(?:exit|return|break|continue|shift|logout|getopts|read) /.test(line)
    ? `(${line}) ${silent}`
    : `${line} ${silent}`;
}

it.each(["bash", "dash"] as const)(
  "no option of a builtin of %s that evaluates a word is answered",
  (shell) => {
    const lines = BUILTINS.flatMap((program) => [
      ...LETTERS.flatMap((letter) => FORMS.map((form) => [program, form, letter] as const)),
    ]).map(([program, form, letter], at) => form(program, letter, at));
    const plain = BUILTINS.map((program, at) => `${program} 'a[$(: > ran-${lines.length + at})]'`);
    const all = [...lines, ...plain];
    const { ran } = run(shell, all.map(isolate).join("\n"));
    const evaluated = ran.map((name) => all[Number(name.slice("ran-".length))] ?? "");
    expect(evaluated.filter((line) => answers(POLICY, line))).toEqual([]);
    if (shell === "bash") {
      // Otherwise the comparison would say nothing.
      for (const known of ["read ", "let "])
        expect([known, evaluated.some((line) => line.startsWith(known))]).toEqual([known, true]);
    }
  },
);

it.each([
  "printf -v PATH %s ./evil && uname",
  "printf '%s%n' ./evil PATH; uname",
  "echo ./evil | read PATH; uname",
  "printf '%s' -v PATH; uname",
  "test -v PATH && uname",
])("no later word of a line gets another meaning: %s", (line) => {
  const { ran } = run("bash", line);
  if (answers(POLICY, line)) expect(ran).toEqual([]);
  if (line.startsWith("printf -v")) expect(ran).toEqual(["ran-evil"]);
});

it.each([
  `curl -s '{file}://${outside}/${MARK}'`,
  `curl -s 'fil[e-e]://${outside}/${MARK}'`,
  `curl -s '{http://127.0.0.1:1,file://${outside}/${MARK}}'`,
  `curl -s 'FILE://${outside}/${MARK}'`,
  `curl -s file:${outside}/${MARK}`,
])("curl reads no file: %s", (line) => {
  expect([run("bash", line).printed.includes(MARK), answers(POLICY, line)]).toEqual([true, false]);
});

it.each([
  ["find -L . -type f", true],
  ["find . -follow -type f", true],
  ["find -H src/link -type f", true],
  ["find -LP . -type f", false],
  ["find . -type f", false],
  ["ls -LR .", true],
  ["ls -R .", false],
  ["grep -R seen .", true],
  ["grep -rn seen .", false],
  ["du -aL .", true],
  ["du -a .", false],
])("a rule for a directory answers nothing that goes through links: %s", (line, leaves) => {
  const { printed } = run("bash", line);
  expect(printed.includes(MARK)).toBe(leaves);
  if (leaves) expect(answers(INSIDE, line)).toBe(false);
  else if (!line.includes("-LP")) expect(answers(INSIDE, line)).toBe(true);
});

it.each(["'s[r]c/a.txt'", "'sr\\c/a.txt'", "':(top)src/a.txt'", "':!b.txt'", "'*/a.txt'"])(
  "a rule for a directory answers no pattern of git: %s",
  (word) => {
    spawnSync("git", ["init", "-q"], { cwd: work });
    mkdirSync(join(work, "src"), { recursive: true });
    writeFileSync(join(work, "src", "a.txt"), "");
    spawnSync("git", ["add", "-N", "src/a.txt"], { cwd: work });
    expect(run("bash", `git ls-files -- ${word}`).printed).toContain("src/a.txt");
    expect(answers(INSIDE, `git diff -- ${word}`)).toBe(false);
    expect(answers(INSIDE, "git diff -- src/a.txt")).toBe(true);
  },
);

const READERS = parseRules(`
  - { id: denied, match: { command: [cat, head, cd], path: ${outside} }, deny: true }
  - { id: inside, match: { command: [cat, head, tail, grep, ls, wc, cut, find], path: . }, answer: allow_once }
`);

it.each([
  ["cat -- -e", "deny"],
  ["cat -n -- --link", "deny"],
  ["head -- -e", "deny"],
  ["cat -- -d/seen-from-outside", "deny"],
  ["cat -e -- src/../-e", "deny"],
  ["bash -c 'cat -- -e'", "deny"],
  ["cd -- -d && cat seen-from-outside", "deny"],
  ["tail -n 3 -- --link", "ask"],
  ["grep seen -- -e", "ask"],
  ["grep -f src/all -- -e", "ask"],
  ["grep seen -d read -- -d/seen-from-outside", "ask"],
  ["cut -c 1-40 -- --link", "ask"],
  ["ls -- -d", "ask"],
])("a name that begins with a dash is a path: %s", (line, kind) => {
  writeFileSync(join(work, "src", "all"), "s\n");
  expect(run("bash", line).printed).toContain(MARK);
  expect(judge(READERS, commandPrompt(line), { world, session: { cwd: work } }).kind).toBe(kind);
});

it("an option is no path where no link has its name", () => {
  for (const line of [
    "cat -n src/all",
    "ls -la -- src",
    "grep -c --regexp=s -- src/all",
    "head -c 3 src/all",
  ])
    expect([line, answers(READERS, line)]).toEqual([line, true]);
});

const FILTERS = parseRules("\n  - { id: filters, match: { command: [cat, uniq] }, answer: allow_once }\n");

it.each([
  "cat src/a.txt | uniq - ran-a",
  "uniq -- src/a.txt ran-a",
  "uniq -- -n ran-a",
  "uniq -c -- - ran-a",
])("no file is written behind a dash that is a word: %s", (line) => {
  for (const name of [join("src", "a.txt"), "-n"]) writeFileSync(join(work, name), "");
  expect(run("bash", line).ran).toEqual(["ran-a"]);
  expect(answers(FILTERS, line)).toBe(false);
  expect(answers(FILTERS, "cat src/a.txt | uniq -c -")).toBe(true);
});

it("git writes nothing outside of a rule's directory", () => {
  const rules = parseRules(
    "\n  - { id: git, match: { command: [git apply], path: . }, answer: allow_once }\n",
  );
  const patch = ["--- /dev/null", "+++ b/../escaped", "@@ -0,0 +1 @@", "+x", ""].join("\n");
  writeFileSync(join(work, "src", "p.patch"), patch);
  run("bash", "git init -q");
  for (const option of ["--unsafe-paths ", "--unsafe ", ""]) {
    const line = `git apply ${option}src/p.patch`;
    run("bash", line);
    const isOutside = readdirSync(top).includes("escaped");
    expect([line, isOutside, answers(rules, line)]).toEqual([line, option !== "", option === ""]);
    rmSync(join(top, "escaped"), { force: true });
  }
});

const TOOLS = parseRules(`
  - { id: tools, match: { command: [zip, split, gcc, ptx, csplit] }, answer: allow_once }
`);

// What is not here runs nothing; the verdicts alone stand in the unit tests.
it.each([
  "split --filter='touch ran-a' src/text",
  "split --filt='touch ran-a' src/text",
  "zip -q ran.zip src/text -T --unzip-command='touch ran-a;:'",
  "zip -q ran.zip src/text -T -TT 'touch ran-a;:'",
  "gcc -B evil/ src/x.c",
  "gcc -Bevil/ src/x.c",
  "gcc @src/options src/x.c",
  "ptx -G src/text ran-a",
  "csplit -s --prefix=ran- src/text 1",
])("no option of a tool runs or writes what nobody named: %s", (line) => {
  writeFileSync(join(work, "src", "text"), "a\nb\n");
  writeFileSync(join(work, "src", "x.c"), "int main(void) { return 0; }\n");
  writeFileSync(join(work, "src", "options"), "-wrapper ./evil/uname\n");
  for (const name of ["cc1", "as"]) symlinkSync("uname", join(work, "evil", name));
  const { ran } = run("bash", line);
  for (const name of ["cc1", "as"]) rmSync(join(work, "evil", name));
  if (answers(TOOLS, line)) expect(ran).toEqual([]);
});
