/** What is typed for a running command arrives whole, and as it is, or not at all. */
import { afterEach, beforeEach, expect, it } from "vitest";
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
