/**
 * The check of an adapter demands a scenario for each rule and one in which nothing is asked, and finds private data in the file
 * and in its recordings.
 */
import { describe, expect, it } from "vitest";
import { checkAdapter } from "../../../prompt-lab/check/check-adapter.js";
import { createAdapterFiles } from "../../../prompt-lab/check/new-file.js";
import { parseScenario, type Scenario } from "../../../prompt-lab/scenario/scenario.js";
import { compileAdapter } from "../../../src/worker/adapter-format/compiled/compile-rules.js";

const { adapter: TEXT, scenarios: FIRST } = createAdapterFiles("tiny", "tiny");

function scenario(text: string): Scenario {
  return parseScenario(text, "x.json", () => "");
}

const [asks, works] = FIRST.map(({ text }) => scenario(text));
if (!asks || !works) throw new Error("a new adapter has two scenarios");

async function check(scenarios: readonly Scenario[], text = TEXT) {
  return checkAdapter(compileAdapter(text, "tiny.yaml"), text, scenarios);
}

describe("the check of an adapter", () => {
  it("passes for a new one", async () => {
    expect(await check([asks, works])).toEqual({
      name: "tiny",
      scenarios: 2,
      silent: 1,
      rules: [{ rule: "permission", scenarios: 1 }],
      problems: [],
      notes: [],
    });
  });

  it("names a missing scenario for each rule, and a missing one without a prompt", async () => {
    const more = TEXT.replace(
      "rules:\n",
      "rules:\n  - { name: sure, shape: yes_no, class: question, confidence: HIGH }\n",
    );
    expect((await check([asks], more)).problems).toEqual([
      "the rule sure fires in no scenario",
      "no scenario shows that it stays silent when nothing is asked",
    ]);
    expect((await check([])).problems).toEqual(["no scenario shows what it does"]);
  });

  it("does not count a rule that fires in a scenario that fails", async () => {
    const wrong = { ...asks, expected: { ...asks.expected, count: 7 } };
    expect((await check([wrong, works])).problems).toEqual([
      "the rule permission fires in no scenario",
      "1 of 2 scenarios fail: tiny_asks",
    ]);
  });

  it("counts a rule for a menu that the user opens, which is seen and never raised", async () => {
    const menu = TEXT.replace("class: permission ", "class: user_menu ");
    const seen = scenario(JSON.stringify({ ...JSON.parse(FIRST[0]?.text ?? ""), ...QUIET }));
    expect((await check([seen], menu)).problems).toEqual([]);
  });

  it("demands as much of an adapter that is marked as not tested, and says so", async () => {
    const untested = TEXT.replace("family: agent", "family: agent\ntested: false");
    const { problems, notes } = await check([works], untested);
    expect(problems).toEqual(["the rule permission fires in no scenario"]);
    expect(notes).toEqual(["not tested: made without recordings of the tool"]);
  });

  it("notes a rule whose prompt has choices while no scenario says which keys answer it", async () => {
    const { notes } = await check([{ ...asks, replies: [] }, works]);
    expect(notes).toEqual(['no scenario says with "replies" which keys answer the rule permission']);
  });

  it("finds what is private, in the file and in recordings", async () => {
    const private_ = [works.scenarioId, "cd /home/alexandra/src"] as const;
    const told = {
      ...works,
      events: [{ t_ms: 0, data_b64: Buffer.from(private_[1]).toString("base64") }, ...works.events],
    };
    const { problems } = await check([asks, told], `${TEXT}# jo@acme.org\n`);
    expect(problems).toEqual([
      "the file holds a home folder, a mail address or a token",
      "the recording of tiny_works shows a home folder, a mail address or a token",
    ]);
  });

  it("takes a path that the tool has shortened for nobody's home", async () => {
    const shortened = Buffer.from("/home/.../proj [main]").toString("base64");
    const shown = { ...works, events: [{ t_ms: 0, data_b64: shortened }, ...works.events] };
    expect((await check([asks, shown])).problems).toEqual([]);
  });
});

const QUIET = {
  expected_type: null,
  expected_count: 0,
  expected_choices: undefined,
  expected_state: undefined,
  replies: undefined,
};
