/**
 * A card in Telegram shows prompt, tool, folder and content within every limit of the service, with one button for each choice.
 * What does not fit is attached as a file.
 */
import type { PromptNotice } from "../../../../../src/sdk/channel.js";
import fc from "fast-check";
import { renderChoiceLines } from "../../../../../channels/telegram/cards/choices.js";
import { describe, expect, it } from "vitest";
import { renderCard } from "../../../../../channels/telegram/cards/card.js";
import { buildKeyboard, buildLastKeyboard } from "../../../../../channels/telegram/cards/keyboard.js";
import { measureLength, toHtml, toPlain } from "../../../../../channels/telegram/cards/markup.js";
import type { Choice, Outcome } from "../../../../../src/sdk/channel.js";
import {
  AGAIN_BUTTON,
  buttonsFor,
  CHOICES,
  promptNotice,
  SENT_AT,
  SESSION,
  STOP_BUTTON,
} from "../../../../../src/compat/testing/notices.js";
import { formatText } from "../../../../support/telegram/text.js";

const ANSWERED: Outcome = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true };
const LONG = Array.from({ length: 400 }, (_, line) => `+ line ${line + 1} of a diff`).join("\n");

const NOTICES: Readonly<Record<string, { notice: PromptNotice; outcome?: Outcome }>> = {
  permission: { notice: promptNotice("1", { acceptsText: true }) },
  "permission-answered": { notice: promptNotice("1", { acceptsText: true }), outcome: ANSWERED },
  "permission-refused": {
    notice: promptNotice("1"),
    outcome: {
      state: "refused",
      text: "⚠️ Not applied: the screen changed. Nothing was typed.",
      final: false,
    },
  },
  "permission-expired": {
    notice: promptNotice("1"),
    outcome: {
      state: "expired",
      text: "⌛ Expired; AtlasBridge typed nothing",
      final: true,
      buttons: [AGAIN_BUTTON],
    },
  },
  "permission-stop": {
    notice: promptNotice("1", {
      buttons: [...buttonsFor(CHOICES), STOP_BUTTON],
      screenView: true,
      deliveryId: "d1" as never,
    }),
  },
  markup: {
    notice: promptNotice("1", {
      question: "Is 1 < 2 && 3 > 2?",
      content: { text: '<script>alert("&amp;")</script>\n\tindented', cut: null },
      session: { ...SESSION, tool: "a<b>", label: "x & y", place: "~/<src>" },
    }),
  },
  "long-diff": { notice: promptNotice("1", { content: { text: LONG, cut: null } }) },
  cut: { notice: promptNotice("1", { content: { text: "rm -rf build", cut: { missing: "12 lines" } } }) },
  told: { notice: promptNotice("1", { content: { text: "rm -rf build", cut: { told: true } } }) },
  "long-labels": {
    notice: promptNotice("1", {
      acceptsText: true,
      choices: [
        { label: "Yes", intent: "allow_once" },
        {
          label: "Yes, and don't ask again for `npm run build` commands in /home/ara/src/api",
          intent: "allow_always",
          detail: "Written to .claude/settings.local.json",
        },
        { label: "No, and tell Claude what to do differently", intent: "reject_once", takesText: "optional" },
      ],
    }),
  },
  "free-text": {
    notice: promptNotice("1", {
      promptType: "free_text",
      safetyClass: "question",
      question: "What should the package be called?",
      content: { text: "", cut: null },
      choices: [],
      buttons: [],
      acceptsText: true,
      expiresAt: null,
    }),
  },
  "check-list": {
    notice: promptNotice("1", {
      safetyClass: "question",
      question: "Which files may be changed?",
      content: { text: "", cut: null },
      choices: ["src/a.ts", "src/b.ts"].map((label) => ({ label, intent: "other" as const })),
      multi: true,
      defaultChoice: null,
      buttons: [],
      acceptsText: true,
    }),
  },
  "form-step": {
    notice: promptNotice("1", {
      promptType: "free_text",
      safetyClass: "question",
      question: "3 questions",
      content: { text: "1) Where?\n2) What kind?\n   1. Big – much\n   2. Small\n3) Its name?", cut: null },
      choices: [],
      form: [
        { name: "1", question: "Where?", options: [] },
        {
          name: "2",
          question: "What kind?",
          options: [{ label: "Big", detail: "much" }, { label: "Small" }],
          ownWords: true,
        },
        { name: "3", question: "Its name?", options: [] },
      ],
      step: {
        of: 3,
        asked: {
          number: 2,
          field: {
            name: "2",
            question: "What kind?",
            options: [{ label: "Big", detail: "much" }, { label: "Small" }],
            ownWords: true,
          },
        },
        given: [{ number: 1, question: "Where?", answer: "here" }],
      },
      defaultChoice: null,
      buttons: buttonsFor(
        ["1. Big", "2. Small", "← Back"].map((label) => ({ label, intent: "other" as const })),
      ).map((button) => ({ ...button, value: `step:${button.value}` })),
      acceptsText: true,
    }),
  },
  unknown: {
    notice: promptNotice("1", {
      promptType: "unknown",
      safetyClass: "question",
      confidence: "low",
      question: "Overwrite it?",
      content: { text: "", cut: null },
      choices: [],
      buttons: [
        {
          token: buttonsFor([{ label: "", intent: "other" }])[0]!.token,
          choice: { label: "Press Enter", intent: "other" },
          value: "enter",
        },
      ],
      acceptsText: true,
    }),
  },
};

function golden(file: string): string {
  return `../../../../fixtures/golden/telegram/${file}`;
}

describe("a card in Telegram", () => {
  it("says first how late it comes, and leaves out no more of the prompt than without that", () => {
    const content = { text: LONG, cut: null };
    const [late, inTime] = [{ lateMs: 12_300 }, {}].map((over) =>
      renderCard(promptNotice("1", { content, ...over }), { now: SENT_AT }),
    );
    expect(toPlain(late!.spans)).toMatch(/^⏱ Sent 12 s late\.\n\n/);
    expect(late!.omitted).toBe(inTime!.omitted);
    expect(measureLength(late!.spans)).toBeLessThanOrEqual(4096);
  });

  it("asks nobody to tap it who may not answer", () => {
    const text = toPlain(
      renderCard(promptNotice("1", { buttons: [], acceptsText: false, onlyBy: ["Bo", "Cy", "Di", "Ed"] }), {
        now: SENT_AT,
      }).spans,
    );
    expect(text).toContain("For your information: only Bo, Cy, Di and 1 more may answer.");
    expect(text).not.toMatch(/Tap|Reply/);
  });

  it("says what is left of its time, never more, and what is answered when it is over", () => {
    const left = (ms: number): string =>
      toPlain(
        renderCard(promptNotice("1", { expiresAt: SENT_AT + ms, expiryAnswer: "No" }), { now: SENT_AT })
          .spans,
      );
    expect(left(40_000)).toContain("Open for 40 s,");
    expect(left(119_000 - 1)).toContain("Open for 1 min,");
    expect(left(30 * 60_000 - 5)).toContain("Open for 30 min,");
    expect(left(160 * 60_000)).toContain("Open for 2 h 40 min,");
    expect(left(40_000)).toContain("If nobody answers by then: No (not while paused).");
  });

  it.each([
    ["a line, which takes any text", ["enter", "esc", "ctrl-c", "ctrl-d"], "Tap, or reply with what to type"],
    [
      "a screen of keys",
      ["enter", "esc", "up", "down"],
      "reply with its name, or with text: and what to type",
    ],
  ])("says how to answer an unread prompt on %s", (_, keys, words) => {
    const labels = keys.map((label) => ({ label, intent: "other" as const }));
    const buttons = buttonsFor(labels).map((button, at) => ({ ...button, value: keys[at] ?? "" }));
    const notice = promptNotice("1", { promptType: "unknown", choices: [], buttons, acceptsText: true });
    expect(toPlain(renderCard(notice, { now: SENT_AT }).spans)).toContain(words);
  });

  it("says that its prompt is refused where nobody answers in time", () => {
    const notice = promptNotice("1", { expiresAt: SENT_AT + 60_000, refusedLate: true });
    const text = toPlain(renderCard(notice, { now: SENT_AT }).spans);
    expect(text).toContain("If nobody answers by then, it is refused.");
  });

  it.each(Object.entries(NOTICES))("looks as it should: %s", async (name, { notice, outcome }) => {
    const { spans } = renderCard(notice, outcome ? { now: SENT_AT, outcome } : { now: SENT_AT });
    await expect(`${toHtml(spans)}\n`).toMatchFileSnapshot(golden(`${name}.html`));
  });

  it.each(Object.entries(NOTICES))(
    "has the buttons that it should: %s",
    async (name, { notice, outcome }) => {
      const keyboard = outcome?.final
        ? buildLastKeyboard(outcome.buttons ?? [])
        : buildKeyboard({ ...notice, deliveryId: "d1" as never }, notice.buttons);
      const rows = keyboard?.inline_keyboard ?? [];
      const drawn = rows.map((row) => row.map((key) => JSON.stringify(key)).join(" "));
      await expect(`${drawn.join("\n")}\n`).toMatchFileSnapshot(golden(`${name}.buttons`));
    },
  );

  it.each(Object.entries(NOTICES))("is read by the service as intended: %s", (_, { notice }) => {
    const { spans } = renderCard(notice, { now: SENT_AT });
    const kept = formatText(toHtml(spans), "HTML");
    expect(kept.text).toBe(toPlain(spans));
  });

  it("offers the screen below the answers", () => {
    const notice = promptNotice("1", { screenView: true, deliveryId: "d1" as never });
    expect(buildKeyboard(notice, notice.buttons).inline_keyboard.at(-1)).toEqual([
      { text: "🖥 Screen", callback_data: "see:d1" },
    ]);
  });

  it("puts the content into one monospaced block", () => {
    const { spans } = renderCard(promptNotice("1"), { now: SENT_AT });
    const { text, entities } = formatText(toHtml(spans), "HTML");
    const blocks = entities.filter(({ type }) => type === "pre");
    expect(blocks.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual([
      "npm test -- --watch=false",
    ]);
  });

  it("attaches the content byte for byte when it does not fit", () => {
    const content = { text: `\t${LONG}\r\n\u0007`, cut: null };
    expect(renderCard(promptNotice("1", { content }), { now: SENT_AT }).file).toEqual({
      name: "mytool-k7.txt",
      text: content.text,
    });
  });

  it("shows tabs, which the service would turn into blanks, and attaches the exact text", () => {
    const content = { text: "all:\n\tcc main.c\r\n", cut: null };
    const { spans, file } = renderCard(promptNotice("1", { content }), { now: SENT_AT });
    expect(toPlain(spans)).toContain("all:\n⇥   cc main.c");
    expect(toPlain(spans)).toContain("the exact text is in the file above");
    expect(file?.text).toBe(content.text);
  });

  it("attaches nothing when all of it can be read in the card", () => {
    expect(renderCard(promptNotice("1"), { now: SENT_AT }).file).toBeNull();
  });

  it("attaches a question and choices that are too long, around the content", () => {
    const question = "Why? ".repeat(300);
    const choices: Choice[] = Array.from({ length: 40 }, (_, at) => ({
      label: `${at} ${"x".repeat(90)}`,
      intent: "other",
    }));
    const { file } = renderCard(promptNotice("1", { question, choices }), { now: SENT_AT });
    expect(file?.text).toContain(question);
    expect(file?.text).toContain(`40. ${choices[39]!.label}`);
    expect(file?.text).toContain("npm test -- --watch=false");
  });

  it("never names the file after what a tool calls itself", () => {
    const session = { ...SESSION, tool: "../../etc/<x>", label: null, place: "~" };
    const content = { text: LONG, cut: null };
    expect(renderCard(promptNotice("1", { session, content }), { now: SENT_AT }).file?.name).toBe(
      "etcx-k7.txt",
    );
  });

  it("says what never arrived and what was only shortened", () => {
    const { spans } = renderCard(promptNotice("1", { content: { text: LONG, cut: {} } }), { now: SENT_AT });
    expect(toPlain(spans)).toContain("⚠️ The content is truncated.");
    expect(toPlain(spans)).toMatch(/⚠️ [\d,]+ characters not shown: open the file, then accept\./);
    const question = promptNotice("1", { safetyClass: "question", content: { text: LONG, cut: null } });
    expect(toPlain(renderCard(question, { now: SENT_AT }).spans)).toContain("📎 Shortened here");
  });

  it("counts tabs as they stand in the file, and what a question and labels leave out", () => {
    const text = "\tx\n".repeat(4_000);
    const { spans, omitted } = renderCard(promptNotice("1", { content: { text, cut: null } }), {
      now: SENT_AT,
    });
    const shown = toPlain(spans).match(/^⇥ {3}x$/gm) ?? [];
    expect(omitted).toBe(text.length - 3 * shown.length);
    const long = {
      question: "q".repeat(1_000),
      choices: [{ label: "y".repeat(400), intent: "allow_once" }],
    } as const;
    expect(renderCard(promptNotice("1", long), { now: SENT_AT }).omitted).toBe(201 + 101);
  });

  it("shows the same of its content before and after every edit", () => {
    const notice = promptNotice("1", { content: { text: LONG, cut: null } });
    const [first, ...others] = notice.buttons;
    const label = "⚠️ With 5,187 not shown: a label that no button can hold";
    const buttons = [{ ...first!, choice: { ...first!.choice, label } }, ...others];
    const outcome: Outcome = { state: "refused", text: "⚠️ ".repeat(200), final: false, buttons };
    const edited = renderCard({ ...notice, buttons }, { now: SENT_AT + 60_000, outcome });
    expect(edited.omitted).toBe(renderCard(notice, { now: SENT_AT }).omitted);
    expect(measureLength(edited.spans)).toBeLessThanOrEqual(4_096);
  });

  const unit = fc.constantFrom(..."<>&;\t\r\n\u0000\u202e\ud83d abcé", "👨‍👩‍👧", "long word ");
  const words = fc.string({ unit, maxLength: 5000 });
  const label = fc.string({ unit, maxLength: 500 });
  const anyNotice = fc
    .record({
      question: words,
      text: words,
      labels: fc.array(label, { maxLength: 12 }),
      tool: label,
      place: label,
      missing: fc.option(label, { nil: undefined }),
      outcome: fc.option(words, { nil: undefined }),
    })
    .map(({ question, text, labels, tool, place, missing, outcome }) => ({
      outcome,
      notice: promptNotice("1", {
        question,
        content: { text, cut: missing === undefined ? null : { missing } },
        choices: labels.map((one) => ({ label: one, intent: "other" as const, detail: one })),
        session: { ...SESSION, tool, label: place, place },
        confidence: "low",
        acceptsText: true,
      }),
    }));

  it("fits and parses, whatever a tool puts into it, before and after its outcome", () => {
    fc.assert(
      fc.property(anyNotice, ({ notice, outcome }) => {
        const card = renderCard(notice, { now: SENT_AT });
        const settled = renderCard(notice, {
          now: SENT_AT,
          outcome: { state: "refused", text: outcome ?? "not applied", final: false },
        });
        for (const { spans } of [card, settled]) {
          expect(measureLength(spans)).toBeLessThanOrEqual(4096);
          const html = formatText(toHtml(spans), "HTML");
          expect(html.text).toBe(formatText(toPlain(spans), undefined).text);
        }
        expect(settled.file).toEqual(card.file);
      }),
    );
  });

  it("has one choice a row, numbered as the reply would be", () => {
    const notice = promptNotice("1");
    expect(buildKeyboard(notice, notice.buttons).inline_keyboard).toEqual([
      [{ text: "1. Yes", callback_data: "tok-a-1" }],
      [{ text: "2. Yes, and don't ask again for npm test", callback_data: "tok-a-2", style: "danger" }],
      [{ text: "3. No", callback_data: "tok-a-3" }],
    ]);
  });
});

it("writes out the questions and options of a form, and what a choice says beside its label, for the file", () => {
  const options = [{ label: "a".repeat(400), detail: "why" }];
  const form = [{ name: "q", question: "Which?", options, multi: false }];
  const lines = ["1. Which?", `    1. ${"a".repeat(400)}`, "    why"];
  expect(renderChoiceLines({ choices: [], form, lettered: false } as never)).toBe(lines.join("\n"));
});
