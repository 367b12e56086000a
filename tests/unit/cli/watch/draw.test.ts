/**
 * `watch` draws its list and the page of a prompt in exactly the rows and columns of the terminal, with the whole content and no
 * control sequence of a tool.
 */
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { drawWatch, measurePage, type Scene } from "../../../../src/cli/watch/draw.js";
import { wrapText } from "../../../../src/cli/watch/lay-out.js";
import { INITIAL_STATE, withOutcome, withoutHub, type WatchState } from "../../../../src/cli/watch/state.js";
import { hubWith, NOW, openPrompt, pressAll, stateWith, watchedPrompt, watchedSession } from "./scenes.js";

const drawScene = (state: WatchState, cols = 80, rows = 24): Scene => ({
  state,
  size: { cols, rows },
  now: NOW,
  input: state.page.kind === "prompt" && state.page.entry ? "> typed" : null,
});
const shown = (state: WatchState, cols?: number, rows?: number): string =>
  drawWatch(drawScene(state, cols, rows))
    .map(stripVTControlCharacters)
    .join("\n");

describe("the list of watch", () => {
  it("shows questions with their sessions, and says when nothing is asked or no hub is running", () => {
    expect(shown(stateWith(watchedPrompt()))).toMatch(
      /❯ k7 claude \(api\) · permission +1 min ago\n {5}Run it\?/,
    );
    expect(shown(stateWith())).toContain("No open prompts.");
    const ended = { ...stateWith(), hub: hubWith([], { unanswered: [{ shortId: "k7", state: "expired" }] }) };
    expect(shown(ended, 45, 20)).toContain("k7 (expired)");
    expect(shown(ended, 45, 20)).not.toContain("No open prompts");
    const lost = {
      ...stateWith(),
      hub: hubWith([], { sessions: [watchedSession({ state: "screen_lost" })] }),
    };
    expect(shown(lost, 45, 20)).not.toContain("No open prompts");
    expect(shown(lost, 80, 20)).toContain("claude (api): its screen cannot be read");
    expect(shown(withoutHub(stateWith(), "no hub is running"))).toContain("No hub is running.");
    expect(shown(INITIAL_STATE)).toContain("The hub has not responded yet.");
    const paused = { ...stateWith(), hub: hubWith([], { paused: true }) };
    expect(shown(paused)).toContain("PAUSED");
  });

  it("offers to ask again what ended without proof, and says which key does so", () => {
    const end = { text: "⌛ Expired; AtlasBridge typed nothing", again: true };
    const state = pressAll(withOutcome(stateWith(), watchedPrompt(), end), "end").state;
    expect(shown(state)).toMatch(/❯ k7 ⌛ Expired; AtlasBridge typed nothing +🔁 ask again/);
    expect(shown(state)).toContain("Enter ask again");
    expect(shown(withOutcome(stateWith(), watchedPrompt(), { ...end, again: false }))).not.toContain("🔁");
  });

  it("shows the result of an answer in whole words, and marks what does not fit", () => {
    const foot = (text: string): string[] => {
      const state = withOutcome(stateWith(), watchedPrompt(), { text, again: false });
      return shown(state, 45, 20).split("\n").slice(-4, -1);
    };
    expect(foot("⌛ Expired; AtlasBridge typed nothing · asked again").join("\n")).toMatch(
      /\nk7: ⌛ Expired; AtlasBridge typed nothing ·\nasked again$/,
    );
    expect(foot("all of it has to be said ".repeat(9)).join(" ")).toMatch(/^k7: all of it .*…$/);
  });

  it("keeps the highlighted row visible", () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      watchedPrompt({ promptId: `p${at}`, shortId: `q${at}` }),
    );
    const state = pressAll(stateWith(...many), ...Array.from({ length: 25 }, () => "down")).state;
    expect(shown(state, 45, 20)).toContain("❯ q25");
  });
});

describe("the page of a prompt", () => {
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join("\n");
  const long = watchedPrompt({ content: { text: lines, cut: { missing: "3 lines" }, hidden: null } });

  it("shows all of its content by paging, in a small terminal too, and that some of it is missing", () => {
    let state = openPrompt(long);
    const seen = new Set<string>();
    for (let pages = 0; pages < 40; pages++) {
      for (const line of shown(state, 45, 20).split("\n")) seen.add(line);
      const extent = measurePage(drawScene(state, 45, 20));
      if (state.page.kind === "prompt" && state.page.scroll >= extent.last) break;
      state = {
        ...state,
        page: { ...state.page, scroll: Math.min(extent.last, readScroll(state) + extent.page) } as never,
      };
    }
    for (let at = 1; at <= 50; at++) expect(seen).toContain(`line ${at}`);
    expect(seen).toContain("✂ It is not shown completely: 3 lines");
  });

  it.each([
    [80, "Tab with a text · ↑↓ choose · Enter answer · PgDn scroll · Esc back"],
    [45, "Tab with a text · ↑↓ · Enter · PgDn · Esc"],
    [30, "Tab · ↑↓ · Enter · PgDn · Esc"],
  ])("names every key in %i columns", (cols, foot) => {
    const { state } = pressAll(openPrompt(watchedPrompt()), "3");
    expect(shown(state, cols, 20).split("\n").at(-1)).toBe(foot);
  });

  it("never cuts the label of a choice", () => {
    const label = `Yes, and don't ask again for: ${"rm -rf build && ".repeat(6)}ls`;
    const prompt = watchedPrompt({
      details: { constraints: {}, choices: [{ label, intent: "allow_always" }] },
    });
    const text = shown(pressAll(openPrompt(prompt), "1").state, 45, 20);
    expect(text.replace(/\n {4}/g, "")).toContain(label);
  });

  it("says that a secret is answered at its own terminal, and shows no row", () => {
    const secret = watchedPrompt({
      type: "secret",
      excerpt: "Password:",
      details: { constraints: {}, choices: [] },
    });
    const text = shown(openPrompt(secret));
    expect(text).toContain("Secrets are answered only at the tool's own terminal");
    expect(text).not.toContain("Enter answer");
  });

  it("shows what is typed, and what each question of a form asks", () => {
    const form = [
      { name: "a", question: "Colour?", options: [{ label: "Red" }, { label: "Blue" }], multi: true },
    ];
    const prompt = watchedPrompt({ type: "free_text", details: { constraints: { form }, choices: [] } });
    const text = shown(pressAll(openPrompt(prompt), "enter").state);
    expect(text).toContain("Colour? (numbers (1,3), or none)\n1  Red\n2  Blue\n> typed");
  });
});

function readScroll({ page }: WatchState): number {
  return page.kind === "list" ? 0 : page.scroll;
}

/** What the hub lets through: no controls but line feed and tab, everything else that people write. */
const text = fc
  .array(fc.constantFrom("a", "Z", " ", "日", "👩‍👩‍👧", "e\u0301", "\t", "\n", "‹U+202E›", "❯", "ﷺ", "กำ"), {
    maxLength: 80,
  })
  .map((parts) => parts.join(""));

it("every drawing has exactly the rows of the terminal, none wider than it is, and no control of a tool", () => {
  const size = fc.record({ cols: fc.integer({ min: 1, max: 130 }), rows: fc.integer({ min: 1, max: 50 }) });
  const keys = fc.array(
    fc.constantFrom("up", "down", "enter", "escape", "pageDown", "1", "3", "tab", "space", "end"),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(text, text, size, keys, (label, content, { cols, rows }, pressed) => {
      const choices = [{ label, intent: "other" as const, detail: content, takesText: "optional" as const }];
      const prompt = watchedPrompt({
        excerpt: label,
        content: { text: content, cut: null, hidden: null },
        details: { constraints: {}, choices },
      });
      const { state } = pressAll(stateWith(prompt), ...pressed);
      const drawn = drawWatch(drawScene(state, cols, rows));
      expect(drawn).toHaveLength(rows);
      for (const line of drawn) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(cols);
        // Styles are ours; beside them no control character is left.
        expect(line.replace(/\u001b\[[0-9]{0,2}m/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }
    }),
    { numRuns: 300 },
  );
});

it("wrapping leaves nothing out and keeps blanks", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 60 }), (given, cols) => {
      const tabless = given.replaceAll("\t", " ");
      expect(wrapText(tabless, cols).join("")).toBe(tabless.replaceAll("\n", ""));
    }),
  );
});
