/** Questions of qwen's model, and its plans. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import type { Label } from "../situation.js";
import { answered, asked, type QwenSituation } from "./moves.js";

const options = (...names: readonly (readonly [string, string])[]): object[] =>
  names.map(([label, description]) => ({ label, description }));

const database = {
  header: "Database",
  question: "Which database should we use?",
  options: options(
    ["PostgreSQL", "Relational, robust"],
    ["SQLite", "Embedded, zero config"],
    ["MongoDB", "A document store that scales out, with more to run and to watch over"],
  ),
  multiSelect: false,
};
const region = {
  header: "Region",
  question: "Which region should we deploy to?",
  options: options(["EU", "Frankfurt"], ["US", "Oregon"]),
  multiSelect: false,
};
const features = {
  header: "Features",
  question: "Which features do you want to enable?",
  options: options(["Auth", "Login and sessions"], ["Billing", "Invoices"], ["Search", "Full text"]),
  multiSelect: true,
};

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "ask_user_question", input: { questions } }] },
];

const DATABASE: Label = {
  type: "multiple_choice",
  excerpt: "Which database should we use?",
  byDefault: 1,
  count: 1,
};
const REGION: Label = {
  type: "multiple_choice",
  excerpt: "Which region should we deploy to?",
  byDefault: 1,
  count: 1,
};
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
    label: { ...REGION, byDefault: 3 },
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
    label: { type: "multiple_choice", byDefault: 1, count: 3 },
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: asks(features),
    play: asked,
    label: {
      type: "multiple_choice",
      excerpt: "Which features do you want to enable?",
      byDefault: 1,
      count: 1,
    },
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: asks(features),
    play: async (player) => {
      await asked(player);
      await player.key("1", "3");
    },
    sizes: ["120x40", "80x24"],
    label: { type: "multiple_choice", excerpt: "Which features do you want to enable?", count: 1 },
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    ...inPlanMode,
    model: plans(PLAN),
    play: asked,
    label: { type: "multiple_choice", byDefault: 1, content: ["Retry helper", "2. Wire it in"], count: 1 },
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    ...inPlanMode,
    model: plans(PLAN + STEPS),
    play: asked,
    label: { type: "multiple_choice", byDefault: 1, count: 1 },
  },
];
