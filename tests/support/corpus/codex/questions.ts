/** What codex asks in plan mode: questions of the model, and whether its plan is to be carried out. */
import { inTurn, press, see, still } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import * as shared from "../shared/questions.js";
import type { Player } from "../player.js";
import { answered, asked, type CodexSituation, planMode } from "./moves.js";

const withId = (of: shared.Question): object => ({ id: of.header, ...of });
const database = withId(shared.database);
const region = withId(shared.region);
const cache = withId({
  header: "Cache",
  question:
    "The pages are slow because each of them asks the database forty times. Where should the answers be kept? (1/2)",
  options: [
    { label: "In the memory of each process", description: "Fast; lost with a restart" },
    {
      label: "In Redis, shared by all processes and all machines of the region",
      description: "One more thing to run",
    },
  ],
});

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "request_user_input", input: { questions } }] },
];

async function questioned(player: Player): Promise<void> {
  await planMode(player);
  await asked(player, /Question 1\/\d/);
}

const PLAN = [
  "# Retry helper",
  "",
  "1. Add a helper in `src/retry.ts`",
  "2. Wire it in",
  "",
  "Continue? (y/n)",
];
const LONG_PLAN = [
  ...PLAN,
  ...Array.from({ length: 30 }, (_, i) => `${i + 3}. Step ${i + 3} of a plan that is longer than any screen`),
];
const proposes = (lines: readonly string[]): readonly Step[] => [
  { text: `<proposed_plan>\n${lines.join("\n")}\n</proposed_plan>` },
];

async function planned(player: Player): Promise<void> {
  await planMode(player);
  await asked(player, /Implement this plan\?/);
}

export const questions: readonly CodexSituation[] = [
  {
    name: "question",
    description: "A question with choices",
    model: asks(database),
    play: questioned,
  },
  {
    name: "question-moved",
    description: "The highlight was moved to the second answer",
    model: asks(database),
    play: inTurn(questioned, press(KEYS.down)),
    sizes: ["80x24"],
  },
  {
    name: "question-answered",
    description: "A question was answered at the keyboard",
    model: asks(database),
    play: inTurn(questioned, (player) => answered(player, "2")),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "questions",
    description: "The first of two questions",
    model: asks(database, region),
    play: questioned,
  },
  {
    name: "questions-second",
    description: "The second of two questions",
    model: asks(database, region),
    play: inTurn(questioned, press("2"), see(/Which region/)),
  },
  {
    name: "choose",
    description: "A long question with long answers",
    model: asks(cache),
    play: questioned,
  },
  {
    name: "ask-pair",
    description: "The first of two questions, long answers",
    model: asks(cache, region),
    play: questioned,
    sizes: ["120x40", "80x24"],
  },
  {
    name: "ask-pair-second",
    description: "The second of two questions, after one with long answers",
    model: asks(cache, region),
    play: inTurn(questioned, press("2"), see(/Which region/)),
  },
  {
    name: "ask-pair-answered",
    description: "Two questions were answered at the keyboard",
    model: asks(cache, region),
    play: inTurn(questioned, press("2"), see(/Which region/), still(), (player) => answered(player, "1")),
    sizes: ["80x24"],
  },
  {
    name: "ask-note",
    description: "The user opened the field for notes: who sits there is answering",
    model: asks(region),
    play: inTurn(questioned, press(KEYS.tab)),
    sizes: ["120x40", "80x24"],
  },
  {
    name: "plan",
    description: "Shall the plan be carried out",
    model: proposes(PLAN),
    play: planned,
  },
  {
    name: "plan-long",
    description: "Shall a plan that is longer than the screen be carried out",
    model: proposes(LONG_PLAN),
    play: planned,
  },
  {
    name: "plan-answered",
    description: "A plan was left in plan mode at the keyboard",
    model: proposes(PLAN),
    play: inTurn(planned, press("3")),
    sizes: ["80x24"],
  },
];
