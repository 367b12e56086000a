/** Questions and plans of copilot's model, and forms of an MCP server. */
import { inTurn } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered, asked, type CopilotSituation, afterwards, withMcp } from "./moves.js";

const asks = (message: string, properties: object, ...required: readonly string[]): readonly Step[] => [
  {
    tools: [
      { name: "ask_user", input: { message, requestedSchema: { type: "object", properties, required } } },
    ],
  },
];
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

const region = asks("Which region should we deploy to?", { region: pick("Region", "EU", "US") }, "region");

const sure = asks(
  "Shall the old reports be deleted?",
  { sure: { type: "boolean", title: "Delete", default: false } },
  "sure",
);

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

export const questions: readonly CopilotSituation[] = [
  { name: "question", description: "A question with choices", model: colour, play: asked },
  {
    name: "question-moved",
    description: "The highlight was moved to the second answer",
    model: colour,
    play: afterwards(KEYS.down),
    sizes: ["80x24"],
  },
  {
    name: "question-answered",
    description: "A question was answered at the keyboard",
    model: colour,
    play: inTurn(asked, (player) => answered(player, KEYS.down, KEYS.enter)),
  },
  {
    name: "question-esc",
    description: "A question was dismissed with Esc",
    model: colour,
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: colour,
    play: afterwards(KEYS.down, KEYS.down, KEYS.down),
  },
  { name: "choose", description: "A question with two choices", model: region, play: asked },
  {
    name: "choose-own",
    description: "The row for an own answer of a question with two choices is open",
    model: region,
    play: afterwards(KEYS.down, KEYS.down),
  },
  {
    name: "sure",
    description: "A question for yes or no whose default is no",
    model: sure,
    play: asked,
  },
  {
    name: "sure-moved",
    description: "The highlight was moved off the default, which has a mark of its own then",
    model: sure,
    play: afterwards(KEYS.up),
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
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: tick,
    play: asked,
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: tick,
    play: afterwards(" ", KEYS.down, KEYS.down, " "),
  },
  {
    name: "form",
    description: "The first of three fields",
    model: set,
    play: asked,
  },
  {
    name: "form-second",
    description: "The second of three fields",
    model: set,
    play: afterwards(KEYS.down, KEYS.enter),
  },
  {
    name: "form-third",
    description: "The last of three fields",
    model: set,
    play: afterwards(KEYS.down, KEYS.enter, " ", KEYS.enter),
  },
  {
    name: "elicitation",
    description: "A form of an MCP server",
    ...withMcp,
    model: [{ tools: [{ name: "ops-configure", input: {} }] }],
    play: afterwards("1"),
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
    name: "plan-torn",
    description: "A plan of so many steps that its title has left the screen",
    ...inPlanMode,
    model: plans(Array.from({ length: 60 }, (_, i) => `${i + 1}. Task ${i + 1}`).join("\n")),
    play: asked,
  },
  {
    name: "plan-moved",
    description: "The highlight was moved to the second row of a plan",
    ...inPlanMode,
    model: plans(PLAN),
    play: afterwards(KEYS.down),
    sizes: ["80x24"],
  },
  {
    name: "plan-esc",
    description: "A plan was left with Esc",
    ...inPlanMode,
    model: plans(PLAN),
    play: afterwards(KEYS.esc),
    sizes: ["80x24"],
  },
];
