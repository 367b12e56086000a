/** Without facts of the tool, a dialog in a terminal that another program opened is approved in a second step only. */
import { readlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/hub-home.js";
import { Replay } from "../support/rig/replay.js";
import { withRig } from "../support/rig/rig.js";

const SAYS = "Another program may have drawn over what the tool asks";
const SECOND = "1. ⚠️ Maybe drawn over: Yes";
const FLAGS = ["--no-hooks"];

/** Draws over a row of the terminal of process `pid`, as any program of the user can. */
function paint(pid: number, row: number, text: string): void {
  writeFileSync(readlinkSync(`/proc/${pid}/fd/0`), `\u001b7\u001b[${row};1H${text}\u001b[K\u001b8`);
}

describe.concurrent("a dialog in a terminal that another program opens", () => {
  it("gets another card, on which one tap approves nothing", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { flags: FLAGS });
      const card = await replay.run.card();
      expect(card.text).not.toContain(SAYS);
      const { tool } = await replay.pids();
      paint(tool, 1, "painted");
      const marked = await replay.run.card(2);
      expect(marked.text).toContain(SAYS);
      await marked.press(1);
      await eventually(() => marked.buttons.includes(SECOND));
      expect(replay.typed).toEqual([]);
      await replay.run.pressWithNumber(marked, 1);
      await replay.answered(1);
      expect(replay.taken).toEqual([["1"]]);
    }));

  it("is rejected in one step", () =>
    withRig(async (rig) => {
      const replay = Replay.start(rig, ["bash"], { flags: FLAGS });
      await replay.run.card();
      paint((await replay.pids()).tool, 1, "painted");
      const marked = await replay.run.card(2);
      await marked.pressAnswer("No");
      await replay.answered(1);
    }));
});
