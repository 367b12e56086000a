/** `init`, as other programs call their first step, is `setup`. */
import { expect, it } from "vitest";
import { describeCli } from "../../../src/cli/program.js";

it("init starts setup", () => {
  const found = describeCli().commands.filter((command) => command.aliases().includes("init"));
  expect(found.map((command) => command.name())).toEqual(["setup"]);
});
