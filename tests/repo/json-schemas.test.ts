/**
 * The JSON Schemas of the package are generated from the code. They accept every valid file, and refuse the listed mistakes,
 * which the code refuses too.
 */
import { Ajv } from "ajv";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createAdapterFiles } from "../../prompt-lab/check/new-file.js";
import { parseDraft } from "../../prompt-lab/scenario/scenario.js";
import { channelSchemas } from "../../src/plugins/channels/channel-schemas.js";
import { parseConfig } from "../../src/config/load.js";
import { parsePolicy } from "../../src/hub/policy/load-policy.js";
import { PRESET_TEXTS } from "../../src/policy/presets.js";
import { compileAdapter } from "../../src/worker/adapter-format/compiled/compile-rules.js";
import { jsonSchemas } from "../support/schemas/json-schemas.js";
import { listFiles } from "./files.js";

const schemas = jsonSchemas();
const [adapter, config, scenario, program, policy] = [
  ...["adapter", "config", "scenario", "program", "policy"],
].map((name) =>
  new Ajv({ allowUnionTypes: true }).compile(JSON.parse(schemas[`${name}.schema.json`] ?? "") as object),
);

const adapterFiles = readdirSync("adapters")
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => join("adapters", file));
const programFiles = [
  ...readdirSync("adapters/programs").map((file) => join("adapters/programs", file)),
  "tests/fixtures/programs/seed.yaml",
];
const EXAMPLE = "config.example.yaml";
const SCENARIO = { tool: "generic", scenario_id: "x", pty_output: "", expected_type: null };

function readText(file: string): string {
  return readFileSync(file, "utf8");
}

/** What the JSON Schema has against a value. */
function problems(validate: typeof adapter, value: unknown): readonly string[] {
  if (!validate) throw new Error("a schema is missing");
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Whole files, and lists of rules, of the page on rules. */
const policyExamples = [...readText("docs/how-to/let-rules-answer.md").matchAll(/```yaml\n(.*?)```/gs)]
  .map(([, text = ""]) => text)
  .filter((text) => /^(?:version|rules|roles|- id):? /m.test(text) || text.startsWith("- id"))
  .map((text) => (text.startsWith("- id") ? `rules:\n${text}` : text))
  .map((text) => (/^version:/m.test(text) ? text : `version: 1\n${text}`));

describe("the JSON Schemas", () => {
  it("accept each preset of a policy and each example of the page on rules, as the code does", () => {
    expect(policyExamples.length).toBeGreaterThanOrEqual(3);
    for (const text of [...Object.values(PRESET_TEXTS), ...policyExamples]) {
      expect(problems(policy, parse(text)), text).toEqual([]);
      expect(parsePolicy(text, "policy.yaml", null).rules.length, text).toBeGreaterThanOrEqual(0);
    }
  });

  it("are those that the code says (npm run schemas)", () => {
    expect(readdirSync("schemas").sort()).toEqual(Object.keys(schemas).sort());
    for (const [file, text] of Object.entries(schemas))
      expect(readText(join("schemas", file)), file).toBe(text);
  });

  it("say of their keys what the code and the example say", () => {
    const text = Object.values(schemas).join("");
    expect(text).toContain("The row above the dialog");
    expect(text).toContain("The audit stays");
  });

  it.each(adapterFiles)("take %s", (file) => {
    expect(problems(adapter, parse(readText(file)))).toEqual([]);
  });

  it.each(programFiles)("take %s", (file) => {
    expect(problems(program, parse(readText(file)))).toEqual([]);
  });

  it("take the configuration of the example, and one that says nothing", () => {
    expect(problems(config, parse(readText(EXAMPLE)))).toEqual([]);
    expect(problems(config, {})).toEqual([]);
  });

  it("take what a new adapter begins with", () => {
    const { adapter: text, scenarios } = createAdapterFiles("mytool", "mytool");
    expect(problems(adapter, parse(text))).toEqual([]);
    for (const each of scenarios) expect(problems(scenario, JSON.parse(each.text))).toEqual([]);
  });

  it("take every scenario of the Prompt Lab", () => {
    const files = listFiles("prompt-lab/scenarios").filter((file) => file.endsWith(".json"));
    const refused = files.flatMap((file) => {
      const found = problems(scenario, JSON.parse(readText(file)));
      return found.length === 0 ? [] : [[file, found]];
    });
    expect(files.length).toBeGreaterThan(1000);
    expect(refused).toEqual([]);
  });
});

describe("what a JSON Schema refuses, the code refuses", () => {
  const tool = readText("adapters/demo-agent.yaml");

  it.each([
    ["an unknown key", tool.replace("\nprocess:", "\nproces: {}\nprocess:")],
    ["an unknown key of a rule", tool.replace("\nrules:\n  - ", "\nrules:\n  - shpe: list\n    ")],
    ["a number in place of a word", tool.replace(/^description: .*$/m, "description: 1")],
    ["a word that is none of the known ones", `${tool}\nunread: screens\n`],
    ["rules that are no list", tool.replace(/\nrules:[^]*$/, "\nrules: {}\n")],
    ["a missing key", tool.replace(/^version: .*$/m, "")],
  ])("of an adapter: %s", (_what, text) => {
    expect(text).not.toBe(tool);
    expect(problems(adapter, parse(text))).not.toEqual([]);
    expect(() => compileAdapter(text, "tool.yaml")).toThrow("tool.yaml:");
  });

  it.each([
    ["an unknown key", "version: 1\nrulez: []"],
    ["another version", "version: 2"],
    ["an unknown condition", "version: 1\nrules: [{ id: r, match: { comand: ls }, ask: true }]"],
    ["an unknown answer", "version: 1\nrules: [{ id: r, answer: allow_always }]"],
    ["a number in place of a duration", "version: 1\nrules: [{ id: r, ask: { expires: 30 } }]"],
  ])("of a policy: %s", (_what, text) => {
    expect(problems(policy, parse(text))).not.toEqual([]);
    expect(() => parsePolicy(text, "policy.yaml", null)).toThrow("policy.yaml:");
  });

  it.each([
    ["an unknown key", "promts: {}"],
    ["an unknown key of a section", "prompts: { expires: 30m }"],
    ["a number in place of a duration", "prompts: { expires_after: 30 }"],
    ["a word that is none of the known ones", "notify: [bells]"],
    ["a chat that is none", "channels: { telegram: { token: x, deliver_to: [me] } }"],
    ["a missing key", "people: [{ name: Ara }]"],
  ])("of the configuration: %s", (_what, text) => {
    expect(problems(config, parse(text))).not.toEqual([]);
    expect(() => parseConfig(text, "config.yaml", channelSchemas)).toThrow("config.yaml:");
  });

  it.each([
    ["an unknown key", { expected_kind: null }],
    ["a text in place of a number", { cols: "80" }],
    ["a word that is none of the known ones", { expected_type: "yes" }],
    ["two recordings", { recording: [] }],
    [
      "an event of two kinds",
      { pty_output: undefined, recording: [{ t_ms: 0, data_b64: "", input_b64: "" }] },
    ],
    ["a missing key", { tool: undefined }],
  ])("of a scenario: %s", (_what, change) => {
    const text = JSON.stringify({ ...SCENARIO, ...change });
    expect(problems(scenario, JSON.parse(text))).not.toEqual([]);
    expect(() => parseDraft(text, "scenario.json", () => "")).toThrow("scenario.json:");
  });

  it("and what names its schema is taken by both", () => {
    const named = { $schema: "../../schemas/scenario.schema.json", ...SCENARIO };
    expect(problems(scenario, named)).toEqual([]);
    expect(parseDraft(JSON.stringify(named), "scenario.json", () => "").scenarioId).toBe("x");
  });
});
