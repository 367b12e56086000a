/**
 * The console of a session from a phone: a text is one command, and its output, exit code, directory and time come back. Programs are
 * debugged that way. It is off unless its person opened it, and only approvers may use it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDatabase } from "../property/hub/read-database.js";
import { eventually } from "../support/hub-home.js";
import { ChatConsole } from "../support/rig/chat-console.js";
import { withSlack } from "../support/rig/slack-desk.js";
import { readable } from "../support/slack/conversations.js";
import type { Message } from "../support/slack/emulator.js";
import { type Rig, withRig } from "../support/rig/rig.js";
import { notInstalled, skipped } from "../support/skipped.js";

function writeProgram(rig: Rig, name: string, text: string): string {
  const path = join(rig.home.folder, name);
  writeFileSync(path, text);
  return path;
}

describe.concurrent("a shell's console on the phone", () => {
  it("gives output, exit code, directory and time of each command", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      expect(await chat.say("cd /tmp && echo $((6 * 7)); (exit 3)")).toMatch(
        /^❌ work: “cd \/tmp .*”\nexit code 3 · \d+\.\d s · \/tmp\n42$/,
      );
      expect(await chat.say("for i in 1 2\ndo echo line $i\ndone")).toMatch(/✅[^]*line 1\nline 2$/);
      // Words of the hub are commands here; with a slash they are the hub's.
      expect(await chat.say("help | head -1")).toContain("GNU bash");
      expect(await chat.say("/help")).toContain("list open prompts");
      expect(await chat.say("mode")).toBe("work: bash · it has no modes · /tmp · no command of yours runs");
      expect(await chat.say("/usr/bin/env echo by path")).toMatch(/by path$/);
    }));

  it("tells that a command goes on, types a line for it, interrupts it, and tells its end", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      chat.send("sleep 100 & sleep 6; read -p 'name? ' name; echo hello $name; wait");
      await chat.next(/^⏳ work: .* goes on/);
      expect(await chat.say("echo no")).toMatch(/^⚠️ work: “echo no”\nNothing was typed: another command/);
      await eventually(() => chat.run.text.includes("\nname? "));
      chat.send("> Ara");
      await eventually(() => chat.run.text.includes("hello Ara"));
      chat.send("interrupt");
      expect(await chat.next(/hello Ara/)).toMatch(
        /^⏹ work: .*\nexit code 130 .*\nAn interrupt was sent\.\n/,
      );
      expect(await chat.say("interrupt")).toBe("⚠️ work: nothing was typed: nothing is running.");
    }));

  it("sends a long output as a file", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      expect(await chat.say("seq 1 2000")).toMatch(/\n2000$/);
      const file = (await rig.phone.file("output.txt")).toString();
      expect(file.split("\n")).toHaveLength(2000);
    }));

  it("waits for whoever types at the terminal, and says so", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      chat.run.terminal.press("echo half");
      await eventually(() => chat.run.text.includes("echo half"));
      expect(await chat.say("echo mine")).toMatch(/Nothing was typed: somebody is typing at the terminal\.$/);
      chat.run.terminal.press(" a line\r");
      expect(await chat.say("echo mine")).toMatch(/\nmine$/);
      expect(chat.run.text).toContain("half a line\r\n");
    }));

  it("is off until its person opens it, and closed again by them", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      await rig.home.run("console", "off", "work");
      await chat.next(/its console is closed/);
      expect(await chat.say("touch made")).toMatch(/Nothing was typed: its console is closed; .* console on/);
      await rig.home.run("console", "on", "work");
      await chat.next(/its console is open/);
      expect(await chat.say("echo yes")).toMatch(/\nyes$/);
      expect(existsSync(join(rig.home.folder, "made"))).toBe(false);
    }));

  it("takes nothing from a stranger, nor while everything is paused, and records both", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      rig.stranger.send("$ touch made");
      await chat.say("pause", /Paused/);
      expect(await chat.say("touch made")).toBe("AtlasBridge is paused; nothing was typed.");
      await chat.say("resume", /Resumed/);
      expect(await chat.say("ls made")).toMatch(/^❌/);
      const steps = readDatabase<{ step: string }>(rig.home.paths.database, "SELECT step FROM audit");
      expect(steps.map(({ step }) => step)).toContain("console_refused");
    }));

  it("is told after the hub was killed while a command ran", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      chat.send("sleep 8; echo survived");
      await chat.next(/goes on/);
      await rig.killHub();
      expect(await chat.next(/survived$/)).toMatch(/^✅ work: /);
    }));

  it("finds the only console without a reply, by a dollar sign", () =>
    withRig(async (rig) => {
      const chat = await ChatConsole.open(rig, "work", "bash", "--norc");
      rig.phone.user.send("$ echo found");
      expect(await chat.next(/found$/)).toMatch(/^✅ work: “echo found”/);
    }));
});

describe("a shell's console in Slack", () => {
  it("takes commands in the session's thread, with quotes and redirections as they were typed", () =>
    withSlack(async (rig, desk) => {
      rig.run(["bash", "--norc"], { label: "work", flags: ["--console"] });
      const find = (pattern: RegExp): Promise<Message> =>
        desk.slack.waitFor(
          () => desk.slack.posts(desk.place).find(({ blocks }) => pattern.test(readable(blocks))),
          String(pattern),
        );
      const opening = await find(/its console is open/);
      await desk.connected();
      const threadTs = opening.threadTs ?? opening.ts;
      desk.ara.mention(desk.place, `cd /tmp; echo "a < b && c > d" 2>&1`, { threadTs });
      const told = readable((await find(/✅ work: /)).blocks);
      expect(told).toMatch(/exit code 0 · \d+\.\d s · \/tmp/);
      expect(told).toContain("a < b && c > d");
    }));
});

describe.concurrent("a program that crashes is debugged from the phone", () => {
  it("in Python, started in the debugger, by words of the debugger alone", () =>
    withRig(async (rig) => {
      const path = writeProgram(rig, "ask.py", "name = input('name? ')\nprint('hello', nme)\n");
      const chat = await ChatConsole.open(rig, "py", "python3", "-m", "pdb", path);
      await eventually(() => chat.run.text.includes("(Pdb) "));
      expect(await chat.say("mode")).toMatch(/^py: python · mode pdb/);
      chat.send("next");
      await eventually(() => chat.run.text.includes("name? "));
      // It reads by itself: a prompt that was changed would look the same.
      await chat.next(/^⏳ py: “next” may go on: .* Its end comes here only if it is seen\./);
      chat.send("> Ara");
      expect(await chat.next(/“next”[^]*-> print/)).toMatch(/mode pdb/);
      expect(await chat.say("p name")).toMatch(/mode pdb\n'Ara'$/);
      expect(await chat.say("continue")).toMatch(/NameError[^]*Uncaught exception/);
      expect(await chat.say("p nme")).toMatch(/NameError: name 'nme' is not defined$/);
    }));

  it.skipIf(skipped(notInstalled("gdb", "gcc")))("in C, by gdb, while it hangs", () =>
    withRig(async (rig) => {
      const source = writeProgram(
        rig,
        "hang.c",
        "static volatile int turns;\nstatic void spin(int step) {\n  for (;;) turns += step;\n}\nint main(void) {\n  spin(0);\n}\n",
      );
      const program = source.replace(/\.c$/, "");
      execFileSync("gcc", ["-g", "-O0", "-o", program, source]);
      const chat = await ChatConsole.open(rig, "c", "gdb", program);
      chat.send("run");
      await chat.next(/“run” goes on/);
      chat.send("interrupt");
      expect(await chat.next(/“run”[^]*SIGINT/)).toMatch(/^⏹ c: [^]*spin \(step=0\) at .*hang\.c:3/);
      expect(await chat.say("bt", /“bt”/)).toMatch(/#0 {2}[^]*spin \(step=0\)[^]*#1 {2}[^]*main \(\)/);
      expect(await chat.say("if turns == 0\necho nothing was added\\n\nend")).toMatch(/\nnothing was added$/);
      expect(await chat.say("if 1")).toMatch(
        /^⚠️ c: .*\n.*\nIt printed nothing\.\nThe command was not complete\.$/,
      );
      expect(await chat.say("kill")).toMatch(/killed/);
      expect(await chat.say("quit")).toMatch(/The program has ended\./);
    }),
  );

  it.skipIf(skipped(notInstalled("gdb", "gcc")))("in C, by gdb", () =>
    withRig(async (rig) => {
      const source = writeProgram(
        rig,
        "crash.c",
        "struct node { int value; struct node *next; };\nint last(struct node *n) {\n  while (n->next->next) n = n->next;\n  return n->value;\n}\nint main(void) {\n  struct node only = { 7, 0 };\n  return last(&only);\n}\n",
      );
      const program = source.replace(/\.c$/, "");
      execFileSync("gcc", ["-g", "-O0", "-o", program, source]);
      const chat = await ChatConsole.open(rig, "c", "gdb", program);
      expect(await chat.say("run")).toMatch(/SIGSEGV[^]*crash\.c:3/);
      expect(await chat.say("bt")).toMatch(/#0 {2}[^]*last[^]*#1 {2}[^]*main/);
      expect(await chat.say("p n->next")).toMatch(/\(struct node \*\) 0x0$/);
      expect(await chat.say("p *n")).toMatch(/value = 7, next = 0x0/);
      expect(await chat.say("break last")).toMatch(/Breakpoint 1 at/);
      expect(await chat.say("run")).toMatch(/Breakpoint 1, last/);
      expect(await chat.say("n")).toMatch(/SIGSEGV/);
      expect(await chat.say("kill")).toMatch(/killed/);
      expect(readFileSync(source, "utf8")).toContain("n->next->next");
    }),
  );
});
