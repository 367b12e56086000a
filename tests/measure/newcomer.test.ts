/** Prints how long the commands of a newcomer take, from a built clone to the first answered prompt, with a person who never hesitates. */
import { it } from "vitest";
import { meetNewcomer } from "../support/rig/newcomer.js";
import { printFigure } from "./figures.js";

const BAR_S = 120;

it("the first two minutes", async () => {
  const began = performance.now();
  await meetNewcomer();
  printFigure(
    "from a built clone to the first answered prompt",
    (performance.now() - began) / 1000,
    BAR_S,
    "s",
  );
});
