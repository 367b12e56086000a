/** Every kind of notice that can come to Slack, for golden files and for limits. */
import type { PromptNotice } from "../../../../src/sdk/channel.js";
import type { Choice, Outcome } from "../../../../src/sdk/channel.js";
import { asId, type Identity, type Token } from "../../../../src/sdk/channel.js";
import {
  AGAIN_BUTTON,
  buttonsFor,
  CHOICES,
  freeTextNotice,
  promptNotice,
  SESSION,
  STOP_BUTTON,
  textNotice,
  type TextNotice,
} from "../../../../src/compat/testing/notices.js";

const PLACE = "C0WORK";
const ARA = asId<Identity>("slack:T0TEAM/U0ARA");
export const LONG_DIFF = Array.from({ length: 400 }, (_, line) => `+ line ${line + 1} of a diff`).join("\n");

export const ANSWERED: Outcome = { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true };
export const REFUSED: Outcome = {
  state: "refused",
  text: "⚠️ Not applied: the screen changed. Nothing was typed.",
  final: false,
  buttons: buttonsFor(promptNotice(PLACE).choices, "b"),
};

const asks = (over: Partial<PromptNotice> = {}): PromptNotice =>
  promptNotice(PLACE, { deliveryId: "delivery-1" as PromptNotice["deliveryId"], addressees: [ARA], ...over });
const others = (labels: readonly string[]): Choice[] => labels.map((label) => ({ label, intent: "other" }));
const question = { safetyClass: "question", content: { text: "", cut: null }, acceptsText: true } as const;

export const CARDS: Readonly<Record<string, { notice: PromptNotice; outcome?: Outcome }>> = {
  permission: { notice: asks() },
  "permission-answered": { notice: asks(), outcome: ANSWERED },
  "permission-refused": { notice: asks(), outcome: REFUSED },
  "permission-expired": {
    notice: asks(),
    outcome: {
      state: "expired",
      text: "⌛ Expired; AtlasBridge typed nothing",
      final: true,
      buttons: [AGAIN_BUTTON],
    },
  },
  "permission-stop": { notice: asks({ buttons: [...buttonsFor(CHOICES), STOP_BUTTON], screenView: true }) },
  markup: {
    notice: asks({
      question: "Is *1* < 2 && `3` > 2, <!channel>? See <https://evil.example|the docs> :x:",
      content: { text: "<@U0EVE> ```rm -rf``` &amp;\n\tindented", cut: null },
      session: { ...SESSION, tool: "a<b>", label: "*x* & y", place: "~/<src>" },
      choices: others(["<!here>", "*bold* :ok:"]),
      buttons: buttonsFor(others(["<!here>", "*bold* :ok:"])),
    }),
  },
  "long-diff": { notice: asks({ content: { text: LONG_DIFF, cut: null } }) },
  cut: {
    notice: asks({ content: { text: "rm -rf build", cut: { missing: "12 lines" } } }),
  },
  trust: {
    notice: asks({
      safetyClass: "trust",
      question: "Do you trust the files in this folder?",
      content: { text: "", cut: null },
      choices: [
        { label: "Yes, proceed", intent: "allow_once" },
        { label: "No, exit", intent: "reject_once" },
      ],
      buttons: buttonsFor([
        { label: "Yes, proceed", intent: "allow_once" },
        { label: "No, exit", intent: "reject_once" },
      ]),
    }),
  },
  "yes-no": {
    notice: asks({
      promptType: "yes_no",
      safetyClass: "question",
      question: "Continue?",
      content: { text: "", cut: null },
      choices: [
        { label: "Yes", intent: "allow_once" },
        { label: "No", intent: "reject_once" },
      ],
      buttons: [
        { token: asId<Token>("tok-y"), choice: { label: "Yes", intent: "allow_once" }, value: "y" },
        { token: asId<Token>("tok-n"), choice: { label: "No", intent: "reject_once" }, value: "n" },
      ],
      acceptsText: true,
      defaultChoice: null,
    }),
  },
  "long-labels": {
    notice: asks({
      acceptsText: true,
      choices: longLabels(),
      buttons: buttonsFor(longLabels()),
    }),
  },
  "free-text": { notice: { ...freeTextNotice(PLACE), ...ids(), addressees: [ARA], expiresAt: null } },
  "check-list": {
    notice: asks({
      ...question,
      question: "Which files may be changed?",
      choices: others(["src/a.ts", "src/b.ts"]),
      multi: true,
      defaultChoice: null,
      buttons: [],
    }),
  },
  "many-choices": {
    notice: asks({
      ...question,
      question: "Which model?",
      choices: others(Array.from({ length: 40 }, (_, at) => `model-${at + 1}`)),
      defaultChoice: 3,
      buttons: [],
    }),
  },
  form: {
    notice: asks({
      ...question,
      promptType: "free_text",
      question: "Three questions",
      choices: [],
      form: [
        {
          name: "db",
          question: "Which database?",
          options: [{ label: "Postgres", detail: "boring" }, { label: "SQLite" }],
        },
        {
          name: "tests",
          question: "Which tests?",
          options: [{ label: "unit" }, { label: "e2e" }],
          multi: true,
        },
        { name: "style", question: "Which style?", options: [{ label: "tabs" }], ownWords: true },
        { name: "name", question: "What is it called?", options: [] },
      ],
      defaultChoice: null,
      buttons: [],
    }),
  },
  unknown: {
    notice: asks({
      ...question,
      promptType: "unknown",
      confidence: "low",
      question: "Overwrite it?",
      choices: [],
      defaultChoice: null,
      buttons: [
        {
          token: asId<Token>("tok-enter"),
          choice: { label: "Press Enter", intent: "other" },
          value: "enter",
        },
        { token: asId<Token>("tok-esc"), choice: { label: "Press Esc", intent: "other" }, value: "esc" },
      ],
    }),
  },
  secret: {
    notice: asks({
      promptType: "secret",
      safetyClass: "secret",
      question: "Password:",
      content: { text: "", cut: null },
      choices: [],
      buttons: [],
      defaultChoice: null,
      expiresAt: null,
    }),
  },
};

export const TEXTS: Readonly<Record<string, { notice: TextNotice; outcome?: Outcome }>> = {
  "session-ended": { notice: textNotice(PLACE, "⏹ mytool · api ended with exit code 0") },
  reminder: {
    notice: {
      ...textNotice(PLACE, "⏰ k7 is still waiting for an answer. mytool: Continue?"),
      addressees: [ARA],
    },
  },
  "reminder-settled": {
    notice: {
      ...textNotice(PLACE, "⏰ k7 is still waiting for an answer. mytool: Continue?"),
      addressees: [ARA],
    },
    outcome: ANSWERED,
  },
};

function ids(): { deliveryId: PromptNotice["deliveryId"] } {
  return { deliveryId: "delivery-1" as PromptNotice["deliveryId"] };
}

function longLabels(): Choice[] {
  return [
    { label: "Yes", intent: "allow_once" },
    {
      label:
        "Yes, and don't ask again for `npm run build` commands in /home/ara/src/api/very/deep/folder/of/this/repository",
      intent: "allow_always",
      detail: "Written to .claude/settings.local.json",
    },
    { label: "No, and tell Claude what to do differently", intent: "reject_once", takesText: "optional" },
  ];
}
