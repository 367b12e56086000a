/**
 * A card in Slack fits every limit of the service, asks for confirmation before a dangerous choice, and has a form for free text
 * and several choices. The home tab lists the open prompts.
 */
import type { PromptNotice } from "../../../../../src/sdk/channel.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildOfferedActions } from "../../../../../channels/slack/cards/buttons.js";
import { renderCard } from "../../../../../channels/slack/cards/card.js";
import { buildForm, buildView } from "../../../../../channels/slack/cards/form.js";
import { renderHome } from "../../../../../channels/slack/events/home.js";
import { renderText } from "../../../../../channels/slack/cards/text-notice.js";
import { asId, type Overview, type ShortId, type Token } from "../../../../../src/sdk/channel.js";
import { buttonsFor, promptNotice, SENT_AT, SESSION } from "../../../../../src/compat/testing/notices.js";
import { checkMessageBlocks, checkView } from "../../../../support/slack/blocks.js";
import { listMentions, readable } from "../../../../support/slack/conversations.js";
import type { Json } from "../../../../support/slack/json.js";
import { CARDS, LONG_DIFF, REFUSED, TEXTS } from "../notices.js";

const CARD = { channel: "C0WORK", ts: "1767277800.000200", thread: "1767277800.000100" };
const golden = (name: string): string => `../../../../fixtures/golden/slack/${name}.json`;
const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** As they come out of the wire. */
const wire = (value: unknown): Json[] => JSON.parse(JSON.stringify(value)) as Json[];
const drawCard = ({ notice, outcome }: (typeof CARDS)[string]) =>
  renderCard(notice, outcome ? { now: SENT_AT, outcome } : { now: SENT_AT });
const shownIn = (notice: PromptNotice): string => readable(wire(renderCard(notice, { now: SENT_AT }).blocks));

describe("a card in Slack", () => {
  it("says first how late it comes", () => {
    expect(shownIn(promptNotice("1", { lateMs: 12_300 }))).toMatch(/^⏱ Sent 12 s late\./);
  });

  it("asks nobody to tap it who may not answer", () => {
    const text = shownIn(
      promptNotice("1", { buttons: [], acceptsText: false, onlyBy: ["Bo", "Cy", "Di", "Ed"] }),
    );
    expect(text).toContain("For your information: only Bo, Cy, Di and 1 more may answer.");
    expect(text).not.toMatch(/Tap|Reply/);
  });

  it("says what is left of its time, never more, and what is answered when it is over", () => {
    const left = (ms: number): string =>
      shownIn(promptNotice("1", { expiresAt: SENT_AT + ms, expiryAnswer: "No" }));
    expect(left(40_000)).toContain("Open for 40 s,");
    expect(left(119_000 - 1)).toContain("Open for 1 min,");
    expect(left(30 * 60_000 - 5)).toContain("Open for 30 min,");
    expect(left(160 * 60_000)).toContain("Open for 2 h 40 min,");
    expect(left(40_000)).toContain("If nobody answers by then: No (not while paused).");
  });

  it.each(Object.entries(CARDS))("looks as it should: %s", async (name, kind) => {
    const { text, blocks } = drawCard(kind);
    await expect(written({ text, blocks })).toMatchFileSnapshot(golden(`card-${name}`));
  });

  it.each(Object.entries(CARDS))("is taken by the service: %s", (_, kind) => {
    expect(() => checkMessageBlocks(wire(drawCard(kind).blocks))).not.toThrow();
  });

  it.each(Object.entries(TEXTS))("beside texts: %s", async (name, { notice, outcome }) => {
    const { text, blocks } = renderText(notice, outcome);
    checkMessageBlocks(wire(blocks));
    await expect(written({ text, blocks })).toMatchFileSnapshot(golden(`text-${name}`));
  });

  it("has a button for each choice in its order, and asks once more before a dangerous one", () => {
    const { blocks } = renderCard(promptNotice("C0WORK"), { now: SENT_AT });
    const [actions] = wire(blocks).filter(({ type }) => type === "actions");
    expect(actions!["elements"]).toMatchObject([
      { text: { text: "1. Yes" }, value: "tok-a-1" },
      {
        text: { text: "2. Yes, and don't ask again for npm test" },
        style: "danger",
        confirm: { style: "danger" },
      },
      { text: { text: "3. No" }, value: "tok-a-3" },
    ]);
    const [yes, , no] = actions!["elements"] as Json[];
    for (const button of [yes, no]) expect(button).not.toHaveProperty("confirm");
  });

  it.each([
    ["content that is cut", { content: { text: "rm", cut: {} } }, "not shown completely"],
    [
      "content that was only told",
      { content: { text: "rm", cut: { told: true } } },
      "comes from the tool's hook",
    ],
    ["trust", { safetyClass: "trust" }, "trusts everything"],
  ] as const)("asks once more before a yes to %s", (_, over, why) => {
    const { blocks } = renderCard(promptNotice("C0WORK", over), { now: SENT_AT });
    const [actions] = wire(blocks).filter(({ type }) => type === "actions");
    expect(JSON.stringify((actions!["elements"] as Json[])[0]!["confirm"])).toContain(why);
    expect((actions!["elements"] as Json[])[2]).not.toHaveProperty("confirm");
  });

  it("beside replies that offer an answer: a button for each, as the service takes it", () => {
    const buttons = ["k7: “Yes”", "m2: “Yes”"].map((label) => ({ token: label.slice(0, 2) as Token, label }));
    const blocks = buildOfferedActions(buttons);
    checkMessageBlocks(wire(blocks));
    expect(blocks).toMatchObject([
      {
        elements: [
          { text: { text: "k7: “Yes”" }, value: "k7", action_id: "choice:1" },
          { text: { text: "m2: “Yes”" }, value: "m2", action_id: "choice:2" },
        ],
      },
    ]);
    expect(buildOfferedActions([])).toEqual([]);
  });

  it("mentions those who may answer, until it is settled", () => {
    const { notice } = CARDS["permission"]!;
    const mentions = (outcome?: typeof REFUSED): readonly string[] => {
      const { text, blocks } = renderCard(notice, outcome ? { now: SENT_AT, outcome } : { now: SENT_AT });
      return listMentions(text, wire(blocks), { parse: "none", linkNames: false });
    };
    expect(mentions()).toEqual(["U0ARA"]);
    expect(mentions(REFUSED)).toEqual(["U0ARA"]);
    expect(mentions({ ...REFUSED, final: true })).toEqual([]);
  });

  it("mentions nobody of another channel, or with an invalid id", () => {
    const addressees = ["telegram:1", "cli:local", "slack:T0TEAM/<!here>", "slack:T0TEAM"] as never;
    const { blocks } = renderCard(promptNotice("C0WORK", { addressees }), { now: SENT_AT });
    expect(listMentions("", wire(blocks), { parse: "none", linkNames: false })).toEqual([]);
  });

  it("attaches the content whole when it does not fit, and nothing when it does", () => {
    const { notice } = CARDS["long-diff"]!;
    expect(renderCard(notice, { now: SENT_AT }).file).toEqual({ name: "mytool-k7.txt", text: LONG_DIFF });
    expect(shownIn(notice)).toMatch(/⚠️ [\d,]+ characters not shown: open the file, then accept\./);
    const question = { ...notice, safetyClass: "question" } as const;
    expect(shownIn(question)).toContain("the full text is in the file in this thread");
    expect(renderCard(promptNotice("C0WORK"), { now: SENT_AT }).file).toBeNull();
  });

  it("attaches a question and choices that are too long, around the content", () => {
    const long = "Why? ".repeat(300);
    const choices = Array.from({ length: 28 }, (_, at) => ({
      label: `${at} ${"x".repeat(90)}`,
      intent: "other" as const,
    }));
    const { file } = renderCard(promptNotice("C0WORK", { question: long, choices }), { now: SENT_AT });
    expect(file?.text).toContain(long);
    expect(file?.text).toContain(`28. ${choices[27]!.label}`);
    expect(file?.text).toContain("npm test -- --watch=false");
  });

  it("never names the file after what a tool calls itself", () => {
    const session = { ...SESSION, tool: "../../etc/<x>" };
    const notice = promptNotice("C0WORK", { session, content: { text: LONG_DIFF, cut: null } });
    expect(renderCard(notice, { now: SENT_AT }).file?.name).toBe("etcx-k7.txt");
  });

  it("writes labels out that a button cannot show", () => {
    const { notice } = CARDS["long-labels"]!;
    expect(shownIn(notice)).toContain(`2. ${notice.choices[1]!.label}\n    Written to .claude`);
  });
});

describe("a form in Slack", () => {
  const withForm = Object.entries(CARDS).filter(
    ([, { notice, outcome }]) => !outcome && buildForm(notice) !== null,
  );

  it("is there where a tap cannot say it", () => {
    expect(withForm.map(([name]) => name)).toEqual([
      "long-labels",
      "free-text",
      "check-list",
      "many-choices",
      "form",
      "unknown",
    ]);
  });

  it.each(withForm)("looks as it should, and is taken by the service: %s", async (name, { notice }) => {
    const view = buildView(notice, buildForm(notice)!, CARD);
    checkView(wire(view));
    await expect(written(view)).toMatchFileSnapshot(golden(`form-${name}`));
  });

  it("is not there for a question that is answered at the terminal only", () => {
    expect(buildForm(promptNotice("C0WORK", { promptType: "free_text", acceptsText: false }))).toBeNull();
  });
});

describe("the home tab", () => {
  const prompt = (shortId: string): Overview["prompts"][number] => ({
    shortId: asId<ShortId>(shortId),
    session: SESSION,
    question: "Do you want to run <this>?",
    askedAt: SENT_AT - 5 * 60_000,
  });
  const session = (openPrompts: number): Overview["sessions"][number] => ({
    session: SESSION,
    state: "waiting",
    openPrompts,
  });
  const VIEWS: Readonly<Record<string, Overview | null>> = {
    stranger: null,
    nothing: { ifNone: "No open prompts.", paused: false, prompts: [], sessions: [] },
    some: {
      ifNone: "No open prompts.",
      paused: false,
      prompts: [prompt("k7"), prompt("m3")],
      sessions: [session(2), session(0)],
    },
    paused: { ifNone: "No open prompts.", paused: true, prompts: [prompt("k7")], sessions: [session(1)] },
  };

  it.each(Object.entries(VIEWS))("looks as it should: %s", async (name, overview) => {
    const view = renderHome(overview, SENT_AT);
    checkView(wire(view));
    await expect(written(view)).toMatchFileSnapshot(golden(`home-${name}`));
  });

  it("says when it was drawn, as a later hub may not update it", () => {
    const overview = { ifNone: "No open prompts.", paused: false, prompts: [], sessions: [] };
    const view = renderHome(overview, Date.UTC(2026, 10, 22, 9, 5, 7));
    expect(readable(wire(view.blocks))).toContain("As it was on 2026-11-22 at 09:05:07 UTC.");
  });

  it("says how much more there is than it shows", () => {
    const view = renderHome(
      {
        ifNone: "No open prompts.",
        paused: false,
        prompts: Array(25).fill(prompt("k7")) as never,
        sessions: [],
      },
      SENT_AT,
    );
    expect(readable(wire(view.blocks))).toContain("… and 5 more");
  });
});

describe("a card in Slack with any text of a tool", () => {
  const unit = fc.constantFrom(
    ..."<>&*_~`|;:@#!\t\r\n\u0000\u001b\u202e\u200b\ud83d abcé",
    "👨‍👩‍👧",
    "long word ",
    "<!channel>",
    "<@U0EVE>",
    "```",
    "<https://evil.example|ok>",
    ":x:",
  );
  const words = fc.string({ unit, maxLength: 3000 });
  const label = fc.string({ unit, maxLength: 400 });
  const anyNotice = fc
    .record({
      question: words,
      text: words,
      labels: fc.array(label, { maxLength: 60 }),
      tool: label,
      place: label,
      missing: fc.option(label, { nil: undefined }),
      promptType: fc.constantFrom("multiple_choice", "free_text", "unknown", "yes_no"),
      multi: fc.boolean(),
      outcome: fc.option(words, { nil: undefined }),
    })
    .map(({ question, text, labels, tool, place, missing, outcome, ...kind }) => {
      const choices = labels.map((one) => ({
        label: one,
        intent: "allow_always" as const,
        detail: one,
        takesText: "optional" as const,
      }));
      return {
        outcome,
        notice: promptNotice("C0WORK", {
          question,
          content: { text, cut: missing === undefined ? null : { missing } },
          choices,
          buttons: choices.length > 30 || kind.multi ? [] : buttonsFor(choices),
          session: { ...SESSION, tool, label: place, place },
          confidence: "low",
          acceptsText: true,
          ...kind,
        }),
      };
    });

  it("fits, rings nobody and means the same, before and after its outcome, in card and form", () => {
    fc.assert(
      fc.property(anyNotice, ({ notice, outcome }) => {
        const refused = {
          state: "refused",
          text: outcome ?? "no",
          final: false,
          buttons: notice.buttons,
        } as const;
        const cards = [
          renderCard(notice, { now: SENT_AT }),
          renderCard(notice, { now: SENT_AT, outcome: refused }),
        ];
        for (const { text, blocks } of cards) {
          checkMessageBlocks(wire(blocks));
          expect(listMentions(text, wire(blocks), { parse: "none", linkNames: false })).toEqual([]);
          const buttons = wire(blocks)
            .filter(({ type }) => type === "actions")
            .flatMap(({ elements }) => elements as Json[]);
          expect(buttons.filter(({ action_id: id }) => id !== "form").map(({ value }) => value)).toEqual(
            notice.buttons.map(({ token }) => token),
          );
        }
        expect(cards[1]!.file).toEqual(cards[0]!.file);
        const form = buildForm(notice);
        if (form) checkView(wire(buildView(notice, form, CARD)));
      }),
      { numRuns: 150 },
    );
  });
});
