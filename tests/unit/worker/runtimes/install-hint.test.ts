/** A missing tool of an adapter is named with the command that installs it; any other error stays as it is. */
import { expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { explainMissingProgram, explainMissingTool } from "../../../../src/worker/runtimes/install-hint.js";

const MISSING = new AtlasBridgeError("ATB_TOOL_NOT_FOUND", 'the executable "fancy" was not found');
const fancy = {
  name: "fancy",
  process: { executables: ["fancy-cli"], install: "npm install -g fancy", env: {} },
};

it("names the command", () => {
  for (const typed of ["fancy", "fancy-cli"])
    expect(explainMissingTool(MISSING, fancy, typed)).toMatchObject({
      code: "ATB_TOOL_NOT_FOUND",
      message: `${typed} is not installed: npm install -g fancy`,
    });
});

it("names the command of a program that speaks for a tool", () => {
  expect(explainMissingProgram(MISSING, "fancy-acp", "npm install -g fancy-acp")).toMatchObject({
    message: "fancy-acp is not installed: npm install -g fancy-acp",
  });
  expect(explainMissingProgram(MISSING, "fancy-acp", null)).toBe(MISSING);
});

it("says nothing of another program, of another problem, and without a command", () => {
  const other = new AtlasBridgeError("ATB_TOOL_START_FAILED", "it is no program");
  expect(explainMissingTool(MISSING, fancy, "/opt/fancy")).toBe(MISSING);
  expect(explainMissingTool(other, fancy, "fancy")).toBe(other);
  const unknown = { ...fancy, process: { ...fancy.process, install: null } };
  expect(explainMissingTool(MISSING, unknown, "fancy")).toBe(MISSING);
});
