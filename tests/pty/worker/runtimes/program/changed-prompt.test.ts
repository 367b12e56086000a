/** A command that changes its program's prompt is not said to go on where it has ended, nor to have ended where that is not seen. */
import { expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, notLinux, skipped } from "../../../../support/skipped.js";

const TURN_MS = 60_000;

async function use(name: string, work: (opened: TestProgram) => Promise<void>): Promise<void> {
  const opened = await openTestProgram(name);
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
}

it.skipIf(skipped(notInstalled("fish")))("fish has ended it, and is given no further one", () =>
  use("fish", async (opened) => {
    expect(
      await opened.run("functions -e __atb_mark_prompt; function fish_prompt; echo 'P> '; end", TURN_MS),
    ).toMatchObject({
      state: "finished",
      exitCode: 0,
    });
    expect(await opened.run("echo two", 500)).toMatchObject({
      state: "refused",
      note: "its prompt was changed, and carries our marks no longer: start the session again",
    });
  }),
);

it.skipIf(skipped(notInstalled("fish")))("fish takes its time for a prompt of its own", () =>
  use("fish", async (opened) => {
    await opened.run("function fish_prompt; sleep 2; echo 'P> '; end", TURN_MS);
    expect(await opened.run("echo two", TURN_MS)).toMatchObject({
      state: "finished",
      output: { text: "two\n" },
    });
  }),
);

const HIDDEN = (
  [
    ["dash", "OWN=$PS1", "PS1='x> '", "PS1=$OWN", "echo 1"],
    ["lua", "OWN = _PROMPT", "_PROMPT = 'x> '", "_PROMPT = OWN", "print(1)"],
    ["sqlite3", ".print", '.prompt "X> "', '.prompt "sqlite> "', "select 1;"],
  ] as const
).filter(([name]) => !skipped(notInstalled(name)));

it.skipIf(skipped(notLinux)).each(HIDDEN)(
  "%s may have ended it, which is said, and takes the line that brings the prompt back",
  async (name, keep, change, back, next) => {
    await use(name, async (opened) => {
      await opened.run(keep, TURN_MS);
      const result = await opened.run(change, 4500);
      expect(result.state).toBe("running");
      expect(result.note).toContain("or it has ended and the program's prompt was changed");
      expect(await opened.session.sendInput(back)).toBeNull();
      expect((await opened.session.wait({ timeoutMs: TURN_MS }))?.state).toBe("finished");
      expect((await opened.run(next, TURN_MS)).output.text).toBe("1\n");
    });
  },
);

it("nothing is said of a command that works, or of one that something else reads for", () =>
  use("bash", async (opened) => {
    expect(await opened.run("while :; do :; done", 1500)).toMatchObject({ state: "running", note: "" });
    expect(await opened.session.press("interrupt")).toBeNull();
    await opened.session.wait({ timeoutMs: TURN_MS });
    expect(await opened.run("cat", 1500)).toMatchObject({ state: "running", note: "" });
  }));
