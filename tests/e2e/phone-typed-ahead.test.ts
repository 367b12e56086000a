/** An answer from afar is not joined with what somebody typed at the terminal before the question came. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withRig } from "../support/rig/rig.js";

describe("an answer from a phone", () => {
  it("is not joined with what was typed before the question came", () =>
    withRig(async (rig) => {
      const script =
        'printf "working\\n"; read -r go < go; printf "Delete all? [y/N] "; read a; echo "GOT<$a>"';
      const run = rig.run(["sh", "-c", `mkfifo go; ${script}`]);
      await run.terminal.waitFor(/working/);
      await run.terminal.settled();
      run.terminal.press("y");
      await run.terminal.waitFor(/working\s+y/);
      writeFileSync(join(rig.home.folder, "go"), "now\n");
      const card = await run.card();
      card.reply("no");
      expect(await card.shows(/^⚠️/)).toMatch(/somebody was typing at the terminal/i);
      expect(run.text).not.toContain("GOT");
    }));
});
