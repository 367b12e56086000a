/** A question on a line belongs to the process that reads its answer: without that one nothing is typed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { withRig } from "../support/rig/rig.js";

/** It gives up, draws nothing, and asks something else much later. */
const GIVES_UP = `read -t 3 -p 'Deploy to staging? [y/N] ' a; : > left; sleep 5
read -p 'Delete the production database? [y/N] ' b; echo "A=<$a> B=<$b>"`;

describe.concurrent("a question whose program stopped reading, and drew nothing", () => {
  it("is withdrawn", () =>
    withRig(async (rig) => {
      const run = rig.run(["bash", "-c", GIVES_UP]);
      const staging = await run.card();
      expect(await staging.settled()).toMatch(/left|gone/i);
      expect(run.text).not.toContain("Delete");
      const deletion = await run.card(2);
      expect(deletion.content).toMatch(/Delete the production database/);
      await deletion.press(2);
      await run.terminal.waitFor(/A=<> B=<n>/);
    }));

  it("takes no answer that comes in that very moment", () =>
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
