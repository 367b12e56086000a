/** Questions of qwen's model, and its plans. */
import { inTurn, press, see, still } from "../move.js";
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
    play: inTurn(asked, press(KEYS.down)),
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
    play: inTurn(asked, (player) => answered(player, "2")),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: inTurn(asked, press("3")),
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
    play: inTurn(asked, press("2"), see(/Which region/), still()),
  },
  {
    name: "questions-review",
    description: "The answers to two questions are to be submitted",
    model: asks(database, region),
    play: inTurn(asked, press("2"), see(/Which region/), still(), press("1"), still()),
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
    play: inTurn(asked, press(" ", KEYS.down, KEYS.down, " ")),
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
