/** Who opens a real terminal besides its tool and us is noticed, and what the tool itself and we do is not. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../../src/worker/process/terminal.js";
import { TtyFacts } from "../../../../src/worker/process/facts/tty-facts.js";
import { readCommand } from "../../../support/rig/processes.js";
import { notLinux, skipped } from "../../../support/skipped.js";
import { Collector, start, until } from "../../support/tools.js";

/** A tool that does `then` after a line was typed. */
async function withTool(then: string, check: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = start(["sh", "-c", `echo ready; read -r line; ${then}; echo done; read -r line`]);
  const output = new Collector(terminal);
  await output.until(/ready/);
  terminal.readUse();
  await terminal.write(Buffer.from("go\r"));
  await output.until(/done/);
  await check(terminal);
  terminal.kill("SIGKILL");
  await terminal.exited;
}

const shell = (script: string): Buffer => execFileSync("sh", ["-c", script]);

describe.skipIf(skipped(notLinux))("the use of a real terminal", () => {
  it("shows that another program opened it, and only once", () =>
    withTool("true", (terminal) => {
      shell(`printf painted > ${terminal.ptsPath}`);
      expect(terminal.readUse().isOpened).toBe(true);
      expect(terminal.readUse().isOpened).toBe(false);
      return Promise.resolve();
    }));

  it("shows that it was opened through a descriptor of the tool", () =>
    withTool("true", (terminal) => {
      shell(`printf painted > /proc/${terminal.pid}/fd/1`);
      expect(terminal.readUse().isOpened).toBe(true);
      return Promise.resolve();
    }));

  it("shows what is written as /dev/tty", () =>
    withTool("sh -c 'printf painted > /dev/tty'", (terminal) => {
      expect(terminal.readUse().isWritten).toBe(true);
      return Promise.resolve();
    }));

  it("shows nothing of what the tool draws and of what we ask", () =>
    withTool("printf drawn; stty size; stty -a < /dev/tty", async (terminal) => {
      const facts = await new TtyFacts(terminal).read();
      expect(facts).toMatchObject({ canonical: true, echo: true });
      terminal.readQueues();
      expect(terminal.readUse().isOpened).toBe(false);
    }));

  it("ends with the terminal", async () => {
    const terminal = start(["true"]);
    await terminal.exited;
    expect(terminal.readUse()).toEqual({ isOpened: false, isWritten: false });
  });

  it("finds the members of its session, also one whose parent has ended, and none that left it", async () => {
    const terminal = start(["sh", "-c", "(sleep 60 & setsid sleep 61 &); echo ready; exec sleep 62"]);
    const output = new Collector(terminal);
    await output.until(/ready/);
    const facts = new TtyFacts(terminal);
    const pids = (): number[] => facts.findMembers().map((member) => Number.parseInt(member, 10));
    const sleeps = (): string[] =>
      pids()
        .map((pid) => readCommand(pid).replace(/^\d+ /, ""))
        .filter((command) => command.startsWith("sleep"));
    await until(() => sleeps().length === 2);
    expect(sleeps().toSorted()).toEqual(["sleep 60", "sleep 62"]);
    for (const pid of pids()) process.kill(pid, "SIGKILL");
    await terminal.exited;
  });
});
