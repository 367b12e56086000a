/**
 * No answer is typed behind text that somebody has typed after a prompt on a line. A stopped session, a plan above the prompt and
 * a clock on the screen are handled too.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import type { Card } from "../support/rig/phone.js";
import { withRig, type Rig } from "../support/rig/rig.js";
import type { Run } from "../support/rig/run.js";

const SCRIPT = `echo $$ > pid; printf 'Deploy to production? [y/N] '; read a; echo "got <$a>"`;
const ERASE = "\u007f";

async function open(rig: Rig): Promise<{ run: Run; card: Card }> {
  const run = rig.run(["sh", "-c", SCRIPT]);
  return { run, card: await run.card() };
}

describe.concurrent("behind a question on a line", () => {
  it("a letter without Enter answers nothing, and no tap is typed behind it until it is erased", () =>
    withRig(async (rig) => {
      const { run, card } = await open(rig);
      run.terminal.press("x");
      await run.terminal.waitFor(/\[y\/N\] x/);
      await run.terminal.settled();
      await card.press(1);
      expect(await card.shows(/^⚠️/)).toMatch(/somebody was typing at the terminal/i);
      run.terminal.press(ERASE);
      await run.terminal.waitFor(/\[y\/N\] *$/m);
      await run.terminal.settled();
      await card.press(1);
      expect(await card.settled()).toMatch(/^✅ Yes, by Ara, confirmed$/);
      await run.terminal.waitFor(/got <y>/);
    }));

  it("a letter without Enter is no answer when the tool is killed", () =>
    withRig(async (rig) => {
      const { run, card } = await open(rig);
      run.terminal.press("y");
      await run.terminal.waitFor(/\[y\/N\] y/);
      await run.terminal.settled();
      process.kill(Number(readFileSync(join(rig.home.folder, "pid"), "utf8")), "SIGKILL");
      expect(await card.settled()).toMatch(/^⏹ The session ended; AtlasBridge typed nothing/);
    }));

  it("a letter and Enter answer the prompt", () =>
    withRig(async (rig) => {
      const { run, card } = await open(rig);
      run.terminal.press("y");
      await run.terminal.waitFor(/\[y\/N\] y/);
      run.terminal.press("\r");
      expect(await card.settled()).toBe("⌨️ Yes, at the terminal");
      await run.terminal.waitFor(/got <y>/);
    }));
});

/** A clock runs in the row above the question, and the cursor stays behind the question. */
const CLOCK = `echo $$ > pid; printf 'Elapsed 0 s\\nContinue? [y/N] '
(i=0; while sleep 0.4; do i=$((i+1)); printf '\\0337\\033[1A\\rElapsed %s s\\0338' $i; done) &
read a; kill $!; echo "got <$a>"`;

/** It may have ended already. */
function goOn(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // Nothing is left to wake.
  }
}

/** The ten seconds that a call may take, and on a busy machine the starts of four programs. */
const STOPPED_TEST_MS = 60_000;

describe("a session whose process is stopped", () => {
  it(
    "is listed as stopped, its people are told so, and the answer goes in once the process continues",
    () =>
      withRig(async (rig) => {
        const { run, card } = await open(rig);
        const [session] = await rig.sessions();
        const pid = session?.pid ?? 0;
        process.kill(pid, "SIGSTOP");
        try {
          const { stdout } = await rig.home.run("sessions");
          expect(stdout).toContain(`stopped: \`fg\` at its terminal or \`kill -CONT ${pid}\` continues it`);
          const answer = rig.home.start("answer", card.shortId, "y", "--wait");
          let told = "";
          answer.stderr?.on("data", (chunk: Buffer) => (told += chunk.toString()));
          const exited = once(answer, "exit");
          await eventually(() =>
            /has not picked the answer up yet\. It is stopped: .+ Still waiting\./.test(told),
          );
          process.kill(pid, "SIGCONT");
          expect((await exited)[0]).toBe(0);
          await run.terminal.waitFor(/got <y>/);
        } finally {
          goOn(pid);
        }
      }),
    STOPPED_TEST_MS,
  );
});

/** As terraform asks: the plan stands above a blank row. */
const PLAN = `echo 'Plan: 0 to add, 3 to destroy.'; echo
printf "Do you want to perform these actions?\\n  Only 'yes' is accepted.\\n\\n  Enter a value: "; read a`;

describe("a question below a plan", () => {
  it("says on its card that more stands above it on the screen", () =>
    withRig(async (rig) => {
      const card = await rig.run(["sh", "-c", PLAN]).card();
      expect(card.content).toMatch(/^Do you want to perform/);
      expect(card.text).toContain("⬆️ The terminal shows more above this.");
    }));
});

describe("a question below a clock", () => {
  it("makes few cards, types nothing from an old card, and asks again after a tap on it", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "-c", CLOCK]);
      await run.card();
      await run.terminal.waitFor(/Elapsed 10 s/);
      const count = run.cards.length;
      expect(count).toBeLessThanOrEqual(3);
      await run.cards.at(-1)?.press(1);
      expect((await run.card(count + 1)).content).toMatch(/^Elapsed \d+ s\nContinue/);
      expect(run.text).not.toContain("got <");
    }));
});
