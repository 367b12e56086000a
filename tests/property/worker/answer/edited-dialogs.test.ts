/**
 * No key of an answer is typed into a dialog of which one character has changed since it was put on a card, at whatever place
 * that character is.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../../../prompt-lab/scenario/find-scenarios.js";
import type { Scenario } from "../../../../prompt-lab/scenario/scenario.js";
import { parseLegalValue } from "../../../../src/model/answer/reply.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import type { Signals, View } from "../../../../src/sdk/view.js";
import { injectAnswer } from "../../../../src/worker/answer/inject.js";
import type { CompiledAdapter } from "../../../../src/worker/adapter-format/compiled/compiled.js";
import { detect } from "../../../../src/worker/detection/detect.js";
import { takesAnyText } from "../../../../src/worker/detection/layout/fingerprint.js";
import type { RecordingEvent } from "../../../../src/worker/screen/recording-event.js";
import { replay } from "../../../../prompt-lab/replay/replay.js";
import {
  drawBytes,
  editableRows,
  editRow,
  isVisiblyEqual,
  makeBase,
} from "../../../security/support/edited-screens.js";
import { drive, FakePort, GROUP } from "../../../unit/worker/answer/fake-port.js";
import { replyTo } from "../../../unit/worker/answer/make.js";
import { shippedAdapter, drawView } from "../../../unit/worker/detection/screens.js";

const TOOLS = ["claude", "codex", "copilot", "gemini", "opencode", "qwen"];
const scenarios = findScenarios(TOOLS.map((tool) => `prompt-lab/scenarios/${tool}`)).filter(
  ({ expected }) => expected.type !== null,
);
const [ESC, CSI] = ["\u001b", "\u001b["];

/** So many characters of a dialog were compared once. */
const FORMERLY_COMPARED = 2_000;

interface Shown {
  readonly adapter: CompiledAdapter;
  readonly view: View;
  readonly signals: Signals;
}

async function shownBy(scenario: Scenario, drawn = ""): Promise<Shown & { asked: Candidate | null }> {
  const { tool, events, cols, rows, settleMs, tty } = scenario;
  const adapter = shippedAdapter(tool);
  const last: RecordingEvent = {
    t_ms: (events.at(-1)?.t_ms ?? 0) + settleMs,
    data_b64: Buffer.from(drawn).toString("base64"),
  };
  const { view, pending } = await replay(adapter, drawn === "" ? events : [...events, last], {
    cols,
    rows,
    settleMs,
    tty,
  });
  return { adapter, view, signals: tty, asked: pending?.candidate ?? null };
}

const liveOn = ({ adapter, view, signals }: Shown): Candidate | null =>
  detect(adapter, view, signals).candidate;

/** The keys that an answer to `asked` types while this is shown; null where it has no answer of one key. */
async function keysInto(shown: Shown, asked: Candidate): Promise<readonly string[] | null> {
  const value = ["1", "y"].find((one) => parseLegalValue(asked, one, undefined).ok);
  if (value === undefined) return null;
  const port = new FakePort(liveOn(shown), shown.view);
  const gate = (): Promise<void> => Promise.resolve();
  await drive(port.clock, injectAnswer(port, asked, replyTo(asked, value), gate, { raisedGroup: GROUP }));
  return port.written;
}

const squeezed = (text: string): string => text.replace(/\s/gu, "");

/** Rows of the dialog that its card tells of, up to the last choice: hints stand below. A field's label gives way to what is typed into it. */
function listRows(view: View, { region, choices, ...asked }: Candidate): number[] {
  const rows = view.lines.map(({ text }) => text);
  const texts = rows.map((row) => squeezed(row).replace(/^[│┃❯]*(?:\d\.)?|[│┃]*$/gu, ""));
  const base = { adapter: "", size: view, rows, cursorUp: null, column: 0, cursorShown: true, isMain: true };
  const labels = choices.map(({ label }) => squeezed(label));
  const fields = choices.filter(takesAnyText).map(({ label }) => squeezed(label));
  const last = texts.findLastIndex((text) => text !== "" && labels.some((label) => label.endsWith(text)));
  return editableRows(base, { region, choices, ...asked }).filter((row) => {
    const text = texts[row] ?? "";
    const isWithin = row >= region.top && row <= Math.min(region.bottom, last < 0 ? Infinity : last);
    return isWithin && text !== "" && !fields.some((label) => label.includes(text));
  });
}

const becomes = fc.constantFrom(..."ae1/.-_;|&>$~ │┃✔аА");
const edits = fc.record({
  row: fc.nat(),
  column: fc.nat(),
  edit: fc.oneof(
    becomes,
    becomes.map((letter) => `${CSI}@${letter}`),
    fc.constant(`${CSI}P`),
  ),
});

describe("a dialog of which one character changed after it was asked", () => {
  const seen = { typed: 0, edited: 0 };

  it("takes no key, at whatever place of a recorded dialog that is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(scenarios.length - 1),
        fc.array(edits, { minLength: 4, maxLength: 4 }),
        async (at, tried) => {
          const scenario = scenarios[at]!;
          const { asked, ...before } = await shownBy(scenario);
          // A tick settles nothing: the row that sends all of them is looked at when its turn comes.
          if (!asked || asked.choices.some(({ checked }) => checked !== undefined)) return;
          const rows = listRows(before.view, asked);
          if (rows.length === 0) return;
          if (((await keysInto(before, asked)) ?? []).length > 0) seen.typed += 1;
          for (const { row, column, edit } of tried) {
            const y = rows[row % rows.length]!;
            const text = before.view.lines[y]?.text ?? "";
            const [lead = ""] = /^[\s│┃❯]*/u.exec(text) ?? [];
            const x = lead.length + (column % text.slice(lead.length).replace(/[\s│┃]+$/u, "").length);
            const drawn = `${ESC}7${CSI}${y + 1};${x + 1}H${edit}${ESC}8`;
            const after = await shownBy(scenario, drawn);
            if (after.view.lines[y]?.text === text) continue;
            const keys = await keysInto(after, asked);
            if (keys === null) continue;
            seen.edited += 1;
            expect(
              keys,
              `${scenario.scenarioId} row ${y}: ${JSON.stringify([text, after.view.lines[y]?.text])}`,
            ).toEqual([]);
          }
        },
      ),
      { numRuns: 30 },
    );
    expect(seen.typed).toBeGreaterThan(5);
    expect(seen.edited).toBeGreaterThan(30);
  });

  it("takes no key, in whatever row of a dialog that may be longer than its screen", async () => {
    let beyond = 0;
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(2 ** 30)), async (numbers) => {
        const below = (n: number): number => (numbers.next().value ?? 0) % n;
        const base = makeBase(below);
        const adapter = shippedAdapter(base.adapter);
        const signals = { echo: true, blockedOnRead: true, canonical: base.cursorUp === null };
        const show = async (rows: readonly string[]): Promise<Shown> => {
          const view = await drawView(drawBytes(base, rows), base.size);
          return { adapter, view, signals };
        };
        const asked = liveOn(await show(base.rows));
        if (!asked) throw new Error(`nothing is asked:\n${base.rows.join("\n")}`);
        const rows = editableRows(base, asked);
        const at = rows[below(rows.length)] ?? 0;
        const before = base.rows[at] ?? "";
        const after = editRow(before, below);
        if (isVisiblyEqual(before, after)) return;
        const shown = await show(base.rows.map((row, index) => (index === at ? after : row)));
        expect(await keysInto(shown, asked), JSON.stringify([before, after])).toEqual([]);
        if (base.rows.slice(0, at).join("").length > FORMERLY_COMPARED) beyond += 1;
      }),
      { numRuns: 150 },
    );
    expect(beyond).toBeGreaterThan(0);
  });
});
