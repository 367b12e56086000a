/** A tool learns of the file by which its task counts as done, once, in the words that the task ends with. */
import { expect, it } from "vitest";
import { tellUntilFile } from "../../../src/exec/task-loop.js";

it("a task ends with one sentence that names the file as it was typed", () => {
  expect(tellUntilFile("Make the tests pass.\n", "out/DONE")).toBe(
    "Make the tests pass.\n\nWhen all of this is done, create the file out/DONE, and not before.",
  );
});

it("a task that says it already is not told it twice", () => {
  const told = tellUntilFile("Do it.", "DONE");
  expect(tellUntilFile(told, "DONE")).toBe(told);
  expect(tellUntilFile(`${told}\nThank you.`, "DONE")).toBe(`${told}\nThank you.`);
});

it("a task without a file stays as it was typed", () => {
  expect(tellUntilFile("Do it.\n", null)).toBe("Do it.\n");
});
