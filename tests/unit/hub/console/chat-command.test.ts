/** What a text in the thread of a console means. */
import { describe, expect, it } from "vitest";
import { readConsoleText, readExplicitCommand } from "../../../../src/hub/console/chat-command.js";

describe("a text in a console's thread", () => {
  it.each([
    ["make test", { action: "run", text: "make test" }],
    [" for i in 1\ndo :\ndone ", { action: "run", text: "for i in 1\ndo :\ndone" }],
    ["n", { action: "run", text: "n" }],
    ["start", { action: "run", text: "start" }],
    ["stop it", { action: "run", text: "stop it" }],
    ["interrupt", { action: "interrupt", text: "" }],
    ["Mode", { action: "mode", text: "" }],
    ["> yes", { action: "input", text: "yes" }],
    [">", { action: "input", text: "" }],
    ["$ stop", { action: "run", text: "stop" }],
    ["$ > out.txt", { action: "run", text: "> out.txt" }],
    ["stop", null],
    ["Screen", null],
    ["pause", null],
    ["answer k7 2", null],
  ])("%j", (written, meant) => {
    expect(readConsoleText(written)).toEqual(meant);
  });

  it("is a command anywhere only with a dollar sign", () => {
    expect(readExplicitCommand("$ make\nall")).toEqual({ action: "run", text: "make\nall" });
    expect(readExplicitCommand("$")).toBeNull();
    expect(readExplicitCommand("make")).toBeNull();
  });
});
