/**
 * An adapter file is refused with line, column and the nearest known key when a key, a placeholder, a rule or a key's name in it
 * is invalid. No section or key of it is ignored.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AtlasBridgeError } from "../../../../src/model/errors.js";
import { compileAdapter } from "../../../../src/worker/adapter-format/compiled/compile-rules.js";
import { shippedAdapter } from "../detection/screens.js";

const HEAD = `schema: 1
name: demo
version: 1.0.0
description: a demonstration
family: agent
process: { executable: demo }
`;
const RULE = `rules:
  - name: ask
    shape: yes_no
    class: question
    confidence: HIGH
`;

function problemIn(text: string): string {
  try {
    compileAdapter(text, "demo.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(AtlasBridgeError);
    const { code, message, hint } = error as AtlasBridgeError;
    expect(code).toBe("ATB_ADAPTER_INVALID");
    return `${message} ${hint}`;
  }
  throw new Error("nothing was refused");
}

describe("an adapter file", () => {
  it("needs no more than its required fields", () => {
    const adapter = compileAdapter(HEAD + RULE, "demo.yaml");
    expect(adapter).toMatchObject({
      name: "demo",
      aliases: [],
      process: { executables: ["demo"], env: {} },
      unread: "none",
      asking: null,
    });
    expect(adapter.rules[0]).toMatchObject({ name: "ask", promptType: "yes_no", score: 0.85, stableMs: 100 });
  });

  it("names an unknown key with its place and the nearest known one", () => {
    const problem = problemIn(`${HEAD}${RULE}    confidense: 0.9\n`);
    expect(problem).toContain("demo.yaml:12:5");
    expect(problem).toContain('did you mean "confidence"?');
  });

  it.each([
    ["schema: 2", HEAD.replace("schema: 1", "schema: 2") + RULE, "demo.yaml:1:9"],
    ["a version that is none", HEAD.replace("1.0.0", "one") + RULE, "demo.yaml:3:10"],
    ["a missing name", HEAD.replace("name: demo\n", "") + RULE, '"name" is missing'],
    ["no rules", HEAD, '"rules" is missing'],
    ["an unknown shape", HEAD + RULE.replace("yes_no", "yes_nope"), "yes_nope"],
    ["a confidence that could raise nothing", HEAD + RULE.replace("HIGH", "0.4"), "demo.yaml:11:17"],
    ["a slow pattern", `${HEAD}${RULE}    question: "(a+)+"\n`, "a repetition inside a repetition"],
    [
      "a rule without a class",
      HEAD + RULE.replace("    class: question\n", ""),
      'demo.yaml:8:5: "rules.0": rule "ask": "class" is missing',
    ],
    ["a list rule without a list", HEAD + RULE.replace("yes_no", "list"), 'needs "list"'],
    [
      "a key that its shape would not read",
      `${HEAD}${RULE}    submit: []\n`,
      'demo.yaml:12:13: "rules.0.submit": "submit" means nothing',
    ],
    [
      "two rules of one name",
      HEAD + RULE + RULE.replace("rules:\n", ""),
      'demo.yaml:12:11: "rules.1.name": two rules are named "ask"',
    ],
    ["YAML that is none", "schema: [1", "demo.yaml:"],
    ["an empty file", "", '"schema" is missing'],
    ["a list", "- 1", "demo.yaml:1:1"],
  ])("is refused with %s", (_name, text, found) => {
    expect(problemIn(text)).toContain(found);
  });

  it.each([
    ["takes_text: optional, text_to: composer", "", '"text_to" needs "composer"'],
    ["text_to: composer", "composer: { row: '^> ', below: '^$' }\n", "words that follow a choice"],
    [
      "takes_text: required, text_to: composer",
      "composer: { row: '^> ', below: '^$' }\n",
      "takes_text: optional",
    ],
    [
      "takes_text: optional, text_to: composer, text_keys: [tab]",
      "composer: { row: '^> ', below: '^$' }\n",
      "text_keys",
    ],
  ])("is refused for texts that could not be sent anywhere: %s", (words, composer, why) => {
    const choice = `{ label: "^No", intent: reject_once, ${words} }`;
    const list = `    list: { glyphs: [">"] }\n    choices: [${choice}]\n`;
    expect(problemIn(`${HEAD}${composer}${RULE.replace("yes_no", "list")}${list}`)).toContain(why);
  });

  it.each(["shell", "repl", "debugger"])("of the family %s belongs into a folder of its own", (family) => {
    const problem = problemIn(HEAD.replace("agent", family) + RULE);
    expect(problem).toContain(`demo.yaml:5:1: family "${family}" is that of a program file`);
  });

  it.each(["answers", "tests"])("may not have the section %s while nothing would read it", (section) => {
    expect(problemIn(`${HEAD}${section}: {}\n${RULE}`)).toContain(
      `demo.yaml:7:1: section "${section}" is not yet supported`,
    );
  });

  it("gives its rules the values of its defaults, unless a rule has its own", () => {
    const text = `${HEAD}defaults: { class: trust, confidence: MED, stable_ms: 300 }
rules:
  - { name: one, shape: yes_no }
  - { name: two, shape: press_enter, class: startup, question: "^Press Enter" }
`;
    const { rules } = compileAdapter(text, "demo.yaml");
    expect(rules.map(({ safetyClass, score, stableMs }) => [safetyClass, score, stableMs])).toEqual([
      ["trust", 0.65, 300],
      ["startup", 0.65, 300],
    ]);
  });

  it("names keys by words", () => {
    const text = `${HEAD}rules:
  - name: many
    shape: check_list
    class: question
    confidence: 0.9
    list: { glyphs: [">"] }
    toggle: space
    submit: [{ key: tab, leads_to: many }, { key: enter }]
`;
    expect(compileAdapter(text, "demo.yaml").rules[0]?.checkList).toEqual({
      toggle: " ",
      submit: [{ key: "\t", leadsTo: "many" }, { key: "\r" }],
    });
  });
});

describe("the adapters we ship", () => {
  const names = readdirSync("adapters").flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? []);

  it("are claude and generic at least", () => {
    expect(names).toEqual(expect.arrayContaining(["claude", "generic"]));
  });

  it.each(names)("%s compiles to plain data that a cache can keep", (name) => {
    const adapter = compileAdapter(readFileSync(`adapters/${name}.yaml`, "utf8"), name);
    expect(adapter.name).toBe(name);
    expect(JSON.parse(JSON.stringify(adapter))).toEqual(adapter);
  });

  it("say how claude is started so that it asks", () => {
    expect(shippedAdapter("claude").asking).toMatchObject({
      args: ["--permission-mode", "manual"],
      option: "--permission-mode",
      neverAsksFlags: ["--dangerously-skip-permissions"],
    });
  });

  it("hold no control characters", () => {
    for (const name of names)
      expect(readFileSync(`adapters/${name}.yaml`, "utf8")).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe("the guide", () => {
  const guide = readFileSync("docs/how-to/add-an-adapter.md", "utf8");

  it("begins with an adapter that compiles", () => {
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    expect(compileAdapter(example, "mytool.yaml")).toMatchObject({
      name: "mytool",
      process: { executables: ["mytool"] },
    });
  });
});
