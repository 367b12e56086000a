/**
 * `exec` treats an agent of the Agent Client Protocol as `run --runtime acp` does: by `adapters.acp` and by what its adapter file
 * offers. It reports the agent's cost.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { finished, HubHome, type Finished } from "../support/hub-home.js";
import { writeOwnAdapter } from "../support/own-adapter.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");

interface Place {
  readonly home: HubHome;
  /** What the agent was told, one line each. */
  readonly noted: () => string[];
  readonly exec: (...args: string[]) => Promise<Finished>;
}

async function withAgent(work: (place: Place) => Promise<void>): Promise<void> {
  const home = new HubHome();
  const [file, notes] = [join(home.folder, "gemini"), join(home.folder, "noted")];
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${AGENT}" tasks "${notes}"\n`, { mode: 0o755 });
  const noted = (): string[] => readFileSync(notes, "utf8").trimEnd().split("\n");
  const exec: Place["exec"] = (...args) => {
    const child = home.start("exec", file, ...args, "--no-relay");
    child.stdin?.end();
    return finished(child);
  };
  try {
    await work({ home, noted, exec });
  } finally {
    await home.close();
  }
}

const lastEvent = ({ stdout }: Finished): unknown => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");

describe.concurrent("an agent that is given a task", () => {
  it("is answered, limited and refused as adapters.acp says", () =>
    withAgent(async ({ home, noted, exec }) => {
      const configure = (lines: string): void =>
        writeFileSync(join(home.folder, "config.yaml"), `adapters:\n  acp:\n    ${lines}\n`, { mode: 0o600 });
      configure("permission_mode: auto_approve");
      const approved = await exec("--prompt", "ask x", "--json");
      expect([approved.code, noted().at(-1)]).toEqual([0, expect.stringContaining("opt-once")]);
      expect(approved.stderr).toContain("WARNING: auto_approve");
      expect(approved.stdout).toContain("allowed automatically (auto_approve): run x");
      configure("permission_mode: deny_all");
      const denied = await exec("--prompt", "ask x", "--max-iterations", "9", "--json");
      expect([denied.code, noted().at(-1)]).toEqual([5, expect.stringContaining("opt-no")]);
      expect(lastEvent(denied)).toMatchObject({ why: "stopped", stop: "denials", iterations: 3 });
      configure("timeout: 1s");
      const silent = await exec("--prompt", "wait", "--json");
      expect(lastEvent(silent)).toMatchObject({
        why: "failed",
        problem: "Cancelled by AtlasBridge: silent for 1 s (adapters.acp.timeout)",
      });
      configure("enabled: false");
      const off = await exec("--prompt", "say hi");
      expect([off.code, off.stdout]).toEqual([1, ""]);
      expect(off.stderr).toContain("ACP agents are turned off (adapters.acp.enabled) (ATB_USAGE)");
    }));

  it("has files and commands served where its adapter file offers them", () =>
    withAgent(async ({ home, noted, exec }) => {
      const file = readFileSync("adapters/gemini.yaml", "utf8");
      writeOwnAdapter(home.paths, "gemini", file.replace(/^acp: *$/m, "acp:\n  offers: [read_files]"));
      // The home itself is ours, and closed to the agent.
      const cwd = mkdtempSync(join(tmpdir(), "exec-agent-"));
      writeFileSync(join(cwd, "read-me"), "the text");
      const params = JSON.stringify({ path: join(cwd, "read-me") });
      const task = `call fs/read_text_file ${params}`;
      const { stdout } = await exec("--prompt", task, "--cwd", cwd, "--json");
      expect(stdout).toContain('{"type":"notice","text":"read read-me"}');
      expect(noted()[0]).toContain('"readTextFile":true,"writeTextFile":false');
      expect(noted()[1]).toBe('{"content":"the text"}');
      rmSync(cwd, { recursive: true });
    }));

  it("has its cost reported in US dollars, or not at all", () =>
    withAgent(async ({ exec }) => {
      const dollars = await exec("--prompt", "usage 0.25 USD", "--json");
      expect(dollars.stdout).toContain('{"type":"usage","used":10,"size":100,"cost_usd":0.25}');
      expect(lastEvent(dollars)).toMatchObject({ total_usd: 0.25 });
      const euros = await exec("--prompt", "usage 3 EUR", "--json");
      expect(euros.stdout).toContain('"cost_usd":null');
      expect(lastEvent(euros)).toMatchObject({ total_usd: null });
    }));
});
