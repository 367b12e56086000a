/** The environment variables to which the configuration refers are withheld from every tool, except those that it keeps by name. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildToolEnvironment, listWithheldVariables } from "../../../src/config/tool-environment.js";

const TELEGRAM = "channels: { telegram: { token: '${TELEGRAM_BOT_TOKEN}' } }\n";

function configFile(text: string): string {
  const folder = makeTestFolder("atb-env");
  const file = join(folder, "config.yaml");
  writeFileSync(file, text);
  return file;
}

describe("the variables that the configuration refers to", () => {
  it("are in no tool's environment, and everything else is", async () => {
    const env = {
      TELEGRAM_BOT_TOKEN: "1:a",
      SLACK_BOT_TOKEN: "xoxb",
      PATH: "/bin",
      EMPTY: "",
      NONE: undefined,
    };
    expect(await buildToolEnvironment(configFile(TELEGRAM), env)).toEqual({
      SLACK_BOT_TOKEN: "xoxb",
      PATH: "/bin",
      EMPTY: "",
      NONE: undefined,
    });
  });

  it.each([
    ["anywhere in the file", "people: []\nchannels:\n  slack: { app_token: x-${A}-${B_2} }\n", ["A", "B_2"]],
    ["in a file with mistakes", 'channels: { telegram: { token: "${A}\n', ["A"]],
    ["as an escape", 'channels: { telegram: { token: "\\x24{A}" } }\n', ["A"]],
    ["each once", "a: ${A}\nb: ${A}\n", ["A"]],
    ["but not in a comment", "  # such as ${A}\n", []],
    ["but never what programs need", "a: ${PATH}\nb: ${HOME}\nc: ${C}\n", ["C"]],
  ])("are found %s", async (_, text, names) => {
    expect(await listWithheldVariables(configFile(text))).toEqual(names);
  });

  it("are withheld, except for what is kept by name", async () => {
    const keep = "environment:\n  keep_in_tools: [TELEGRAM_BOT_TOKEN]\n";
    expect(await listWithheldVariables(configFile(`${TELEGRAM}b: \${B}\n${keep}`))).toEqual(["B"]);
  });

  it.each([
    ["a list that is none", "environment: { keep_in_tools: TELEGRAM_BOT_TOKEN }\n"],
    ["a list elsewhere", "keep_in_tools: [TELEGRAM_BOT_TOKEN]\n"],
    ["a file with mistakes", 'environment: { keep_in_tools: [TELEGRAM_BOT_TOKEN }\n"'],
  ])("are withheld with %s", async (_, text) => {
    expect(await listWithheldVariables(configFile(TELEGRAM + text))).toEqual(["TELEGRAM_BOT_TOKEN"]);
  });

  it("are none where there is no file", async () => {
    expect(await listWithheldVariables("/nonexistent/config.yaml")).toEqual([]);
  });
});
