/** What is typed for a running command arrives whole, and as it is, or not at all. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { TtyFacts } from "../../../../../src/worker/process/facts/tty-facts.js";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notLinux, skipped } from "../../../../support/skipped.js";

let bash: TestProgram;
beforeEach(async () => void (bash = await openTestProgram("bash")));
afterEach(() => bash.close());

async function begin(command: string): Promise<void> {
  expect((await bash.run(command, 200)).state).toBe("running");
}

it("a line that the terminal would cut is refused, and the longest one arrives whole", async () => {
  await begin("read -r x; echo ${#x}");
  expect(await bash.session.sendInput("x".repeat(6000))).toContain("longer than 4000 bytes");
  expect(await bash.session.sendInput("x".repeat(4000))).toBeNull();
  const result = await bash.session.wait({ timeoutMs: 60_000 });
  expect(result?.output.text.trimEnd().split("\n").at(-1)).toBe("4000");
});

it.skipIf(skipped(notLinux))("a tab reaches a program that waits for a line", async () => {
  await begin("IFS= read -r x; printf '%s' \"$x\" | od -An -c");
  await eventually(async () => (await bash.session.sendInput("a\tb")) === null);
  expect((await bash.session.wait({ timeoutMs: 60_000 }))?.output.text).toMatch(/a +\\t +b\n$/);
});

it("a tab is refused while the line editor of a shell inside would complete by it", async () => {
  await begin("bash --norc --noprofile");
  await eventually(async () => (await bash.session.sendInput("ec\tho hi"))?.includes("a tab") === true);
  // Also while it runs something, for what it reads next.
  expect(await bash.session.sendInput("sleep 1")).toBeNull();
  expect(await bash.session.sendInput("ec\tho hi")).toContain("a tab");
  expect(await bash.session.sendInput("exit 3")).toBeNull();
  expect((await bash.session.wait({ timeoutMs: 60_000 }))?.exitCode).toBe(3);
});

it.skipIf(skipped(notLinux))("a line for a question that has ended is not run by the shell", async () => {
  await endUnseen();
  expect(await bash.session.sendInput("touch ran")).toContain("at its own prompt");
  await goOn();
  expect((await bash.run("ls")).output.text).toBe("");
});

it.skipIf(skipped(notLinux))("the key that ends the input of a command does not end its shell", async () => {
  await endUnseen();
  expect(await bash.session.press("eof")).toContain("nothing is running");
  await goOn();
  expect((await bash.run("echo on")).output.text).toBe("on\n");
});

/** A command asks, and is answered at the terminal. Its shell is back at the prompt, but nobody has read that. */
async function endUnseen(): Promise<void> {
  await begin("read -r x");
  bash.terminal.pause();
  await bash.type("y\r");
  const facts = new TtyFacts(bash.terminal);
  await eventually(
    async () => (await facts.read()).canonical === false && facts.findReaders().readers.length > 0,
  );
}

async function goOn(): Promise<void> {
  bash.terminal.resume();
  expect((await bash.session.wait({ timeoutMs: 60_000 }))?.exitCode).toBe(0);
}
