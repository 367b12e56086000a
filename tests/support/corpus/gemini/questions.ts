/** Questions of gemini's model, its plans, and what it asks when it is stuck. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import * as shared from "../shared/questions.js";
import type { Label } from "../situation.js";
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
const OTHER = "Enter a custom value";
/** Of lists with more than three answers only three rows are drawn; a key stands for the others. */
const HIDDEN = "Cancel (Esc)";

const DATABASE: Label = {
  ...shared.makeChoice(shared.database, HIDDEN),
  replies: [
    { value: "1", keys: ["1"] },
    { value: "4", keys: [KEYS.esc] },
    { value: "5", keys: [] },
  ],
};
const REGION: Label = {
  ...shared.makeChoice(shared.region, OTHER),
  replies: [
    { value: "2", keys: ["2"] },
    { value: "3", text: "Asia", keys: ["3", "\u001b[200~Asia\u001b[201~", "\r"] },
    { value: "3", keys: [] },
  ],
};

const PLAN = "# Retry helper\n\n1. Add a helper in `src/retry.ts`\n2. Wire it in\n\nContinue? (y/n)\n";
const STEPS = Array.from({ length: 40 }, (_, i) => `${i + 3}. Step ${i + 3} of a long plan\n`).join("");
const plans = (text: string): readonly Step[] => [
  { tools: [write("plan.md", text)] },
  { tools: [{ name: "exit_plan_mode", input: { plan_filename: "plan.md" } }] },
];
const inPlanMode = { options: { args: ["--approval-mode=plan"] } } as const;

const START: Label = {
  type: "multiple_choice",
  excerpt: "Ready to start implementation?",
  choices: ["Yes, automatically accept edits", "Yes, manually accept edits", "Type your feedback..."],
  byDefault: 1,
  count: 1,
  replies: [
    { value: "1", keys: ["1"] },
    { value: "2", keys: ["2"] },
    { value: "3", text: "no tests?", keys: ["3", "\u001b[200~no tests?\u001b[201~", "\r"] },
  ],
};

const loop: readonly Step[] = Array.from({ length: 12 }, () => ({
  tools: [{ name: "read_file", input: { file_path: "app.py" } }],
}));

export const questions: readonly GeminiSituation[] = [
  {
    name: "ask",
    description: "A question with choices",
    model: asks(database),
    play: asked,
    label: DATABASE,
  },
  {
    name: "ask-moved",
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
    name: "ask-answered",
    description: "A question was answered at the keyboard",
    model: asks(database),
    play: async (player) => {
      await asked(player);
      await answered(player, "2");
    },
    sizes: ["120x40", "80x24"],
    label: answeredLabel(),
  },
  {
    name: "ask-other-row",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: async (player) => {
      await asked(player);
      await player.key("3");
    },
    label: { ...REGION, byDefault: 3, replies: [{ value: "1", keys: [KEYS.up, KEYS.up, KEYS.enter] }] },
  },
  {
    name: "ask-pair",
    description: "The first of two questions",
    model: asks(database, region),
    play: asked,
    label: DATABASE,
  },
  {
    name: "ask-pair-second",
    description: "The second of two questions",
    model: asks(database, region),
    play: async (player) => {
      await asked(player);
      await player.key("2");
      await player.see(/Which region/);
    },
    label: { ...REGION, count: 2 },
  },
  {
    name: "ask-pair-review",
    description: "The answers to two questions are to be submitted",
    model: asks(database, region),
    play: async (player) => {
      await asked(player);
      await player.key("2");
      await player.see(/Which region/);
      await player.still();
      await player.key("1");
      await player.see(/Review/);
    },
    label: { type: "confirm_enter", content: ["Database → SQLite", "Region → EU"], count: 3 },
  },
  {
    name: "ask-multi",
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
    name: "ask-multi-checked",
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
    name: "ask-yes-no",
    description: "A question for yes or no",
    model: asks(sure),
    play: asked,
    label: {
      type: "multiple_choice",
      excerpt: "Shall the old reports be deleted?",
      choices: ["Yes", "No", OTHER],
      byDefault: 1,
      count: 1,
    },
  },
  {
    name: "ask-text",
    description: "A question for a text",
    model: asks(name),
    play: async (player) => {
      await ask(player);
      await player.see(/What shall the service/);
    },
    label: {
      type: "free_text",
      excerpt: "What shall the service be called?",
      count: 1,
      replies: [{ value: "web", keys: ["\u001b[200~web\u001b[201~", "\r"] }],
    },
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    ...inPlanMode,
    model: plans(PLAN),
    play: asked,
    label: (size) => ({
      ...START,
      // On the smallest screen its end is folded away.
      content: ["Retry helper", "2. Wire it in", ...(size === "45x20" ? [] : ["Continue? (y/n)"])],
    }),
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    ...inPlanMode,
    model: plans(PLAN + STEPS),
    play: asked,
    label: START,
  },
  {
    name: "plan-esc",
    description: "A plan was left with Esc",
    ...inPlanMode,
    model: plans(PLAN),
    play: async (player) => {
      await asked(player);
      await player.key(KEYS.esc);
      await player.see(/Type your\s+message/);
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "loop",
    description: "The model calls the same thing again and again",
    model: loop,
    play: async (player) => {
      await ask(player);
      await player.see(/loop was detected/);
    },
    label: { type: "multiple_choice", byDefault: 1, count: 1 },
  },
  {
    name: "quota",
    description: "The quota is used up: try on or stop",
    model: [
      { error: { status: 429, type: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota." } },
    ],
    play: async (player) => {
      await ask(player);
      await player.see(/Keep trying|Stop/);
    },
    label: { type: "multiple_choice", byDefault: 1, count: 1 },
  },
];
