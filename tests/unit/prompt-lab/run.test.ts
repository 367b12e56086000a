/** `lab run` replays scenarios through the adapters of their tools, plans every reply, and writes a report. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LabSet } from "../../../prompt-lab/scenario/situation.js";
import { runLab, type LabRunOptions } from "../../../prompt-lab/replay/run.js";

const QUIET = { scenario_id: "quiet", pty_output: "compiling\r\n", expected_type: null, expected_count: 0 };
const ADAPTER = `
schema: 1
name: tiny
version: 1.0.0
description: Asks one list
family: agent
process: { executable: tiny }
rules:
  - name: proceed
    shape: list
    class: permission
    confidence: HIGH
    question: '^Proceed\\?$'
    list: { glyphs: ["❯"], live: [parked, cursor] }
    choices:
      - { label: '^Yes$', intent: allow_once }
      - { label: '^No$', intent: reject_once }
`;
const DIALOG = "Proceed?\r\n❯ 1. Yes\r\n  2. No\r\n\u001b[2A\u001b[1G";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lab-run-"));
  vi.stubEnv("ATLASBRIDGE_HOME", folder);
  mkdirSync(join(folder, "adapters"));
  writeFileSync(join(folder, "adapters", "tiny.yaml"), ADAPTER);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function scenario(name: string, fields: Readonly<Record<string, unknown>>): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ tool: "tiny", ...QUIET, scenario_id: name, ...fields }));
  return file;
}

function options(paths: readonly string[], more: Partial<LabRunOptions> = {}): LabRunOptions {
  return { paths, filter: {}, reporter: "json", out: null, ...more };
}

interface Report {
  readonly summary: { readonly total: number };
  readonly scenarios: readonly { readonly scenario_id: string; readonly actual: Record<string, unknown> }[];
}

async function runReport(run: LabRunOptions): Promise<Report> {
  return JSON.parse((await runLab(run)).text) as Report;
}

describe("lab run", () => {
  it("replays through the adapter of the scenario's tool, the user's own among them", async () => {
    const file = scenario("asks", {
      pty_output: DIALOG,
      expected_type: "multiple_choice",
      expected_count: 1,
    });
    const { scenarios } = await runReport(options([file]));
    expect(scenarios[0]?.actual).toMatchObject({
      type: "multiple_choice",
      safety_class: "permission",
      excerpt: "Proceed?",
      choices: ["Yes", "No"],
      default: 1,
      state: "waiting",
      count: 1,
    });
  });

  it("plans every reply on the last view", async () => {
    const replies = [
      { value: "2", expected_keys: ["2"] },
      { value: "3", expected_keys: [] },
    ];
    const asks = { pty_output: DIALOG, expected_type: "multiple_choice", expected_count: 1, replies };
    expect((await runLab(options([scenario("asks", asks)]))).summary.failed).toBe(0);
    const wrong = { ...asks, replies: [{ value: "2", expected_keys: ["2", "\r"] }] };
    expect((await runLab(options([scenario("wrong", wrong)]))).summary.failed).toBe(1);
  });

  it("expects no key for a reply when nothing is asked", async () => {
    const file = scenario("quiet", { replies: [{ value: "1", expected_keys: [] }] });
    expect((await runLab(options([file]))).summary.failed).toBe(0);
  });

  it("takes files and folders, and narrows them by tool and by text", async () => {
    const first = scenario("first", { description: "Seen at noon" });
    scenario("second", {});
    const total = async (run: LabRunOptions) => (await runReport(run)).summary.total;
    expect(await total(options([folder]))).toBe(2);
    expect(await total(options([first]))).toBe(1);
    expect(await total(options([folder], { filter: { text: "NOON" } }))).toBe(1);
    expect(await total(options([folder], { filter: { tool: "tiny", text: "second" } }))).toBe(1);
  });

  it("runs the situations of one set; both sets are all", async () => {
    const takes = ["tiny_one_80x24", "tiny_one_moved", "tiny_two", "tiny_three", "tiny_four", "tiny_five"];
    for (const [index, id] of takes.entries()) scenario(`s${index}`, { scenario_id: id });
    scenario("named", { scenario_id: "other", situation: "tiny_one" });
    const listIds = async (set: LabSet) =>
      (await runReport(options([folder], { filter: { set } }))).scenarios.map((one) => one.scenario_id);
    const [develop, measure] = [await listIds("develop"), await listIds("measure")];
    expect([...develop, ...measure].toSorted()).toEqual([...takes, "other"].toSorted());
    const together = [develop, measure].find((ids) => ids.includes("tiny_one_80x24"));
    expect(together).toEqual(expect.arrayContaining(["tiny_one_moved", "other"]));
  });

  it("writes the report to a file and prints only a line", async () => {
    const out = join(folder, "report.xml");
    const { text } = await runLab(options([scenario("one", {})], { reporter: "junit", out }));
    expect(text).toBe(`1 of 1 passed; report in ${out}\n`);
    expect(readFileSync(out, "utf8")).toContain('tests="1"');
  });

  it("fails when there was nothing to run", async () => {
    scenario("one", {});
    const filter = { tool: "other", text: "x" };
    await expect(runLab(options([folder], { filter }))).rejects.toThrow(
      'no scenario with tool "other" and "x"',
    );
    await expect(runLab(options([join(folder, "missing")]))).rejects.toMatchObject({ code: "ATB_USAGE" });
  });

  it("names every broken file before it runs anything", async () => {
    scenario("one", { expected_typ: null });
    scenario("two", { tool: 7 });
    const run = runLab(options([folder]));
    await expect(run).rejects.toMatchObject({ code: "ATB_SCENARIO_INVALID" });
    await expect(run).rejects.toThrow(/one\.json: unknown key[^]*two\.json: "tool": expected string/);
  });

  it("names the recording file that is not there", async () => {
    const file = scenario("one", { pty_output: undefined, recording_file: "gone.jsonl" });
    await expect(runLab(options([file]))).rejects.toThrow(/one\.json: there is no file .*gone\.jsonl/);
  });

  it("names an adapter that does not exist", async () => {
    await expect(runLab(options([scenario("one", { tool: "tinny" })]))).rejects.toMatchObject({
      code: "ATB_ADAPTER_UNKNOWN",
    });
  });
});
