/** Questions and plans of copilot's model, and forms of an MCP server. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel, arrows } from "../labels.js";
import type { Label, Size } from "../situation.js";
import { answered, asked, type CopilotSituation, afterwards, withMcp } from "./moves.js";

const asks = (message: string, properties: object, ...required: readonly string[]): readonly Step[] => [
  {
    tools: [
      { name: "ask_user", input: { message, requestedSchema: { type: "object", properties, required } } },
    ],
  },
];
const OTHER = "Other (type your answer)";
const pick = (title: string, ...names: readonly string[]): object => ({ type: "string", title, enum: names });
const COLOURS = ["Red", "Blue", "Green"];
const colour = asks("Which colour should the button be?", { colour: pick("Colour", ...COLOURS) }, "colour");
const database = pick("Database", "PostgreSQL", "SQLite", "MongoDB");
const features = {
  type: "array",
  title: "Features",
  items: { type: "string", enum: ["Auth", "Billing", "Search"] },
};
const set = asks(
  "How shall it be set up?",
  { database, features, note: { type: "string", title: "Note" } },
  "database",
);
const tick = asks("Which features do you want to enable?", { features });

const QUESTION: Label = {
  type: "multiple_choice",
  excerpt: "Which colour should the button be?",
  choices: [...COLOURS, OTHER],
  byDefault: 1,
  count: 1,
  replies: arrows(3),
};
const FEATURES: Label = { type: "multiple_choice", choices: ["Auth", "Billing", "Search", OTHER], count: 1 };
const TICKS: Label = { ...FEATURES, excerpt: "Which features do you want to enable?" };

const region = asks("Which region should we deploy to?", { region: pick("Region", "EU", "US") }, "region");
const OTHER_BELOW = "Other (type your answer below)";
const REGION: Label = {
  type: "multiple_choice",
  excerpt: "Which region should we deploy to?",
  choices: ["EU", "US", OTHER],
  byDefault: 1,
  count: 1,
  replies: [
    { value: "2", keys: [KEYS.down, KEYS.enter] },
    { value: "3", text: "Asia", keys: [KEYS.down, KEYS.down, "\u001b[200~Asia\u001b[201~", KEYS.enter] },
    { value: "3", keys: [] },
  ],
};

const sure = asks(
  "Shall the old reports be deleted?",
  { sure: { type: "boolean", title: "Delete", default: false } },
  "sure",
);
const SURE: Label = {
  type: "multiple_choice",
  excerpt: "Shall the old reports be deleted?",
  choices: ["Yes", "No", OTHER],
  byDefault: 2,
  count: 1,
  replies: [
    { value: "1", keys: [KEYS.up, KEYS.enter] },
    { value: "2", keys: [KEYS.enter] },
  ],
};

const PLAN = "- Add a helper in `src/retry.ts`\n- Wire it in\n- Continue? (y/n)";
const STEPS = Array.from({ length: 40 }, (_, i) => `\n- Step ${i + 3} of a long plan`).join("");
const plans = (summary: string): readonly Step[] => [
  {
    tools: [
      {
        name: "exit_plan_mode",
        input: {
          summary,
          actions: ["interactive", "autopilot", "exit_only"],
          recommendedAction: "interactive",
        },
      },
    ],
  },
];
const inPlanMode = { options: { args: ["--mode", "plan"] } } as const;
const UNCHANGED = "(Manual Approval for this session; future defaults unchanged)";
const PLANNED: Label = {
  type: "multiple_choice",
  choices: [
    `Accept plan and continue in Interactive execution mode ${UNCHANGED} (recommended)`,
    "Accept plan and continue in Autopilot execution mode",
    `Exit to Interactive execution mode without running the plan ${UNCHANGED}`,
    "Suggest changes",
  ],
  byDefault: 1,
  content: ["of a long plan"],
  count: 1,
};
/** On the smallest screen its title has left the screen above. */
const START = (size: Size): Label => ({
  ...PLANNED,
  ...(size !== "45x20" && { excerpt: "Plan Ready for Review" }),
  content: ["Wire it in"],
});

export const questions: readonly CopilotSituation[] = [
  { name: "question", description: "A question with choices", model: colour, play: asked, label: QUESTION },
  {
    name: "question-moved",
    description: "The highlight was moved to the second answer",
    model: colour,
    play: afterwards(KEYS.down),
    sizes: ["80x24"],
    label: { ...QUESTION, byDefault: 2, replies: [] },
  },
  {
    name: "question-answered",
    description: "A question was answered at the keyboard",
    model: colour,
    play: async (player) => {
      await asked(player);
      await answered(player, KEYS.down, KEYS.enter);
    },
    label: answeredLabel(),
  },
  {
    name: "question-esc",
    description: "A question was dismissed with Esc",
    model: colour,
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: colour,
    play: afterwards(KEYS.down, KEYS.down, KEYS.down),
    label: {
      ...QUESTION,
      choices: [...COLOURS, OTHER_BELOW],
      byDefault: 4,
      replies: [],
    },
  },
  { name: "choose", description: "A question with two choices", model: region, play: asked, label: REGION },
  {
    name: "choose-own",
    description: "The row for an own answer of a question with two choices is open",
    model: region,
    play: afterwards(KEYS.down, KEYS.down),
    label: {
      ...REGION,
      choices: ["EU", "US", OTHER_BELOW],
      byDefault: 3,
      replies: [
        { value: "1", keys: [KEYS.up, KEYS.up, KEYS.enter] },
        { value: "3", text: "Asia", keys: ["\u001b[200~Asia\u001b[201~", KEYS.enter] },
        { value: "3", keys: [] },
      ],
    },
  },
  {
    name: "sure",
    description: "A question for yes or no whose default is no",
    model: sure,
    play: asked,
    label: SURE,
  },
  {
    name: "sure-moved",
    description: "The highlight was moved off the default, which has a mark of its own then",
    model: sure,
    play: afterwards(KEYS.up),
    label: { ...SURE, byDefault: 1, replies: [{ value: "2", keys: [KEYS.down, KEYS.enter] }] },
  },
  {
    name: "name",
    description: "A question for a text",
    model: asks(
      "What shall the service be called?",
      { name: { type: "string", title: "Name", description: "e.g. web" } },
      "name",
    ),
    play: asked,
    label: {
      type: "free_text",
      excerpt: "What shall the service be called?",
      count: 1,
      replies: [{ value: "web", keys: ["\u001b[200~web\u001b[201~", "\r"] }],
    },
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: tick,
    play: asked,
    label: { ...TICKS, byDefault: 1 },
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: tick,
    play: afterwards(" ", KEYS.down, KEYS.down, " "),
    label: { ...TICKS, byDefault: 3 },
  },
  {
    name: "form",
    description: "The first of three fields",
    model: set,
    play: asked,
    label: {
      type: "multiple_choice",
      excerpt: "How shall it be set up?",
      choices: ["PostgreSQL", "SQLite", "MongoDB", OTHER],
      byDefault: 1,
      count: 1,
    },
  },
  {
    name: "form-second",
    description: "The second of three fields",
    model: set,
    play: afterwards(KEYS.down, KEYS.enter),
    label: { ...FEATURES, excerpt: "How shall it be set up?", byDefault: 1, count: 2 },
  },
  {
    name: "form-third",
    description: "The last of three fields",
    model: set,
    play: afterwards(KEYS.down, KEYS.enter, " ", KEYS.enter),
    label: { type: "free_text", excerpt: "How shall it be set up?", count: 3 },
  },
  {
    name: "elicitation",
    description: "A form of an MCP server",
    ...withMcp,
    model: [{ tools: [{ name: "ops-configure", input: {} }] }],
    play: afterwards("1"),
    label: { type: "free_text", excerpt: "Which environment should be used?", count: 2 },
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    ...inPlanMode,
    model: plans(PLAN),
    play: asked,
    label: START,
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    ...inPlanMode,
    model: plans(PLAN + STEPS),
    play: asked,
    label: PLANNED,
  },
  {
    name: "plan-torn",
    description: "A plan of so many steps that its title has left the screen",
    ...inPlanMode,
    model: plans(Array.from({ length: 60 }, (_, i) => `${i + 1}. Task ${i + 1}`).join("\n")),
    play: asked,
    label: { ...PLANNED, content: ["Task 60"] },
  },
  {
    name: "plan-moved",
    description: "The highlight was moved to the second row of a plan",
    ...inPlanMode,
    model: plans(PLAN),
    play: afterwards(KEYS.down),
    sizes: ["80x24"],
    label: (size) => ({ ...START(size), byDefault: 2 }),
  },
  {
    name: "plan-esc",
    description: "A plan was left with Esc",
    ...inPlanMode,
    model: plans(PLAN),
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
    label: answeredLabel(),
  },
];
