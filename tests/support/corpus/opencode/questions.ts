/** Questions of opencode's model. */
import type { Step } from "../../fake-anthropic/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { answered as answeredLabel } from "../labels.js";
import { makeChoice, database, features, region } from "../shared/questions.js";
import type { Player } from "../player.js";
import type { Label } from "../situation.js";
import { answered, asked, type OpencodeSituation } from "./moves.js";

const ticked = { ...features, multiple: true };

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "question", input: { questions } }] },
];
const OTHER = "Type your own answer";

const DATABASE: Label = {
  ...makeChoice(database, OTHER),
  replies: [
    { value: "1", keys: ["1"] },
    { value: "3", keys: ["3"] },
    { value: "4", keys: [] },
    { value: "5", keys: [] },
  ],
};
const REGION = makeChoice(region, OTHER);

async function questioned(player: Player): Promise<void> {
  await asked(player, /Type your own answer/);
}

export const questions: readonly OpencodeSituation[] = [
  {
    name: "question",
    description: "A question with choices",
    model: asks(database),
    play: questioned,
    label: DATABASE,
  },
  {
    name: "choose",
    description: "A question with two choices",
    model: asks(region),
    play: questioned,
    label: REGION,
  },
  {
    name: "choose-moved",
    description: "The highlight was moved to the second answer",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await player.key(KEYS.down);
    },
    label: { ...REGION, byDefault: 2 },
  },
  {
    name: "choose-answered",
    description: "A question was answered at the keyboard",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await answered(player, "2");
    },
    sizes: ["120x40", "80x24"],
    label: answeredLabel(),
  },
  {
    // Recorded with `chrt --idle 0` on a loaded machine.
    name: "choose-answered-late",
    description:
      "A question was answered at the keyboard, and stays drawn with its answer: the machine is busy",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await answered(player, "2");
    },
    sizes: ["120x40", "80x24"],
    label: answeredLabel(),
  },
  {
    // Recorded in the matrix of real CLIs, on a loaded machine.
    name: "choose-first-answered-late",
    description:
      "A question was answered with the row that was highlighted, and stays drawn with its sign: the machine is busy",
    model: asks(database),
    play: async (player) => {
      await questioned(player);
      await answered(player, "1");
    },
    sizes: ["45x20"],
    label: answeredLabel(),
  },
  {
    name: "choose-esc",
    description: "A question was dismissed with Esc",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await player.key(KEYS.esc);
      await player.wait(1500);
    },
    sizes: ["80x24"],
    label: answeredLabel(),
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await player.key("3");
      await player.wait(600);
    },
    label: { ...REGION, byDefault: 3 },
  },
  {
    // Recorded with `chrt --idle 0` on a loaded machine.
    name: "said-answered-late",
    description: "An own answer was typed and sent, and stays drawn with a tick: the machine is busy",
    model: asks(region),
    play: async (player) => {
      await questioned(player);
      await player.key("3");
      player.type("In the office, please");
      await player.see(/In the office, please/);
      await player.wait(600);
      await answered(player, KEYS.enter);
    },
    label: answeredLabel(),
  },
  {
    name: "questions",
    description: "The first of two questions",
    model: asks(database, region),
    play: questioned,
    label: DATABASE,
  },
  {
    name: "questions-second",
    description: "The second of two questions",
    model: asks(database, region),
    play: async (player) => {
      await questioned(player);
      await player.key("2");
      await player.see(/Which region/);
      await player.wait(800);
    },
    label: { ...REGION, count: 2 },
  },
  {
    name: "questions-review",
    description: "The answers to two questions are to be confirmed",
    model: asks(database, region),
    play: async (player) => {
      await questioned(player);
      await player.key("2");
      await player.see(/Which region/);
      await player.wait(800);
      await player.key("1");
      await player.wait(1500);
    },
    label: { type: "confirm_enter", content: ["SQLite", "EU"], count: 3 },
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: asks(ticked),
    play: questioned,
    label: {
      type: "multiple_choice",
      excerpt: "Which features do you want to enable?",
      choices: ["Auth", "Billing", "Search", OTHER],
      byDefault: 1,
      count: 1,
    },
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: asks(ticked),
    play: async (player) => {
      await questioned(player);
      await player.key("1", "3");
    },
    sizes: ["120x40", "80x24"],
    label: {
      type: "multiple_choice",
      excerpt: "Which features do you want to enable?",
      choices: ["Auth", "Billing", "Search", OTHER],
      count: 1,
    },
  },
];
