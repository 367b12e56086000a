/** Questions of gemini's model, its plans, and what it asks when it is stuck. */
import { inTurn, press, see, still } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import * as shared from "../shared/questions.js";
import { answered, ask, asked, type GeminiSituation, write } from "./moves.js";

const choice = (of: shared.Question, multiSelect = false): object => ({ ...of, type: "choice", multiSelect });
const database = choice(shared.database);
const region = choice(shared.region);
const features = choice(shared.features, true);
const sure = { header: "Sure", question: "Shall the old reports be deleted?", type: "yesno" };
const name = {
  header: "Name",
  question: "What shall the service be called?",
  type: "text",
  placeholder: "e.g. web",
};

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "ask_user", input: { questions } }] },
];

const PLAN = "# Retry helper\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in\n\nContinue? (y/n)\n";
const STEPS = Array.from({ length: 40 }, (_, i) => `${i + 3}. Step ${i + 3} of a long plan\n`).join("");
const plans = (text: string): readonly Step[] => [
  { tools: [write("plan.md", text)] },
  { tools: [{ name: "exit_plan_mode", input: { plan_filename: "plan.md" } }] },
];
const inPlanMode = { options: { args: ["--approval-mode=plan"] } } as const;

const loop: readonly Step[] = Array.from({ length: 12 }, () => ({
  tools: [{ name: "read_file", input: { file_path: "app.py" } }],
}));

export const questions: readonly GeminiSituation[] = [
  {
    name: "ask",
    description: "A question with choices",
    model: asks(database),
    play: asked,
  },
  {
    name: "ask-moved",
    description: "The highlight was moved to the second answer",
    model: asks(database),
    play: inTurn(asked, press(KEYS.down)),
    sizes: ["80x24"],
  },
  {
    name: "ask-answered",
    description: "A question was answered at the keyboard",
    model: asks(database),
    play: inTurn(asked, (player) => answered(player, "2")),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "ask-other-row",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: inTurn(asked, press("3")),
  },
  {
    name: "ask-pair",
    description: "The first of two questions",
    model: asks(database, region),
    play: asked,
  },
  {
    name: "ask-pair-second",
    description: "The second of two questions",
    model: asks(database, region),
    play: inTurn(asked, press("2"), see(/Which region/)),
  },
  {
    name: "ask-pair-review",
    description: "The answers to two questions are to be submitted",
    model: asks(database, region),
    play: inTurn(asked, press("2"), see(/Which region/), still(), press("1"), see(/Review/)),
  },
  {
    name: "ask-multi",
    description: "A question with tick boxes",
    model: asks(features),
    play: asked,
  },
  {
    name: "ask-multi-checked",
    description: "A question with tick boxes, two of them ticked",
    model: asks(features),
    play: inTurn(asked, press("1", "3")),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "ask-yes-no",
    description: "A question for yes or no",
    model: asks(sure),
    play: asked,
  },
  {
    name: "ask-text",
    description: "A question for a text",
    model: asks(name),
    play: inTurn(ask, see(/What shall the service/)),
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
  {
    name: "plan-esc",
    description: "A plan was left with Esc",
    ...inPlanMode,
    model: plans(PLAN),
    play: inTurn(asked, press(KEYS.esc), see(/Type your\s+message/)),
    sizes: ["80x24"],
  },
  {
    name: "loop",
    description: "The model calls the same thing again and again",
    model: loop,
    play: inTurn(ask, see(/loop was detected/)),
  },
  {
    name: "quota",
    description: "The quota is used up: try on or stop",
    model: [
      { error: { status: 429, type: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota." } },
    ],
    play: inTurn(ask, see(/Keep trying|Stop/)),
  },
];
