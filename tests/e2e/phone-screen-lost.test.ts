/** A tool writes what the model of the screen cannot follow: its people are told, and nothing is typed into its open question. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withRig } from "../support/rig/rig.js";

it("a screen that can no longer be read is reported on the open card and to its people, and no answer is typed", () =>
  withRig(async (rig) => {
    const sign = join(rig.home.folder, "sign");
    // More than the screen has cells, and few enough for the test's own terminal, which has no bounds.
    const flood = `(until [ -e ${sign} ]; do sleep 0.1; done; printf 'x\\033[9999b') &`;
    const run = rig.run([
      "sh",
      "-c",
      `${flood} printf 'Overwrite it? [y/N] '; read -r answer; echo "<$answer>"`,
    ]);
    const card = await run.card();
    expect(card.text).toContain("Overwrite it?");
    writeFileSync(sign, "");
    expect(await card.settled()).toContain("The screen can no longer be read; AtlasBridge typed nothing");
    await rig.phone.notice(/its screen can no longer be read/);
    const [session] = await rig.sessions();
    expect(session?.state).toBe("screen_lost");
    expect(run.text).not.toContain("<");
    run.terminal.press("y\r");
    await run.exited;
    expect(run.text).toContain("<y>");
  }));
