/** A prompt is the program's own only while the program itself has the terminal: what it runs can draw the same one. */
import { expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { waitFor } from "../../../../support/wait-for.js";
import { notInstalled, notLinux, skipped } from "../../../../support/skipped.js";

/** Runs `command`, which draws `prompt` and reads, and answers it once the prompt is drawn. */
async function answer(opened: TestProgram, command: string, prompt: string): Promise<void> {
  const running = await opened.run(command, 1500);
  expect(running.state).toBe("running");
  await waitFor(() => expect(opened.session.running?.latest).toContain(prompt));
  expect(await opened.session.sendInput("hello")).toBeNull();
  const result = await opened.session.wait({ timeoutMs: 60_000 });
  expect(result?.state).toBe("finished");
  expect(result?.output.text).toContain("got hello");
}

async function use(name: string, work: (opened: TestProgram) => Promise<void>): Promise<void> {
  const opened = await openTestProgram(name);
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

it.skipIf(skipped(notInstalled("gdb") ?? notLinux))("not where a debugged program draws it", () =>
  use("gdb", async (opened) => {
    await opened.run("file /bin/sh");
    await answer(opened, `run -c 'printf "(gdb) "; read x; echo "got $x"'`, "(gdb)");
    expect((await opened.run("print 40 + 2")).output.text).toContain("= 42");
  }),
);

it.skipIf(skipped(notInstalled("sqlite3") ?? notLinux))(
  "not where a command of the same group draws it",
  () =>
    use("sqlite3", async (opened) => {
      await answer(opened, `.shell printf 'sqlite> '; read x; echo "got $x"`, "sqlite>");
      expect((await opened.run("select 40 + 2;")).output.text).toContain("42");
    }),
);
