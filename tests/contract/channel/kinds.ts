/**
 * Every kind of notice that the hub can make, as its vocabulary names them: a word more there, and this does not compile, or its golden
 * files are missing.
 */
import type { PromptNotice } from "../../../src/sdk/channel.js";
import type { DeliveryRow } from "../../../src/hub/store/tables/deliveries.js";
import type { Outcome, PromptType, SafetyClass } from "../../../src/sdk/channel.js";
import { asId, type DeliveryId, type Token } from "../../../src/sdk/channel.js";
import { PROMPT_TYPES, SAFETY_CLASSES } from "../../../src/model/prompt.js";
import {
  AGAIN_BUTTON,
  buttonsFor,
  CHOICES,
  promptNotice,
  SESSION,
  textNotice,
  type TextNotice,
} from "../../../src/compat/testing/notices.js";

export interface Kind {
  readonly notice: PromptNotice | TextNotice;
  readonly outcome?: Outcome;
}

const WORDS = { content: { text: "", cut: null }, choices: [], buttons: [], acceptsText: true } as const;
const button = (value: string, label: string) => ({
  token: asId<Token>(`tok-${value}`),
  choice: { label, intent: "other" as const },
  value,
});

const TYPES: Readonly<Record<PromptType, Partial<PromptNotice>>> = {
  yes_no: { question: "Continue?", buttons: [button("y", "Yes"), button("n", "No")], acceptsText: true },
  confirm_enter: { ...WORDS, question: "Press Enter to go on", buttons: [button("enter", "Press Enter")] },
  multiple_choice: {},
  free_text: { ...WORDS, question: "What should it be called?" },
  secret: { ...WORDS, question: "Password:", acceptsText: false },
  unknown: {
    ...WORDS,
    question: "»» go on?",
    confidence: "low",
    buttons: [button("enter", "Press Enter"), button("esc", "Press Esc")],
  },
};

const OUTCOMES: Readonly<Record<Outcome["state"], Outcome>> = {
  answered: { state: "answered", text: "✅ Yes, by Ara, confirmed", final: true },
  uncertain: {
    state: "uncertain",
    text: "❔ Yes, by Ara: sent to mytool, but not confirmed. Check the terminal.",
    final: true,
    buttons: [AGAIN_BUTTON],
  },
  failed: {
    state: "failed",
    text: "⚠️ Yes, by Ara: not applied (the dialog changed). Nothing was typed.",
    final: true,
    buttons: [AGAIN_BUTTON],
  },
  withdrawn: { state: "withdrawn", text: "⌨️ Answered at the terminal", final: true },
  superseded: {
    state: "superseded",
    text: "↪️ Replaced by another prompt; AtlasBridge typed nothing",
    final: true,
  },
  expired: {
    state: "expired",
    text: "⌛ Expired; AtlasBridge typed nothing",
    final: true,
    buttons: [AGAIN_BUTTON],
  },
  refused: {
    state: "refused",
    text: "⚠️ Not applied: the screen changed. Nothing was typed.",
    final: false,
    buttons: buttonsFor(CHOICES, "b"),
  },
};

/** Of a command in a debugger. */
const RESULT = { block: "SIGSEGV\nat crash.c:4", blockFile: "output.txt" };

/** Texts about a session, by their role; null: said in passing. */
const ROLES: Readonly<Record<NonNullable<DeliveryRow["role"]> | "passing", readonly Kind[]>> = {
  idle: [
    { notice: says("💤 api waits for its next task. Reply to this message to give it a task.\n\nDone.") },
  ],
  task: [
    { notice: says("⏳ Task for api, by Ara: “fix the tests”") },
    { notice: says("Task for api"), outcome: OUTCOMES.answered },
  ],
  progress: [
    { notice: says("⚙️ api works, for 5 min: Running the tests") },
    {
      notice: says("⚙️ api worked"),
      outcome: { state: "withdrawn", text: "⏹ It works no more, after 6 min", final: true },
    },
  ],
  passing: [
    { notice: says("📣 mytool (api): I begin with the parser at https://ci.example/42") },
    { notice: says("⏰ k7 is still waiting for an answer. mytool: Continue?", { addressees: [] }) },
    { notice: says("⏹ mytool · api ended with exit code 0", { session: { ...SESSION, ended: true } }) },
    { notice: says("🖥 api", { block: "$ make\nall of it" }) },
    { notice: says("🖥 api", { block: "$ make", picture: Buffer.from("PNG") }) },
    {
      notice: says("▪️ c: “run”", {
        ...RESULT,
        buttons: ["Step", "Next", "Out", "Run"].map((word) => button(word, word)),
      }),
    },
    {
      notice: says("▪️ c: “run”", RESULT),
      outcome: { state: "withdrawn", text: "▶️ “next”, by Ara", final: true },
    },
  ],
};

function asks(over: Partial<PromptNotice> = {}): PromptNotice {
  return promptNotice("1", { deliveryId: asId<DeliveryId>("d1"), ...over });
}

function says(text: string, over: Partial<TextNotice> = {}): TextNotice {
  return { ...textNotice("1", text), ...over };
}

function ofClass(safetyClass: SafetyClass): Kind {
  const isSecret = safetyClass === "secret";
  return { notice: asks({ safetyClass, ...(isSecret ? TYPES.secret : { screenView: true }) }) };
}

export const KINDS: readonly (readonly [name: string, kind: Kind])[] = [
  ...PROMPT_TYPES.map((promptType) => {
    const safetyClass = promptType === "secret" ? "secret" : "question";
    return [
      `type-${promptType}`,
      { notice: asks({ safetyClass, promptType, ...TYPES[promptType] }) },
    ] as const;
  }),
  ...SAFETY_CLASSES.map((safetyClass) => [`class-${safetyClass}`, ofClass(safetyClass)] as const),
  ...Object.entries(OUTCOMES).map(
    ([state, outcome]) => [`outcome-${state}`, { notice: asks(), outcome }] as const,
  ),
  ...Object.entries(ROLES).flatMap(([role, kinds]) =>
    kinds.map((kind, at) => [`text-${role}-${at + 1}`, kind] as const),
  ),
];
