/**
 * Every look of a recording is tried as the screen after an answer. No receipt says that the effect of the answer was seen while the answered
 * dialog is still drawn: as the rules read it, or as its rows where they no longer do.
 */
import { describe, expect, it } from "vitest";
import { findScenarios } from "../../../../prompt-lab/scenario/find-scenarios.js";
import type { Scenario } from "../../../../prompt-lab/scenario/scenario.js";
import type { ToolState } from "../../../../src/model/tool-state.js";
import type { InjectionResult } from "../../../../src/sdk/adapter.js";
import type { Candidate } from "../../../../src/sdk/candidate.js";
import type { View } from "../../../../src/sdk/view.js";
import type { CompiledAdapter } from "../../../../src/worker/adapter-format/compiled/compiled.js";
import { injectAnswer } from "../../../../src/worker/answer/inject.js";
import { detect } from "../../../../src/worker/detection/detect.js";
import { isUnrecognized } from "../../../../src/worker/detection/matchers/unrecognized-screen.js";
import { detectState } from "../../../../src/worker/detection/states.js";
import { Screen } from "../../../../src/worker/screen/screen.js";
import { drive, FakePort, GROUP } from "../../../unit/worker/answer/fake-port.js";
import { replyTo } from "../../../unit/worker/answer/make.js";
import { shippedAdapter } from "../../../unit/worker/detection/screens.js";

const TOOLS = ["claude", "cline", "codex", "copilot", "gemini", "kilo", "opencode", "pi", "qwen"];
/** Of each tool the gate plays about so many recordings, and `npm run verify` all of them. */
const RECORDINGS = process.env["ATB_FULL_SIZE"] === "1" ? Infinity : 12;
/** Later looks show other turns. */
const LOOKS_AFTER = 25;

interface Look {
  readonly view: View;
  readonly live: Candidate | null;
}

/** A terminal whose tool answers a key with one look of its recording. */
class RecordedPort extends FakePort {
  readonly #adapter: CompiledAdapter;
  #shown: Look;

  constructor(adapter: CompiledAdapter, asked: Look, after: Look) {
    super(asked.live, asked.view);
    this.#adapter = adapter;
    this.#shown = asked;
    this.react = () => this.show(after);
  }

  show(look: Look): void {
    this.#shown = look;
    this.draw(look.live);
  }

  override view(): View {
    return { ...this.#shown.view, frame: super.view().frame };
  }

  override detectState(view: View): ToolState | null {
    return detectState(this.#adapter, view, {});
  }
}

/** Narrower, where labels wrap, and lower, where rows leave the screen above. */
const OTHER_SIZES = [
  { cols: 60, rows: 24 },
  { cols: 100, rows: 20 },
];

/** The last look of a recording at other sizes, of a tool that does not draw anew. */
async function resizeLast({
  tool,
  events,
  cols,
  rows,
  tty,
}: Scenario): Promise<{ asked: Look; afters: Look[] }> {
  const adapter = shippedAdapter(tool);
  const screen = new Screen({ cols, rows });
  for (const event of events) if ("data_b64" in event) screen.write(Buffer.from(event.data_b64, "base64"));
  await screen.flushed();
  const look = (): Look => ({ view: screen.view(), live: detect(adapter, screen.view(), tty).candidate });
  const asked = look();
  const afters: Look[] = [];
  for (const size of OTHER_SIZES) {
    screen.resize(size);
    await screen.flushed();
    afters.push(look());
  }
  screen.dispose();
  return { asked, afters };
}

async function listLooks({ tool, events, cols, rows, tty }: Scenario): Promise<Look[]> {
  const adapter = shippedAdapter(tool);
  const screen = new Screen({ cols, rows });
  const looks: Look[] = [];
  for (const event of events) {
    if (!("data_b64" in event)) continue;
    screen.write(Buffer.from(event.data_b64, "base64"));
    await screen.flushed();
    const view = screen.view();
    if (!view.modes.synchronizedUpdate) looks.push({ view, live: detect(adapter, view, tty).candidate });
  }
  screen.dispose();
  return looks;
}

/** The same dialog in drawings that its rule does not read: without its mark, with a row below it, without its last row. */
function disturb(adapter: CompiledAdapter, { view, live }: Look): Look[] {
  if (live === null) return [];
  const { bottom } = live.region;
  const marked = live.choices[(live.highlighted ?? 0) - 1]?.firstRow;
  const edit = (at: number, change: (text: string) => string): View => ({
    ...view,
    lines: view.lines.map((line, y) =>
      y === at ? { ...line, text: change(line.text), runs: () => [] } : line,
    ),
  });
  return [
    ...(marked === undefined ? [] : [edit(marked, (text) => text.replace(/[❯›▸>●]/u, " "))]),
    edit(Math.min(bottom + 1, view.rows - 1), () => "  * a row that no rule knows"),
    edit(bottom, () => ""),
  ].map((drawn) => ({ view: drawn, live: detect(adapter, drawn, {}).candidate }));
}

/** What a person sees: the question and every label, letter by letter, as often as before. A command may hold the same words. */
function stillShows({ live, view: before }: Look & { live: Candidate }, after: View): boolean {
  const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
  const count = ({ lines }: View, text: string): number =>
    letters(lines.map((line) => line.text).join("")).split(letters(text)).length;
  const texts = [live.question, ...live.choices.map(({ label }) => label)];
  return texts.every((text) => count(after, text) >= count(before, text));
}

async function answer(
  adapter: CompiledAdapter,
  asked: Look & { live: Candidate },
  after: Look,
): Promise<InjectionResult> {
  const port = new RecordedPort(adapter, asked, after);
  const reply = replyTo(asked.live, asked.live.promptType === "yes_no" ? "y" : "1");
  return drive(
    port.clock,
    injectAnswer(port, asked.live, reply, () => Promise.resolve(), { raisedGroup: GROUP }),
  );
}

interface Tally {
  readonly answered: number;
  readonly contradictions: readonly string[];
}

/** Of one size each. */
function listScenarios(tool: string): Scenario[] {
  const all = findScenarios([`prompt-lab/scenarios/${tool}`]).filter(
    ({ events }) => !events.some((event) => "resize" in event),
  );
  const every = Math.max(1, Math.floor(all.length / RECORDINGS));
  return all.filter((_, n) => n % every === 0);
}

function isAsking(look: Look): look is Look & { live: Candidate } {
  const { live } = look;
  return live !== null && live.choices.length >= 2 && live.promptType !== "unknown";
}

async function playAll(tool: string): Promise<Tally> {
  const adapter = shippedAdapter(tool);
  let answered = 0;
  const contradictions: string[] = [];
  for (const scenario of listScenarios(tool)) {
    const looks = await listLooks(scenario);
    for (const [at, asked] of looks.entries()) {
      if (!isAsking(asked)) continue;
      const { live } = asked;
      if (live.fingerprint === looks[at + 1]?.live?.fingerprint) continue;
      const afters = [...disturb(adapter, asked), ...looks.slice(at + 1, at + 1 + LOOKS_AFTER)];
      for (const after of afters) {
        const result = await answer(adapter, asked, after);
        if (result.kind !== "receipt" || result.receipt.proof !== "effect") continue;
        answered += 1;
        const { evidence, fingerprintBefore, fingerprintAfter } = result.receipt;
        const isSame = fingerprintBefore === fingerprintAfter;
        const isRead = after.live !== null && !isUnrecognized(after.live);
        if (isSame || (!isRead && stillShows(asked, after.view)))
          contradictions.push(`${scenario.file}: ${live.question}: ${evidence}`);
      }
    }
  }
  return { answered, contradictions };
}

describe("the effect of an answer, at every look of the recordings", () => {
  it.each(TOOLS)("of %s contradicts no receipt", async (tool) => {
    const { answered, contradictions } = await playAll(tool);
    expect(contradictions).toEqual([]);
    expect(answered).toBeGreaterThan(0);
  });

  it.each(TOOLS)("of %s is not a dialog that a resize only wraps", async (tool) => {
    const claims: string[] = [];
    for (const scenario of listScenarios(tool)) {
      const { asked, afters } = await resizeLast(scenario);
      if (!isAsking(asked)) continue;
      for (const after of afters) {
        const result = await answer(shippedAdapter(tool), asked, after);
        if (result.kind === "receipt" && result.receipt.proof === "effect")
          claims.push(
            `${scenario.file} at ${after.view.cols}×${after.view.rows}: ${result.receipt.evidence}`,
          );
      }
    }
    expect(claims).toEqual([]);
  });
});
