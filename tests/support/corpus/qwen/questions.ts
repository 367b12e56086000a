/** Questions of qwen's model, and its plans. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, digits } from "../labels.js";
import * as shared from "../shared/questions.js";
import type { Label, Size } from "../situation.js";
import { answered, asked, type QwenSituation } from "./moves.js";

const database = { ...shared.database, multiSelect: false };
const region = { ...shared.region, multiSelect: false };
const features = { ...shared.features, multiSelect: true };

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "ask_user_question", input: { questions } }] },
];

const OTHER = "Type something...";
/** The last row opens a text field: it is taken with a text. */
const rows = (count: number): NonNullable<Label["replies"]> => [
  ...Array.from({ length: count - 1 }, (_, i) => ({ value: String(i + 1), keys: [String(i + 1)] })),
  { value: String(count), keys: [] },
  { value: String(count + 1), keys: [] },
];

const DATABASE: Label = { ...shared.makeChoice(database, OTHER), replies: rows(4) };
const REGION: Label = { ...shared.makeChoice(region, OTHER), replies: rows(3) };
const FEATURES: Label = {
  type: "multiple_choice",
  excerpt: "Which features do you want to enable?",
  choices: ["Auth", "Billing", "Search", OTHER],
  content: ["Login and sessions", "Full text"],
  count: 1,
};
const planLabel =
  (content: readonly string[]) =>
  (size: Size): Label => ({
    type: "multiple_choice",
    excerpt: "Would you like to proceed?",
    choices: [
      size === "45x20" ? "Yes, restore previous mode (def…" : "Yes, restore previous mode (default)",
      "Yes, and auto-accept edits",
      "Yes, and manually approve edits",
      "No, keep planning (esc)",
    ],
    byDefault: 1,
    content,
    count: 1,
    replies: digits(4),
  });
const PLAN = "# Retry helper\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in\n\nContinue? (y/n)\n";
const STEPS = Array.from({ length: 40 }, (_, i) => `${i + 3}. Step ${i + 3} of a long plan\n`).join("");
const plans = (plan: string): readonly Step[] => [{ tools: [{ name: "exit_plan_mode", input: { plan } }] }];
const inPlanMode = { options: { approvalMode: "plan" } } as const;

export const questions: readonly QwenSituation[] = [
  {
    name: "question",
    description: "A question with choices",
    model: asks(database),
    play: asked,
    label: DATABASE,
  },
  {
    name: "question-moved",
    description: "The highlight was moved to the second answer",
    model: asks(database),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.down);
    },
    sizes: ["80x24"],
    label: { ...DATABASE, byDefault: 2 },
  },
  {
    name: "choose",
    description: "A question with two choices",
    model: asks(region),
    play: asked,
    label: REGION,
  },
  {
    name: "choose-answered",
    description: "A question was answered at the keyboard",
    model: asks(region),
    play: async (player) => {
      await asked(player);
      await answered(player, "2");
    },
    sizes: ["120x40", "80x24"],
    label: answeredLabel(),
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: async (player) => {
      await asked(player);
      await player.key("3");
    },
    // What was the row's label is a text field's hint now.
    label: {
      type: "multiple_choice",
      excerpt: "Which region should we deploy to?",
      byDefault: 3,
      content: ["Frankfurt", "Oregon"],
      count: 1,
    },
  },
  {
    name: "questions",
    description: "The first of two questions",
    model: asks(database, region),
    play: asked,
    label: DATABASE,
  },
  {
    name: "questions-second",
    description: "The second of two questions",
    model: asks(database, region),
    play: async (player) => {
      await asked(player);
      await player.key("2");
      await player.see(/Which region/);
      await player.still();
    },
    label: { ...REGION, count: 2 },
  },
  {
    name: "questions-review",
    description: "The answers to two questions are to be submitted",
    model: asks(database, region),
    play: async (player) => {
      await asked(player);
      await player.key("2");
      await player.see(/Which region/);
      await player.still();
      await player.key("1");
      await player.still();
    },
    label: {
      type: "multiple_choice",
      excerpt: "Ready to submit your answers?",
      choices: ["Submit answers", "Cancel"],
      byDefault: 1,
      content: ["Database: SQLite", "Region: EU"],
      count: 3,
      replies: digits(2),
    },
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: asks(features),
    play: asked,
    label: {
      ...FEATURES,
      byDefault: 1,
      replies: [{ value: "1,3", keys: [" ", KEYS.down, KEYS.down, " ", KEYS.enter] }],
    },
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: asks(features),
    play: async (player) => {
      await asked(player);
      await player.key(" ", KEYS.down, KEYS.down, " ");
    },
    sizes: ["120x40", "80x24"],
    label: { ...FEATURES, byDefault: 3, replies: [{ value: "1,3", keys: [KEYS.enter] }] },
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    ...inPlanMode,
    model: plans(PLAN),
    play: asked,
    label: planLabel(["Retry helper", "2. Wire it in"]),
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    ...inPlanMode,
    model: plans(PLAN + STEPS),
    play: asked,
    label: planLabel(["Retry helper"]),
  },
];
