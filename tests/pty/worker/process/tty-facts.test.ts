/** The kernel's facts about a real terminal show echo, line mode, the foreground group and the process that reads. */
import { describe, expect, it } from "vitest";
import { TtyFacts, type TtySignals } from "../../../../src/worker/process/facts/tty-facts.js";
import { Collector, start, until } from "../../support/tools.js";
import { notLinux, skipped } from "../../../support/skipped.js";

/** What becomes known of a tool once it is as far as `settled` says. */
async function readFacts(
  command: readonly string[],
  settled: (facts: TtySignals) => boolean,
): Promise<TtySignals> {
  const terminal = start(command);
  new Collector(terminal);
  const facts = new TtyFacts(terminal);
  let known: TtySignals = {};
  await until(async () => settled((known = await facts.read())));
  terminal.kill("SIGKILL");
  await terminal.exited;
  return known;
}

const isBlocked = (facts: TtySignals) => facts.blockedOnRead === true;

describe.skipIf(skipped(notLinux))("the facts of a real terminal", () => {
  it("show a tool that reads a line", async () => {
    expect(await readFacts(["cat"], isBlocked)).toEqual({
      canonical: true,
      echo: true,
      foreground: "cat",
      blockedOnRead: true,
    });
  });

  it("show a password question by its missing echo", async () => {
    const known = await readFacts(["bash", "-c", "read -rsp 'Password: ' secret"], isBlocked);
    expect(known).toMatchObject({ canonical: true, echo: false, blockedOnRead: true });
  });

  it("tell a tool that sleeps after its question from one that waits for an answer", async () => {
    const known = await readFacts(
      ["bash", "-c", "printf 'Waiting for lock (y/n)? '; exec sleep 30"],
      (facts) => {
        return facts.foreground === "sleep" && facts.blockedOnRead !== undefined;
      },
    );
    expect(known.blockedOnRead).toBe(false);
  });

  it("see the question of a program that a script runs", async () => {
    const known = await readFacts(["sh", "-c", "(cat; true); true"], isBlocked);
    expect(known.blockedOnRead).toBe(true);
  });

  it("say nothing about reading where a tool watches several things at once", async () => {
    const known = await readFacts(
      [process.execPath, "-e", "process.stdin.setRawMode(true).resume()"],
      (facts) => facts.canonical === false,
    );
    expect(known).toMatchObject({ canonical: false, echo: false });
    expect(known.blockedOnRead).not.toBe(true);
  });

  it("follow the foreground from a shell to its program", async () => {
    const terminal = start(["bash", "--norc", "-i"]);
    const output = new Collector(terminal);
    const facts = new TtyFacts(terminal);
    await output.until(/\$ |# /);
    const shell = facts.findForegroundGroup();
    expect((await facts.read()).foreground).toBe("bash");
    await terminal.write(Buffer.from("sleep 30\r"));
    await until(async () => (await facts.read()).foreground === "sleep");
    expect(facts.findForegroundGroup()).not.toBe(shell);
    terminal.close();
    await terminal.exited;
    expect(facts.findForegroundGroup()).toBeUndefined();
    expect((await facts.read()).blockedOnRead).toBeUndefined();
  });
});
