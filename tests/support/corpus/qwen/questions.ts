/** Questions of qwen's model, and its plans. */
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import * as shared from "../shared/questions.js";
import { answered, asked, type QwenSituation } from "./moves.js";

const database = { ...shared.database, multiSelect: false };
const region = { ...shared.region, multiSelect: false };
const features = { ...shared.features, multiSelect: true };

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "ask_user_question", input: { questions } }] },
];
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
  },
  {
    name: "choose",
    description: "A question with two choices",
    model: asks(region),
    play: asked,
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
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: async (player) => {
      await asked(player);
      await player.key("3");
    },
  },
  {
    name: "questions",
    description: "The first of two questions",
    model: asks(database, region),
    play: asked,
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
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: asks(features),
    play: asked,
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
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    ...inPlanMode,
    model: plans(PLAN),
    play: asked,
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    ...inPlanMode,
    model: plans(PLAN + STEPS),
    play: asked,
  },
];
