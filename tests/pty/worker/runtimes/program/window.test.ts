/** Output that moves the cursor over rows is what the window of the session's terminal shows, or is said not to be exact. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";

let opened: TestProgram;
beforeAll(async () => {
  opened = await openTestProgram("bash");
});
afterAll(() => opened.close());

it("a cursor that goes up stops at the first row of the window", async () => {
  const { output } = await opened.run(String.raw`seq 1 30; printf '\e[28AXX\e[28B\n'`);
  const lines = output.text.split("\n");
  expect(lines.slice(0, 7)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  // 24 rows, of which the last is empty.
  expect(lines[7]).toBe("XX");
  expect(output.isExact).toBe(true);
});

it("a row of a window that held other lines is not known", async () => {
  expect((await opened.run(String.raw`printf 'a\e[3;1HX\n'`)).output.isExact).toBe(false);
  expect((await opened.run(String.raw`clear; printf 'a\e[3;1HX\n'`)).output).toMatchObject({
    text: "a\n\nX\n",
    isExact: true,
  });
});

it.each([
  ["is drawn in that size", String.raw`printf '%0100d\r%0100d\n' 1 2`, `${"0".repeat(99)}2`, true],
  ["is not exact where it goes up to lines of before", String.raw`printf '\e[1Ac\n'`, "c", false],
])("what comes after another size of the terminal %s", async (_what, command, shown, isExact) => {
  const running = await opened.run(`read; ${command}`, 300);
  expect(running.state).toBe("running");
  const { cols, rows } = opened.screen.view();
  const size = { cols: cols + 40, rows };
  opened.terminal.resize(size);
  opened.screen.resize(size);
  expect(await opened.session.sendInput("")).toBeNull();
  const result = await opened.session.wait({ timeoutMs: 60_000 });
  expect(result?.output).toMatchObject({ isExact });
  expect(result?.output.text.split("\n")).toContain(shown);
});
