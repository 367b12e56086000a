/**
 * Another program draws over dialogs of six tools that give no facts: no answer to a card without a warning types anything
 * (`npm run test:security`).
 */
import { describe, expect, it } from "vitest";
import { notLinux, skipped } from "../support/skipped.js";
import { seeded } from "../support/seeded.js";
import type { Below } from "./support/edited-screens.js";
import { findDialogs, PaintRig, type Paint, type PaintMoment } from "./support/paint-rig.js";
import { BULK_HANG_MS, scaleCount, SEED } from "./support/scale.js";

const TOOLS = ["claude", "codex", "gemini", "copilot", "opencode", "qwen"] as const;
const PAINTS = scaleCount(200, TOOLS.length);
const DIALOGS_OF_A_TOOL = Math.ceil(PAINTS / TOOLS.length);
const MOMENTS: readonly PaintMoment[] = ["before", "with", "after"];
/** Every so many paints one dialog is left alone, and is answered. */
const CONTROL_EVERY = 6;
const COMMANDS = ["ls -la", "npm test", "git status", "echo done", "cat README.md"];

function drawRow(row: number, text: string): string {
  return `\u001b7\u001b[${row + 1};1H${text}\u001b[K\u001b8`;
}

const PAINTS_OF: Readonly<Record<string, (below: Below) => Paint>> = {
  command:
    (below) =>
    (_, { region, choices }) => {
      const rows = Math.max(1, (choices[0]?.firstRow ?? region.bottom) - region.top);
      return drawRow(region.top + below(rows), `   ${COMMANDS[below(COMMANDS.length)]}`);
    },
  labels:
    () =>
    (rows, { choices }) =>
      choices
        .map(({ firstRow, label }, at) =>
          drawRow(firstRow, (rows[firstRow] ?? "").replace(label, at === 0 ? "No" : "Yes")),
        )
        .join(""),
  order:
    () =>
    (rows, { choices }) => {
      const [first, last] = [choices[0]?.firstRow ?? 0, choices.at(-1)?.firstRow ?? 0];
      return drawRow(first, rows[last] ?? "") + drawRow(last, rows[first] ?? "");
    },
  mark:
    () =>
    (rows, { choices }) =>
      choices
        .map(({ firstRow }, at) =>
          drawRow(firstRow, `${at === 0 ? " " : "❯"}${(rows[firstRow] ?? "").slice(1)}`),
        )
        .join(""),
  "whole rows":
    (below) =>
    (_, { region }) =>
      Array.from({ length: region.bottom - region.top + 1 }, (_row, at) =>
        drawRow(region.top + at, ` ${COMMANDS[below(COMMANDS.length)]}`),
      ).join(""),
};

describe.skipIf(skipped(notLinux))("a dialog over which another program draws", () => {
  it(
    `is approved with a warning only: ${PAINTS} paints`,
    async () => {
      const random = seeded(SEED);
      const below: Below = (n) => Math.floor(random() * n);
      const kinds = Object.values(PAINTS_OF);
      const tally = {
        paints: 0,
        typed: [] as string[],
        unmarked: [] as string[],
        marked: 0,
        controls: 0,
        refused: 0,
      };
      for (const tool of TOOLS) {
        const dialogs = await findDialogs(tool, DIALOGS_OF_A_TOOL, below);
        expect(dialogs.length, tool).toBeGreaterThan(0);
        for (let at = 0; at < DIALOGS_OF_A_TOOL; at++) {
          const recorded = dialogs[at % dialogs.length]!;
          const moment = MOMENTS[at % MOMENTS.length]!;
          const isControl = at % CONTROL_EVERY === CONTROL_EVERY - 1;
          const kind = below(kinds.length);
          const rig = new PaintRig(recorded);
          const painted = await rig.run(isControl ? null : kinds[kind]!(below), moment);
          await rig.close();
          const name = `${tool} ${Object.keys(PAINTS_OF)[kind]} ${moment} ${recorded.size.cols}x${recorded.size.rows}`;
          if (isControl) {
            tally.controls++;
            if (painted.typed === 0) tally.refused++;
            continue;
          }
          tally.paints++;
          if (painted.typed > 0) tally.typed.push(name);
          if (painted.unmarked) tally.unmarked.push(name);
          if (painted.marked) tally.marked++;
        }
      }
      console.log(
        `painted: ${tally.paints} paints, ${tally.marked} with a marked card, ${tally.typed.length} answers to an unmarked card typed, ` +
          `${tally.controls} controls, ${tally.refused} refused`,
      );
      expect(tally.marked).toBeGreaterThan(0);
      expect(tally.typed).toEqual([]);
      expect(tally.unmarked).toEqual([]);
      expect(tally.refused).toBe(0);
    },
    BULK_HANG_MS,
  );
});
