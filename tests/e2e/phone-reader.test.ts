/**
 * A prompt on a line belongs to the process that reads its answer. It is withdrawn when that process stops reading, and output of
 * a process that does not read is no prompt.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig } from "../support/rig/rig.js";
import { TTY_READ_GAP_MS } from "../../src/worker/signals/tty-watch.js";

/** After this much quiet, who reads has been looked up for sure: what is drawn from then on is not taken for the reader's own. */
const READERS_SEEN_MS = 4 * TTY_READ_GAP_MS;

/** It gives up, draws nothing, and asks something else much later. */
const GIVES_UP = `read -t 10 -p 'Deploy to staging? [y/N] ' a; : > left; sleep 5
read -p 'Delete the production database? [y/N] ' b; echo "A=<$a> B=<$b>"`;

describe.concurrent("a question whose program stopped reading, and drew nothing", () => {
  it("is withdrawn", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "-c", GIVES_UP]);
      const staging = await run.card();
      expect(await staging.settled()).toBe(
        "↩️ The prompt disappeared from the screen; AtlasBridge typed nothing",
      );
      expect(run.text).not.toContain("Delete");
      const deletion = await run.card(2);
      expect(deletion.content).toMatch(/Delete the production database/);
      await deletion.press(2);
      await run.terminal.waitFor(/A=<> B=<n>/);
    }));

  it("takes no answer that comes at that moment", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "-c", GIVES_UP]);
      const staging = await run.card();
      await eventually(() => existsSync(join(rig.home.folder, "left")));
      await staging.press(1);
      expect(await staging.settled()).not.toMatch(/^✅/);
      const deletion = await run.card(2);
      expect(deletion.content).toMatch(/Delete the production database/);
      await deletion.press(2);
      await run.terminal.waitFor(/A=<> B=<n>/);
    }));
});

const VERSION = /Version to publish/;

/** What another process writes below a question that its program goes on waiting at. */
const BESIDE = `echo $$ > pid
(until [ -e go ]; do sleep 0.1; done; printf '\\n[build] dist exists. Overwrite? [y/N] '; : > written) &
read -p 'Version to publish: ' v; echo "VERSION=<$v>"; read -p 'Publish it? [y/N] ' p; echo "PUBLISH=<$p>"`;

describe.concurrent("output of a process that reads nothing", () => {
  it("is no prompt of the process that reads, whose own output raises one", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "-c", BESIDE]);
      const version = await run.card();
      expect(version.content).toMatch(VERSION);
      writeFileSync(join(rig.home.folder, "go"), "");
      await run.terminal.waitFor(/Overwrite\?/);
      expect(await version.settled()).toMatch(
        /^↩️ The prompt disappeared from the screen|^↪️ Replaced by another prompt/,
      );
      run.terminal.press("1.2\r");
      await run.terminal.waitFor(/VERSION=<1\.2>/);
      const publish = await run.card(2);
      expect(publish.content).toMatch(/Publish it\?/);
      await publish.press(1);
      await run.terminal.waitFor(/PUBLISH=<y>/);
      expect(run.cards).toHaveLength(2);
    }));

  it("is not typed as a command into the shell", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "--norc", "--noprofile"]);
      await run.terminal.waitFor(/bash-.*[$#] ?$/m);
      // The shell is seen at its prompt before it is seen to write what is typed there.
      run.terminal.press("sleep 1; echo begun\r");
      await run.terminal.waitFor(/^begun$/m);
      await run.terminal.settled(READERS_SEEN_MS);
      run.terminal.press(
        "(until [ -e go ]; do sleep 0.1; done; printf '\\n\\nBranch %s: ' name; sleep 3; : > late) &\r",
      );
      await run.terminal.waitFor(/\[1\] \d+/);
      await run.terminal.settled(READERS_SEEN_MS);
      writeFileSync(join(rig.home.folder, "go"), "");
      await run.terminal.waitFor(/Branch name:/);
      // Longer than a line must stand of which nothing is proved.
      await eventually(() => existsSync(join(rig.home.folder, "late")));
      expect(run.cards).toEqual([]);
      run.terminal.press("\rread -p 'Your name? ' name; echo \"NAME=<$name>\"\r");
      const name = await run.card();
      expect(name.content).toMatch(/Your name\?/);
      expect(run.cards).toHaveLength(1);
    }));

  it("does not hide a question of a program that asks through another one", () =>
    withRig(async (rig) => {
      const script = `read -p 'First? ' a; env printf 'Second? '; read b; (env printf 'Third? '); c=$(head -n 1); echo "GOT=<$a$b$c>"`;
      const run = rig.run(["bash", "-c", script]);
      for (const [at, answer] of ["one", "two", "three"].entries()) (await run.card(at + 1)).reply(answer);
      await run.terminal.waitFor(/GOT=<onetwothree>/);
    }));

  it("does not hide the question of a program behind a pipe", () =>
    withRig(async (rig) => {
      const script = `python3 -u -c 'for q in ("One? ", "Two? "): print("got", input(q))' | tee log`;
      const run = rig.run(["sh", "-c", script]);
      (await run.card()).reply("1");
      (await run.card(2)).reply("2");
      await run.terminal.waitFor(/got 2/);
    }));
});
