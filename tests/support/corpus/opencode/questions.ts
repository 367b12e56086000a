import { inTurn, press, see, wait } from "../move.js";
import type { Step } from "../../fake-model/script.js";
import { KEYS } from "../../real-cli/terminal.js";
import { database, features, region } from "../shared/questions.js";
import type { Player } from "../player.js";
import { answered, asked, type OpencodeSituation } from "./moves.js";

const ticked = { ...features, multiple: true };

const asks = (...questions: readonly object[]): readonly Step[] => [
  { tools: [{ name: "question", input: { questions } }] },
];

async function questioned(player: Player): Promise<void> {
  await asked(player, /Type your own answer/);
}

export const questions: readonly OpencodeSituation[] = [
  {
    name: "question",
    description: "A question with choices",
    model: asks(database),
    play: questioned,
  },
  {
    name: "choose",
    description: "A question with two choices",
    model: asks(region),
    play: questioned,
  },
  {
    name: "choose-moved",
    description: "The highlight was moved to the second answer",
    model: asks(region),
    play: inTurn(questioned, press(KEYS.down)),
  },
  {
    name: "choose-answered",
    description: "A question was answered at the keyboard",
    model: asks(region),
    play: inTurn(questioned, (player) => answered(player, "2")),
    sizes: ["120x40", "80x24"],
  },
  {
    // Recorded with `chrt --idle 0` on a loaded machine.
    name: "choose-answered-late",
    description:
      "A question was answered at the keyboard, and stays drawn with its answer: the machine is busy",
    model: asks(region),
    play: inTurn(questioned, (player) => answered(player, "2")),
    sizes: ["120x40", "80x24"],
  },
  {
    // Recorded in the matrix of real CLIs, on a loaded machine.
    name: "choose-first-answered-late",
    description:
      "A question was answered with the row that was highlighted, and stays drawn with its sign: the machine is busy",
    model: asks(database),
    play: inTurn(questioned, (player) => answered(player, "1")),
    sizes: ["45x20"],
  },
  {
    name: "choose-esc",
    description: "A question was dismissed with Esc",
    model: asks(region),
    play: inTurn(questioned, press(KEYS.esc), wait(1500)),
    sizes: ["80x24"],
  },
  {
    name: "own-answer",
    description: "The row for an own answer is open, nothing is typed",
    model: asks(region),
    play: inTurn(questioned, press("3"), wait(600)),
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
    play: inTurn(questioned, press("2"), see(/Which region/), wait(800)),
  },
  {
    name: "questions-review",
    description: "The answers to two questions are to be confirmed",
    model: asks(database, region),
    play: inTurn(questioned, press("2"), see(/Which region/), wait(800), press("1"), wait(1500)),
  },
  {
    name: "features",
    description: "A question with tick boxes",
    model: asks(ticked),
    play: questioned,
  },
  {
    name: "features-checked",
    description: "A question with tick boxes, two of them ticked",
    model: asks(ticked),
    play: inTurn(questioned, press("1", "3")),
    sizes: ["120x40", "80x24"],
  },
];
