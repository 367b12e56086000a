/**
 * `lab view` explains a picture of a recording, `lab update` writes labels after a confirmation, and `lab import` makes drafts of
 * asciicasts and JSON lines.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { importScenario } from "../../../prompt-lab/record/import.js";
import { updateLabels } from "../../../prompt-lab/replay/update.js";
import { formatInspection, buildViewData, viewScenario } from "../../../prompt-lab/replay/view.js";

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
    list: { glyphs: ["❯"] }
  - name: go
    shape: list
    class: question
    confidence: HIGH
    question: '^Go\\?$'
    list: { glyphs: ["❯"] }
`;
const DIALOG = "rm -rf build\r\n\r\nProceed?\r\n❯ 1. Yes\r\n  2. No\r\n\u001b[2A\u001b[1G";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lab-commands-"));
  vi.stubEnv("ATLASBRIDGE_HOME", folder);
  mkdirSync(join(folder, "adapters"));
  writeFileSync(join(folder, "adapters", "tiny.yaml"), ADAPTER);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function draft(name: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ tool: "tiny", scenario_id: name, pty_output: DIALOG, ...fields }));
  return file;
}

describe("lab view", () => {
  const view = (scenario: string, more: { atMs?: number; rule?: string } = {}) =>
    viewScenario({ scenario, atMs: more.atMs ?? null, rule: more.rule ?? null });

  it("shows the picture, what happened, the rule that fits and why the others do not", async () => {
    const text = formatInspection(await view(draft("asks"))).join("\n");
    expect(text).toContain("│ 3 Proceed?");
    expect(text).toMatch(/\d ms {2}raised: multiple_choice, permission, 0\.85 \(rule proceed\) "Proceed\?"/);
    expect(text).toContain("✓ proceed: multiple_choice");
    expect(text).toContain("❯ 1. Yes");
    expect(text).toContain("│ rm -rf build");
    expect(text).toContain("✗ go: question: no paragraph matches the question ^Go\\?$");
    expect(text).not.toContain("Expected");
  });

  it("says what differs from the labels, where there are any", async () => {
    const inspection = await view(draft("asks", { expected_type: null }));
    expect(inspection.failures).toEqual([
      'expected_type: nothing may be pending, found multiple_choice "Proceed?"',
    ]);
    expect(formatInspection(inspection).join("\n")).toContain("✗ expected_type");
  });

  it("looks at an instant in the middle", async () => {
    const recording = [
      { t_ms: 0, data_b64: Buffer.from("working").toString("base64") },
      { t_ms: 500, data_b64: Buffer.from(`\u001b[2J\u001b[H${DIALOG}`).toString("base64") },
    ];
    const file = draft("later", { pty_output: undefined, recording, expected_type: "multiple_choice" });
    const early = await view(file, { atMs: 400 });
    expect(early.shown.endedAt).toBe(400);
    expect(early.shown.view.lines[0]?.text).toBe("working");
    expect(early.failures).toBeNull();
    expect((await view(file, { atMs: 900 })).shown.raised).toHaveLength(1);
  });

  it("narrows to one rule and names the nearest one", async () => {
    const inspection = await view(draft("asks"), { rule: "go" });
    expect(inspection.rules.map((report) => report.rule)).toEqual(["go"]);
    await expect(view(draft("asks"), { rule: "procede" })).rejects.toMatchObject({
      code: "ATB_USAGE",
      hint: 'Did you mean "proceed"?',
    });
  });

  it("finds a scenario of the user by its id, and names the nearest one", async () => {
    mkdirSync(join(folder, "scenarios", "tiny"), { recursive: true });
    draft("scenarios/tiny/mine", { scenario_id: "tiny_mine" });
    writeFileSync(join(folder, "scenarios", "broken.json"), "{");
    expect((await view("tiny_mine")).draft.scenarioId).toBe("tiny_mine");
    await expect(view("tiny_mime")).rejects.toMatchObject({ hint: 'Did you mean "tiny_mine"?' });
  });

  it("prints one JSON value on demand", async () => {
    const data = JSON.parse(JSON.stringify(buildViewData(await view(draft("asks"))))) as object;
    expect(data).toMatchObject({
      scenario_id: "asks",
      state: "waiting",
      raised: [{ rule: "proceed", type: "multiple_choice", withdrawn_at_ms: null }],
      rules: [
        { rule: "proceed", fits: true, missed: null },
        { rule: "go", fits: false, missed: { condition: "question", row: null } },
      ],
      failures: null,
    });
  });
});

describe("lab update", () => {
  async function update(answer: boolean, paths: readonly string[] = [folder]) {
    const shown: string[] = [];
    const asked: string[] = [];
    const dialog = {
      show: (lines: readonly string[]) => void shown.push(...lines),
      confirm: (question: string) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    };
    const done = await updateLabels({ paths, filter: { tool: "tiny" } }, dialog);
    return { ...done, shown: shown.join("\n"), asked };
  }

  it("writes labels only after the picture and the change were shown and agreed to", async () => {
    const file = draft("asks");
    const before = readFileSync(file, "utf8");
    const refused = await update(false, [file]);
    expect(refused).toMatchObject({ total: 1, changed: [], left: [file] });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(refused.shown).toContain("│ 3 Proceed?");
    expect(refused.shown).toContain('+ expected_type: "multiple_choice"');
    expect(await update(true, [file])).toMatchObject({ changed: [file], left: [] });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ expected_choices: ["Yes", "No"] });
  });

  it("says and asks nothing where all labels fit", async () => {
    const file = draft("asks", { expected_type: "multiple_choice", expected_count: 1 });
    expect(await update(true, [file])).toEqual({ total: 1, changed: [], left: [], shown: "", asked: [] });
  });

  it("never takes the keys of a reply over from what is planned", async () => {
    const replies = [{ value: "2", expected_keys: ["2", "\r"] }];
    const file = draft("asks", { expected_type: "multiple_choice", replies });
    const { left, shown, asked } = await update(true, [file]);
    expect({ left, asked }).toEqual({ left: [file], asked: [] });
    expect(shown).toContain("(only by hand)");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ replies });
  });

  it("says when there is nothing to label", async () => {
    const none = join(folder, "adapters");
    await expect(update(true, [none])).rejects.toMatchObject({ code: "ATB_USAGE" });
  });
});

describe("lab import", () => {
  const cast = '{"version": 2, "width": 45, "height": 20, "command": "tiny --fast"}\n[1, "o", "hi"]\n';

  it("writes a draft beside its recording, for the adapter that knows the command", async () => {
    const file = join(folder, "demo.cast");
    writeFileSync(file, cast);
    const out = join(folder, "demo.json");
    const files = await importScenario({ file, tool: null, out });
    expect(files).toEqual({ scenarioFile: out, recordingFile: join(folder, "demo.jsonl"), told: null });
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({
      tool: "tiny",
      scenario_id: "tiny_demo",
      cols: 45,
      rows: 20,
      recording_file: "demo.jsonl",
    });
    expect(readFileSync(files.recordingFile, "utf8")).toBe('{"t_ms":1000,"data_b64":"aGk="}\n');
  });

  it("writes nothing when the file is missing, broken, or the target is there", async () => {
    const out = join(folder, "new.json");
    const missing = { file: join(folder, "none"), tool: null, out };
    await expect(importScenario(missing)).rejects.toThrow("does not exist");
    const broken = join(folder, "broken.cast");
    writeFileSync(broken, '{"version": 7}\n');
    await expect(importScenario({ ...missing, file: broken })).rejects.toThrow("version 2 or 3");
    expect(existsSync(out)).toBe(false);
    await expect(importScenario({ ...missing, file: folder })).rejects.toThrow("is a folder or a device");
    const other = { ...missing, file: broken, tool: "tinny" };
    await expect(importScenario(other)).rejects.toMatchObject({ code: "ATB_ADAPTER_UNKNOWN" });
    const good = join(folder, "good.cast");
    writeFileSync(good, cast);
    writeFileSync(out, "mine");
    await expect(importScenario({ ...missing, file: good })).rejects.toThrow("already exists");
    expect(readFileSync(out, "utf8")).toBe("mine");
  });

  it("tells text in another encoding from text that is no JSON, and where it stands", async () => {
    const file = join(folder, "latin.cast");
    writeFileSync(
      file,
      Buffer.from('{"version": 2, "width": 45, "height": 20}\n[1, "o", "\u00e9"]\n', "latin1"),
    );
    const imported = importScenario({ file, tool: null, out: join(folder, "new.json") });
    await expect(imported).rejects.toThrow("is not text in UTF-8: line 2 holds other bytes");
  });

  it("gives JSON lines another name where they lie already", async () => {
    const file = join(folder, "lines.jsonl");
    writeFileSync(file, '{"t_ms":0,"data_b64":"aGk="}\n');
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { scenarioFile } = await importScenario({ file, tool: "tiny", out: null });
      expect(scenarioFile).toBe("lines-imported.json");
      expect(existsSync(join(folder, "lines-imported.jsonl"))).toBe(true);
    } finally {
      process.chdir(before);
    }
  });
});
