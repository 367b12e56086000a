/** Shell commands: what is plain, what every part of a line runs, and that no text makes the readers slow or throw. */
import { describe, expect, it } from "vitest";
import {
  allowsAll,
  containsAny,
  readCommandLine,
} from "../../../../../src/hub/policy/command/command-line.js";
import { LINE_LENGTH_MAX, readPlainLine } from "../../../../../src/hub/policy/command/plain-line.js";
import { parsePrefix } from "../../../../../src/hub/policy/command/prefix.js";
import { readShellLine } from "../../../../../src/hub/policy/command/shell-reader.js";
import { commandLines } from "../../../../support/policy/command-lines.js";

function words(line: string): readonly (readonly string[])[] | string {
  const reading = readPlainLine(line);
  return reading.ok ? reading.commands.map((command) => command.words) : reading.why;
}

function allows(line: string, ...prefixes: readonly string[]): boolean {
  return allowsAll(readCommandLine(line), prefixes.map(parsePrefix)).truth === "yes";
}

describe("a plain line", () => {
  it.each([
    ["ls -la src", [["ls", "-la", "src"]]],
    ["a && b || c; d | e\nf", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
    ["a &&\n  b |\nc;\n\n", [["a"], ["b"], ["c"]]],
    ["a 'b  c' \"d 'e'\" f'g'h", [["a", "b  c", "d 'e'", "fgh"]]],
    ["grep 'a\\.b' src", [["grep", "a\\.b", "src"]]],
    ['grep "a\\.b" src', [["grep", "a\\.b", "src"]]],
    ["ls 2>&1 >/dev/null | tail", [["ls"], ["tail"]]],
    ["ls ~/x HEAD~2 src/*.ts", [["ls", "~/x", "HEAD~2", "src/*.ts"]]],
    ["find . -name '*.ts'", [["find", ".", "-name", "*.ts"]]],
    ["git commit -m 'two\nlines'", [["git", "commit", "-m", "two\nlines"]]],
    ["ls 'ünï' \"日本\"", [["ls", "ünï", "日本"]]],
  ])("is split into commands: %s", (line, expected) => expect(words(line)).toEqual(expected));

  it.each([
    ["ls $x", "an expansion ($)"],
    ["ls `x`", "a command substitution (`)"],
    ["ls > x", "writing a file (>)"],
    ["ls < x", "reading a file or text (<)"],
    ["ls & x", "running in the background (&)"],
    ["(ls)", "a group or function (()"],
    ["ls \\; x", "an escaped character (\\)"],
    ["ls # x", "a comment (#)"],
    ["X=1 ls", "it sets a variable for the command"],
    ["if x", "if is a word of the shell's grammar"],
    ["ls *.ts", "a wildcard could become an option of the program"],
    ["ls =x", "a word begins with =, which some shells replace"],
    ["ls &&", "the command is not complete"],
    ["ls\n;ls", "there is no command between two operators"],
    ["", "there is no command"],
    ["ls\u200b", "the command has control or invisible characters"],
    ["ls\r\nx", "the command has control or invisible characters"],
  ])("is not %s: %s", (line, why) => expect(words(line)).toContain(why));

  it.each([
    "ls ünï",
    "gıt status",
    "ls\u00a0x",
    "'~/x'",
    "ls 'a''b'",
    "-x",
    "ls~",
    "ls {a,b}",
    "ls [a]",
    "ls ^x",
    "ls !x",
    'ls "!x"',
    "l?",
    // fish ends the first text behind `b`, PowerShell at the curly quote.
    "ls 'a\\' 'b; touch pwned; ls ' 'c\\'",
    "ls 'a\\\\'",
    "ls 'a\u2019; touch pwned; ls \u2018b'",
    'ls "a\u201d; touch pwned; ls \u201cb"',
  ])("is not %s", (line) =>
    expect(typeof words(line) === "string" || !allows(line, "ls", "git status")).toBe(true),
  );

  it("has an end", () => {
    expect(words(`ls ${"a".repeat(LINE_LENGTH_MAX)}`)).toContain("longer than");
  });
});

describe("a rule for commands", () => {
  it("allows a line only if it allows every part", () => {
    expect(allows("git status && ls", "git status", "ls")).toBe(true);
    expect(allows("git status && ls", "git status")).toBe(false);
    expect(allows("git statusx", "git status")).toBe(false);
    expect(allows("git", "git status")).toBe(false);
  });

  it.each([
    ["git status --help", "git status"],
    ["git log --output=x", "git log"],
    ["git log --outp=x", "git log"],
    ["git diff --ext-diff", "git diff"],
    ["git -c a=b status", "git"],
    ["git -C /x status", "git"],
    ["git fetch ext::sh", "git fetch"],
    ["git rebase -x make", "git rebase"],
    ["git bisect run make", "git bisect"],
    ["npm test --script-shell=x", "npm test"],
    ["npm test --prefix x", "npm test"],
    ["npm --prefix x test", "npm"],
    ["find . -exec rm x", "find"],
    ["find . -delete", "find"],
    ["rg --pre x y", "rg"],
    ["sort -uo x", "sort"],
    ["sort --outp=x", "sort"],
    ["tar xf a --to-command=x", "tar"],
    ["go test -exec x", "go test"],
    ["cargo test --config x", "cargo test"],
    ["make test SHELL=x", "make test"],
    ["sudo ls", "sudo ls"],
    ["env ls", "env"],
  ])("does not allow %s as %s", (line, prefix) => expect(allows(line, prefix)).toBe(false));

  it.each([
    ["git status -uno", "git status"],
    ["git diff -U3 --stat", "git diff"],
    ["npm test -- --watch log", "npm test"],
    ["npm test --silent", "npm test"],
    ["find . -name '*.ts'", "find"],
    ["git log --oneline -5", "git log"],
    ["sort -u x", "sort"],
  ])("allows %s as %s", (line, prefix) => expect(allows(line, prefix)).toBe(true));
});

describe("a search for commands", () => {
  const truth = (line: string, prefix: string) =>
    containsAny(readCommandLine(line), [parsePrefix(prefix)], "any").truth;

  it("finds them anywhere", () => {
    for (const line of [
      "rm x",
      "ls; rm x",
      "ls $(rm x)",
      "ls `rm x`",
      "ls <(rm x)",
      "f() { rm x; }",
      "cat <<E\n$(rm x)\nE",
      "xargs rm",
      "sh -c 'sh -c \"rm x\"'",
      "env -S 'rm x'",
      "find . -exec rm {} +",
      "nice -n 5 timeout 3 rm x",
      "/bin/rm x",
      "x | rm x",
      "if a; then rm x; fi",
      "[[ $(rm x) ]]",
      "ls ${a:-$(rm x)}",
    ])
      expect([line, truth(line, "rm")]).toEqual([line, "yes"]);
  });

  it("does not find what is only mentioned", () => {
    for (const line of ["echo rm x", "ls 'rm x'", "grep rm x", "git commit -m 'rm x'"])
      expect([line, truth(line, "rm")]).toEqual([line, "no"]);
  });

  it("is not sure where only the shell will know", () => {
    for (const line of ["$x", "eval $x", "bash x.sh", "git $x", "sudo -s"])
      expect([line, truth(line, "git push")]).toEqual([line, "unknown"]);
  });
});

it("no line makes the readers throw", () => {
  const deep = ["$(", "((", "{ ", "`", "${x:-", '"$(', "<(", "if ", "[[ "].flatMap((sign) => [
    sign.repeat(2_000),
    sign.repeat(58),
  ]);
  const long = ["a;", "a|", "'", '"', "\\", "<<E\n", "{a,", "x=(", "sudo ", "a && "].map((sign) =>
    sign.repeat(1_600),
  );
  for (const line of [...commandLines(2_000, 3), ...deep, ...long]) {
    readPlainLine(line);
    readShellLine(line);
  }
});
