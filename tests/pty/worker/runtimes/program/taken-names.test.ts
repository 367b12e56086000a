/** Names that a person gives their variables and functions change nothing of what a shell's marks tell. */
import { expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

async function use(name: string, work: (opened: TestProgram) => Promise<void>): Promise<void> {
  const opened = await openTestProgram(name);
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

const NAMES = ["status", "code", "cwd", "char", "hex", "nonce", "name", "text", "i", "IFS"];

it.each([
  ["bash", NAMES.map((name) => `readonly ${name}=0`).join("; ")],
  ["dash", NAMES.map((name) => `readonly ${name}=0`).join("; ")],
  // Its own `status` is read-only.
  [
    "zsh",
    NAMES.slice(1)
      .map((name) => `typeset -gr ${name}=0`)
      .join("; "),
  ],
  [
    "fish",
    NAMES.slice(1, -1)
      .map((name) => `set -g ${name} 0`)
      .join("; "),
  ],
])("%s tells exit codes and folders beside variables of any name", (shell, line) => {
  if (skipped(notInstalled(shell))) return;
  return use(shell, async ({ run, folder }) => {
    await run(line);
    expect(await run("sh -c 'exit 3'")).toMatchObject({ exitCode: 3, isProven: true, note: "" });
    expect(await run("echo a\nsh -c 'exit 9'")).toMatchObject({ exitCode: 9, output: { text: "a\n" } });
    expect(await run("false")).toMatchObject({ exitCode: 1, cwd: folder });
    await run("mkdir 'a;b\\c' && cd 'a;b\\c'");
    expect(await run("sh -c 'exit 4'")).toMatchObject({ exitCode: 4, cwd: `${folder}/a;b\\c` });
    expect((await run("echo two")).output.text).toBe("two\n");
  });
});

it.each(["bash", "dash", "zsh"])("%s tells no exit code of what its own variable cannot hold", (shell) => {
  if (skipped(notInstalled(shell))) return;
  return use(shell, async ({ run }) => {
    await run("readonly __atb_code=0 __atb_status=0");
    const { exitCode, note } = await run("echo a\n(exit 9)");
    expect([null, 9]).toContain(exitCode);
    expect(exitCode === null ? note : "the program did not tell").toContain("the program did not tell");
    expect([null, 3]).toContain((await run("(exit 3)")).exitCode);
  });
});

const LOGS = ["print", "printf", "set", "local", "setopt", "shopt", "return", "test", "source"];

it.each([
  ["bash", LOGS.map((name) => `${name}() { echo mine; }`).join("; ")],
  // Special ones cannot be given another meaning.
  ["dash", "print() { echo mine; }; printf() { echo mine; }; test() { echo mine; }"],
  ["zsh", LOGS.map((name) => `${name}() { echo mine; }`).join("; ")],
])("%s keeps its marks beside functions with the names of builtins", (shell, line) => {
  if (skipped(notInstalled(shell))) return;
  return use(shell, async ({ run }) => {
    await run(line);
    expect(await run("sh -c 'exit 6'")).toMatchObject({ exitCode: 6, note: "", output: { text: "" } });
    expect(await run("echo a\nsh -c 'exit 9'")).toMatchObject({
      exitCode: 9,
      note: "",
      output: { text: "a\n" },
    });
    expect(await run("printf x")).toMatchObject({ exitCode: 0, output: { text: "mine\n" } });
    expect(await run("false")).toMatchObject({
      exitCode: 1,
      isProven: true,
      output: { text: "", isExact: true },
    });
  });
});

it.skipIf(skipped(notInstalled("fish")))("fish keeps its marks beside a function named printf", () =>
  use("fish", async ({ run }) => {
    // What fish prints itself around each command goes through it, too.
    await run("function printf; echo mine; end");
    expect(await run("sh -c 'exit 6'", 20_000)).toMatchObject({ state: "finished", exitCode: 6, note: "" });
    expect(await run("true", 20_000)).toMatchObject({ state: "finished", exitCode: 0, isProven: true });
  }),
);
