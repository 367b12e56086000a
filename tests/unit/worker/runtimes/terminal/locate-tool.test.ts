/** `run NAME` starts what the adapter's candidates name, and never anything else than what was typed where that is there. */
import { expect, it } from "vitest";
import { locateTool } from "../../../../../src/worker/runtimes/terminal/open-tool.js";

const adapter = {
  name: "candi",
  aliases: ["candy"],
  process: { executables: ["no-such-tool-anywhere", "sh"], install: null, env: {} },
};
const search = { path: process.env["PATH"], cwd: "/" };

it.each([
  [
    "a name that is no executable: the first candidate that is there",
    ["candi", "-c", "x"],
    ["sh", "-c", "x"],
  ],
  ["an alias", ["candy"], ["sh"]],
  ["another tool's name", ["no-such-tool-anywhere"], ["no-such-tool-anywhere"]],
  ["a path", ["./candi"], ["./candi"]],
  ["an executable that is there", ["cat"], ["cat"]],
])("%s", (_what, typed, started) => {
  expect(locateTool(adapter, typed, search)).toEqual(started);
});

it("an executable of the adapter's own name wins over its candidates", () => {
  expect(locateTool({ ...adapter, name: "cat" }, ["cat"], search)).toEqual(["cat"]);
});
