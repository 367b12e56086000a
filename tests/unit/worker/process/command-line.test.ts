/** The options and words of a tool's command line are read as the tool reads them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommandLine, extractOption } from "../../../../src/worker/process/command-line.js";

const shapes = {
  one: ["--settings", "--prompt", "--name", "-n"],
  several: ["--dirs"],
  optional: ["--resume", "-r"],
};
const use = (...args: string[]) => extractOption(readCommandLine(args, shapes), "--settings");
const words = (...args: string[]): string[] =>
  readCommandLine(args, shapes).flatMap((part) => (part.kind === "word" ? part.args : []));
const options = (...args: string[]): string[] =>
  readCommandLine(args, shapes).flatMap((part) =>
    part.kind === "option" ? [[part.name, ...part.values].join(" ")] : [],
  );

describe("one option of a command line", () => {
  it.each([
    [["-c", "x"], { value: null, others: ["-c", "x"] }],
    [["--settings", "a.json", "-c"], { value: "a.json", others: ["-c"] }],
    [["-c", "--settings={}"], { value: "{}", others: ["-c"] }],
    [["--settings", "a", "--settings", "b"], { value: "b", others: [] }],
    [["--", "--settings", "a"], { value: null, others: ["--", "--settings", "a"] }],
    [["--settings"], null],
    [["--settings="], { value: "", others: [] }],
    [["--prompt", "--settings", "hi"], { value: null, others: ["--prompt", "--settings", "hi"] }],
    [["-n", "--settings", "hi"], { value: null, others: ["-n", "--settings", "hi"] }],
    [["-cn", "--settings", "hi"], { value: null, others: ["-cn", "--settings", "hi"] }],
    [["-nme", "--settings", "a"], { value: "a", others: ["-nme"] }],
    [["--prompt=x", "--settings", "a"], { value: "a", others: ["--prompt=x"] }],
    [["--dirs", "a", "b", "--settings", "c"], { value: "c", others: ["--dirs", "a", "b"] }],
    [["--dirs", "--settings", "c"], { value: null, others: ["--dirs", "--settings", "c"] }],
    [["-r", "--settings=x.json"], { value: "x.json", others: ["-r"] }],
    [["--resume", "--settings", "a"], { value: "a", others: ["--resume"] }],
    [["--prompt", "--", "--settings", "a"], { value: "a", others: ["--prompt", "--"] }],
  ])("%j", (args, found) => {
    expect(use(...args)).toEqual(found);
  });
});

describe("the words of a command line", () => {
  it("are those that are no option and no value of one", () => {
    expect(
      words("--prompt", "list", "go", "--dirs", "a", "b", "-r", "id", "-c", "on", "-", "--", "x"),
    ).toEqual(["go", "on", "-"]);
  });

  it("are each flag of one word, up to the one that has a value", () => {
    expect(options("-cpn", "me", "-rp", "--resume", "-x")).toEqual([
      "-c",
      "-p",
      "-n me",
      "-r p",
      "--resume",
      "-x",
    ]);
  });

  it("are all of its arguments, in their order", () => {
    const name = fc.constantFrom(
      "--settings",
      "--settings=x",
      "--",
      "-p",
      "-n",
      "-cnx",
      "--dirs",
      "-r",
      "--prompt",
      "-",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.string())), (args) => {
        expect(readCommandLine(args, shapes).flatMap((part) => part.args)).toEqual(args);
      }),
    );
  });

  it("are, without an option, all other arguments in their order", () => {
    const name = fc.constantFrom("--settings", "--settings=x", "--", "-n", "--dirs", "a");
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.string())), (args) => {
        const others = use(...args)?.others ?? [];
        let at = 0;
        for (const arg of args) if (arg === others[at]) at++;
        expect(at).toBe(others.length);
      }),
    );
  });
});
