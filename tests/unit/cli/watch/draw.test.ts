/**
 * `watch` draws its list and the page of a prompt in exactly the rows and columns of the terminal, with the whole content and no
 * control sequence of a tool.
 */
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapText } from "../../../../src/cli/watch/draw.js";
import { hubWith, onPage, watch, Watched, watchedPrompt, watchedSession } from "./scenes.js";

describe("the list of watch", () => {
  it("shows questions with their sessions, and says when nothing is asked or no hub is running", () => {
    expect(watch([watchedPrompt()]).text()).toMatch(
      /❯ k7 {2}claude \(api\) · permission · .*1 min ago.*\n {6}npm test {2}\(Run it\?\)/,
    );
    const text = "\ngit push --force\ndescription: Push";
    const push = watchedPrompt({ content: { text, cut: null, hidden: null } });
    expect(watch([push]).text()).toMatch(/\n {6}git push --force {2}\(Run it\?\)/);
    const asked = { safetyClass: "question", excerpt: "Which one?" } as const;
    expect(watch([watchedPrompt(asked)]).text()).toMatch(/\n {6}Which one\?\n/);
    expect(watch([]).text()).toContain("No open prompts.");
    const ended = new Watched(hubWith([], { unanswered: [{ shortId: "k7", state: "expired" }] }));
    expect(ended.text(45, 20)).toContain("k7 (expired)");
    expect(ended.text(45, 20)).not.toContain("No open prompts");
    const lost = new Watched(hubWith([], { sessions: [watchedSession({ state: "screen_lost" })] }));
    expect(lost.text(45, 20)).not.toContain("No open prompts");
    expect(lost.text()).toContain("claude (api): its screen cannot be read");
    lost.view.lost("no hub is running");
    expect(lost.text()).toContain("Waiting: no hub is running.");
    expect(new Watched(null).text()).toContain("Waiting: the hub has not responded yet.");
    expect(new Watched(hubWith([], { paused: true })).text()).toContain("PAUSED");
  });

  it("shows the result of an answer in whole words, and marks what does not fit", () => {
    const foot = (text: string): string[] => {
      const watched = watch([]);
      watched.view.settled(watchedPrompt(), { text, again: false });
      return watched.text(45, 20).split("\n").slice(-4, -1);
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
    const watched = watch(many, ...Array.from({ length: 25 }, () => "down"));
    expect(watched.text(45, 20)).toContain("❯ q25");
  });
});

describe("the page of a prompt", () => {
  it("shows all of its content by paging, in a small terminal too, and that some of it is missing", () => {
    const text = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join("\n");
    const watched = onPage(watchedPrompt({ content: { text, cut: { missing: "3 lines" }, hidden: null } }));
    const seen = new Set<string>();
    for (let page = 0; page < 20; page++) {
      for (const line of watched.text(45, 20).split("\n")) seen.add(line);
      watched.view.handleInput("\u001b[6~");
    }
    for (let at = 1; at <= 50; at++) expect(seen).toContain(`line ${at}`);
    expect(seen).toContain("✂ It is not shown completely: 3 lines");
    expect(watched.text(45, 20)).toContain("the end · PgUp");
  });

  it.each([
    [80, "Tab with a text · ↑↓ choose · Enter answer · PgDn scroll · Esc back"],
    [45, "Tab · ↑↓ · Enter · PgDn · Esc"],
  ])("names every key in %i columns", (cols, foot) => {
    expect(onPage(watchedPrompt(), "3").text(cols, 20).split("\n").at(-1)).toBe(foot);
  });

  it("never cuts the label of a choice", () => {
    const label = `Yes, and don't ask again for: ${"rm -rf build && ".repeat(6)}ls`;
    const prompt = watchedPrompt({
      details: { constraints: {}, choices: [{ label, intent: "allow_always" }] },
    });
    expect(
      onPage(prompt, "1")
        .text(45, 20)
        .replace(/\n {4}/g, ""),
    ).toContain(label);
  });

  it("says that a secret is answered at its own terminal, and shows no row", () => {
    const details = { constraints: {}, choices: [] };
    const text = onPage(watchedPrompt({ type: "secret", excerpt: "Password:", details })).text();
    expect(text).toContain("type it at the tool's own terminal, it is sent");
    expect(text).not.toContain("Enter answer");
  });

  it("shows what is typed, and what each question of a form asks", () => {
    const options = [{ label: "Red" }, { label: "Blue" }];
    const form = [{ name: "a", question: "Colour?", options, multi: true }];
    const prompt = watchedPrompt({ type: "free_text", details: { constraints: { form }, choices: [] } });
    expect(onPage(prompt, "enter", "typed").text()).toMatch(
      /\nColour\? \(numbers \(1,3\), or none\)\n1 {2}Red\n2 {2}Blue\n> .*typed/,
    );
  });
});

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
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(text, text, size, keys, (label, content, { cols, rows }, pressed) => {
      const choices = [{ label, intent: "other" as const, detail: content, takesText: "optional" as const }];
      const prompt = watchedPrompt({
        excerpt: label,
        content: { text: content, cut: null, hidden: null },
        details: { constraints: {}, choices },
      });
      const watched = watch([prompt], ...pressed);
      watched.rows = rows;
      const drawn = watched.view.render(cols);
      expect(drawn).toHaveLength(rows);
      for (const line of drawn) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(cols);
        // Beside our styles and the library's mark of the cursor no control character is left.
        const rest = line.replace(/\u001b(?:\[[0-9]{0,2}m|_pi:c\u0007)/g, "");
        expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
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
