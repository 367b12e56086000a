/** What the person at the terminal presses without Enter closes the console only while it may change what is typed next. */
import { afterEach, describe, expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, notLinux, skipped } from "../../../../support/skipped.js";
import { eventually } from "../../../../support/hub-home.js";

const LEFT = "\x1b[D";
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const ESC = "\x1b";
/** A person presses no key in the moment in which the prompt is drawn: bash loses a Ctrl-C then, and zsh what follows it. */
const QUIET_MS = 300;
/** A gate that never opens must not keep a test for a minute. */
const TURN_MS = 60_000;

let opened: TestProgram | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function open(name: string): Promise<TestProgram> {
  opened = await openTestProgram(name);
  return opened;
}

const echoes = async (program: TestProgram): Promise<void> => {
  expect(await program.run("echo two", TURN_MS)).toMatchObject({
    state: "finished",
    exitCode: 0,
    output: { text: "two\n" },
  });
};

describe.each(["bash", "zsh", "fish", "dash"])("in %s", (shell) => {
  const without = skipped(notInstalled(shell));

  it.skipIf(without)("Ctrl-C in an empty line leaves the console open", async () => {
    const program = await open(shell);
    await waitUntilQuiet(program);
    await program.type(CTRL_C);
    await echoes(program);
  });

  it.skipIf(without || shell === "dash")("Ctrl-C drops the line that was begun", async () => {
    const program = await open(shell);
    await program.type("exit 9");
    // The kernel forgets what nobody has read yet.
    await eventually(() => readScreen(program).includes("exit 9"));
    await program.type(CTRL_C);
    await echoes(program);
  });

  it.skipIf(without || shell === "dash")(
    "Ctrl-D in a line deletes one character, and what is left stays theirs",
    async () => {
      const program = await open(shell);
      // In its vi mode Ctrl-D deletes nothing.
      if (shell === "zsh") await program.run("bindkey -e");
      await program.type("ab");
      await program.type(LEFT + LEFT);
      await program.type(CTRL_D);
      expect(await program.run("echo two", 1500)).toMatchObject({
        state: "refused",
        note: "somebody is typing at the terminal",
      });
      await program.type(CTRL_D);
      await echoes(program);
    },
  );

  it.skipIf(without)("Ctrl-D in an empty line ends the shell", async () => {
    const program = await open(shell);
    await program.type(CTRL_D);
    expect(await program.run("echo two", TURN_MS)).toMatchObject({
      state: "refused",
      note: "the program has ended",
    });
  });
});

describe("a key that draws nothing", () => {
  it("at the prompt is dropped by an interrupt from outside, and a begun line is not", async () => {
    const program = await open("bash");
    await program.type(ESC);
    expect(await program.run("echo two", 500)).toMatchObject({ state: "refused" });
    expect(await program.session.press("interrupt")).toBeNull();
    await echoes(program);
    await program.type(`abc${ESC}`);
    expect(await program.run("echo two", 500)).toMatchObject({ state: "refused" });
    expect(await program.session.press("interrupt")).toBe("nothing is running");
  });

  it.skipIf(skipped(notInstalled("vim")))(
    "that an editor has taken closes nothing once it is left",
    async () => {
      const program = await open("bash");
      const running = await program.run("vim -u NONE -N", 500);
      expect(running.state).toBe("running");
      await program.type("ihello");
      await eventually(() => readScreen(program).includes("hello"));
      await program.type(ESC);
      await eventually(() => !readScreen(program).includes("INSERT"));
      await program.type(":q!\r");
      expect((await program.session.wait({ timeoutMs: TURN_MS }))?.state).toBe("finished");
      await echoes(program);
    },
  );

  it.skipIf(skipped(notLinux))("that is typed ahead of the prompt closes it still", async () => {
    const program = await open("bash");
    const running = await program.run("sleep 1", 200);
    expect(running.state).toBe("running");
    await program.type(ESC);
    expect((await program.session.wait({ timeoutMs: TURN_MS }))?.state).toBe("finished");
    expect(await program.run("echo two", 500)).toMatchObject({ state: "refused" });
  });
});

it("what a person types while a command runs makes its output inexact, as it may stand there", async () => {
  const program = await open("bash");
  expect((await program.run("sleep 1; echo done", 200)).state).toBe("running");
  await program.type("abc");
  const result = await program.session.wait({ timeoutMs: TURN_MS });
  expect(result).toMatchObject({ state: "finished", output: { text: "abcdone\n", isExact: false } });
  await waitUntilQuiet(program);
  await program.type(CTRL_C);
  expect(await program.run("echo two", TURN_MS)).toMatchObject({ output: { text: "two\n", isExact: true } });
});

/** Until it has printed nothing for a moment. */
async function waitUntilQuiet({ terminal }: TestProgram): Promise<void> {
  let printedAt = performance.now();
  terminal.onData(() => (printedAt = performance.now()));
  await eventually(() => performance.now() - printedAt >= QUIET_MS);
}

function readScreen({ screen }: TestProgram): string {
  return screen
    .view()
    .lines.map(({ text }) => text)
    .join("\n");
}
