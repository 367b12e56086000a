/**
 * Whatever a command does in a live zsh, fish or dash, its output is exact or marked as not exact, and the next command gets its own. What
 * bash alone can do is in `torture.test.ts`.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../support/hub-home.js";
import { openTestProgram, type TestProgram } from "../../../../support/program/open.js";
import { notInstalled, skipped } from "../../../../support/skipped.js";

/** Ten megabytes are drawn on the emulated screen; a busy machine takes a minute for them. */
const LONG_MS = 180_000;

interface Shell {
  readonly name: string;
  /** Lines that are not complete. */
  readonly open: readonly string[];
  /** The longest line that it takes as one command; its terminal cuts longer ones where it reads them itself. */
  readonly lineBytesMax: number;
  /** What interrupts a command ends it with. */
  readonly interrupted: number;
}

const SHELLS: readonly Shell[] = [
  {
    name: "zsh",
    open: ["echo 'never", "for x in 1; do", "cat <<END"],
    lineBytesMax: 65_536,
    interrupted: 130,
  },
  { name: "fish", open: ["echo 'never", "for x in 1"], lineBytesMax: 65_536, interrupted: 130 },
  {
    name: "dash",
    open: ["echo 'never", "for x in 1; do", "cat <<END"],
    lineBytesMax: 65_536,
    interrupted: 130,
  },
];

const shows = ({ screen }: TestProgram, text: string): boolean =>
  screen.view().lines.some((line) => line.text.includes(text));

for (const { name, open, lineBytesMax, interrupted } of SHELLS)
  describe.skipIf(skipped(notInstalled(name)))(name, () => {
    let shell: TestProgram;
    beforeAll(async () => void (shell = await openTestProgram(name)));
    afterAll(() => shell.close());

    async function expectSound(): Promise<void> {
      const { output, exitCode } = await shell.run("echo sound; sh -c 'exit 3'");
      expect({ text: output.text, exitCode }).toEqual({ text: "sound\n", exitCode: 3 });
    }

    it("ten megabytes are in the file, both ends in the result", async () => {
      const { output } = await shell.run("seq 1 1420000", LONG_MS);
      expect(output.text.startsWith("1\n2\n3\n")).toBe(true);
      expect(output.text.endsWith("1419999\n1420000\n")).toBe(true);
      expect(output.isExact).toBe(true);
      const whole = readFileSync(output.file ?? "", "utf8");
      expect(whole).toBe(Array.from({ length: 1_420_000 }, (_, n) => `${n + 1}\n`).join(""));
      await expectSound();
    });

    it("no line feed at the end, and none at all", async () => {
      expect((await shell.run("printf abc")).output.text).toBe("abc");
      expect((await shell.run("true")).output.text).toBe("");
      await expectSound();
    });

    it("binary bytes are kept as they came", async () => {
      const { output } = await shell.run("head -c 3000 /dev/zero | tr '\\0' '\\377'; printf 'a\\0b\\303('");
      // fish sets the title of its window before a command runs, and draws a sign behind output that ends without a line feed.
      const raw = output.raw.subarray(output.raw.indexOf(255));
      expect([...new Set(raw.subarray(0, 3000))]).toEqual([255]);
      expect(Buffer.from(raw.subarray(3000, 3005)).toString("latin1")).toBe("a\0b\xc3(");
      await expectSound();
    });

    it("forged marks and imitated prompts end nothing", async () => {
      const forged = String.raw`printf '\033]633;D;0\007\033]633;P;Cwd=/forged\007\033]633;A\007$ \033]633;B\007'; sleep 0.3; echo real`;
      const { output, cwd, exitCode } = await shell.run(forged);
      expect(output.text).toBe("$ real\n");
      expect(cwd).toBe(shell.folder);
      expect(exitCode).toBe(0);
      await expectSound();
    });

    it("the secret of its marks is in no file, argument or environment that a command can read", async () => {
      const found = `grep -rahoE -D skip "[0-9a-f]{32}" ${shell.folder}`;
      const looked = `sh -c 'cat /proc/$PPID/cmdline /proc/$PPID/environ; env; ${found}' | tr '\\0' '\\n'`;
      const { output } = await shell.run(looked);
      expect(shell.nonce).toMatch(/^\w{32}$/);
      expect(output.text).toContain("HOME=");
      expect(output.text.replaceAll("-", "")).not.toContain(shell.nonce);
    });

    it("a job in the background that prints later does not end up in a command's exit code", async () => {
      await shell.run("sh -c 'sleep 0.3; echo from the background' &");
      const { output, exitCode } = await shell.run("sleep 0.8; echo done; sh -c 'exit 5'");
      expect(output.text).toContain("done\n");
      expect(exitCode).toBe(5);
      await expectSound();
    });

    it("a command that reads gets what is sent to it, and nothing else is typed meanwhile", async () => {
      const reads = `sh -c 'printf "name? "; read name; echo "hello $name"'`;
      const waiting = await shell.run(reads, 1500);
      expect(waiting).toMatchObject({ state: "running" });
      expect((await shell.run("echo not now", 300)).state).toBe("refused");
      expect(await shell.session.sendInput("world")).toBeNull();
      const done = await shell.session.wait({ timeoutMs: 60_000 });
      expect(done?.output.text).toContain("hello world\n");
      await expectSound();
    });

    it("a nested shell is no prompt of ours, and is left again", async () => {
      expect((await shell.run("bash --norc --noprofile", 1500)).state).toBe("running");
      expect(await shell.session.sendInput("echo inside; exit 4")).toBeNull();
      const done = await shell.session.wait({ timeoutMs: 60_000 });
      expect(done?.output.text).toContain("inside\n");
      expect(done?.exitCode).toBe(4);
      await expectSound();
    });

    it("unclosed quotes and blocks are given up, and said to be", async () => {
      for (const line of open) {
        const { isIncomplete, state } = await shell.run(line);
        expect({ line, isIncomplete, state }).toEqual({ line, isIncomplete: true, state: "finished" });
      }
      await expectSound();
    });

    it("a long line and a block of many lines arrive whole", async () => {
      const long = "x".repeat(lineBytesMax);
      expect((await shell.run(`echo ${long} | wc -c`)).output.text.trim()).toBe(String(long.length + 1));
      const block = Array.from({ length: 300 }, (_, n) => `echo line ${n}`).join("\n");
      const { output } = await shell.run(block);
      expect(output.text).toBe(Array.from({ length: 300 }, (_, n) => `line ${n}\n`).join(""));
      await expectSound();
    });

    it("the time limit leaves the command running, and it can be interrupted", async () => {
      expect((await shell.run("sleep 60", 500)).state).toBe("running");
      expect(await shell.session.press("interrupt")).toBeNull();
      const done = await shell.session.wait({ timeoutMs: 60_000 });
      expect({ state: done?.state, exitCode: done?.exitCode }).toEqual({
        state: "finished",
        exitCode: interrupted,
      });
      await expectSound();
    });

    it("another size of the terminal changes no output", async () => {
      const line = "0123456789".repeat(20);
      for (const size of [
        { cols: 40, rows: 10 },
        { cols: 120, rows: 30 },
      ]) {
        shell.terminal.resize(size);
        shell.screen.resize(size);
        expect((await shell.run(`echo ${line}`)).output.text).toBe(`${line}\n`);
      }
      await expectSound();
    });

    it("progress bars are what is left of them", async () => {
      const bar = String.raw`sh -c 'for n in 10 50 100; do printf "\r%s%%" $n; done; printf "\r\033[Kdone\n"'`;
      expect((await shell.run(bar)).output.text).toBe("done\n");
      await expectSound();
    });

    it("what a person types meanwhile is theirs, and the command waits for the end of it", async () => {
      await shell.type("echo of-a-");
      await eventually(() => shows(shell, "echo of-a-"));
      const ours = shell.run("echo ours");
      await shell.type("person\r");
      expect((await ours).output.text).toBe("ours\n");
      await eventually(() => shows(shell, "of-a-person"));
      await expectSound();
    });

    it("ends its command where it is replaced or killed", async () => {
      for (const end of ["exec true", "kill -KILL $$"]) {
        if (name === "fish" && end.includes("$$")) continue;
        const own = await openTestProgram(name);
        expect((await own.run(end)).state).toBe("ended");
        await own.close();
      }
    });
  });
