/**
 * `exec` gives a tool that asks nobody its prompt, context and session where the tool takes them, and keeps the task off the
 * command line of a tool that reads it from its input.
 */
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { HubHome, type Finished } from "../support/hub-home.js";

const AGENT = resolve("tests/fixtures/agents/one-task-agent.mjs");

async function withAgent(
  env: Readonly<Record<string, string>>,
  work: (exec: (...args: string[]) => Promise<Finished>, started: () => unknown) => Promise<void>,
): Promise<void> {
  const home = new HubHome({ env });
  const file = join(home.folder, "opencode");
  const notes = join(home.folder, "noted");
  Object.assign(home.env, { NOTES: notes });
  symlinkSync(AGENT, file);
  try {
    await work(
      (...args) => home.run("exec", file, "--batch", "--no-relay", ...args),
      () => JSON.parse(readFileSync(notes, "utf8").trimEnd().split("\n").at(-1) ?? "") as unknown,
    );
  } finally {
    await home.close();
  }
}

const last = ({ stdout }: Finished): unknown => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");

describe.concurrent("a tool that does one task and asks nobody", () => {
  it("gets its task on its input and never in its arguments, and its output is shown by its rules", () =>
    withAgent({ NAMED: "ses_1" }, async (exec, started) => {
      const { code, stdout } = await exec("--prompt", "do it", "--context", "ctx", "--session", "ses_1");
      expect(code).toBe(0);
      expect(stdout).toContain("I was told: ctx\n\ndo it");
      const args = ["run", "--agent", "build", "--format", "json", "--session", "ses_1"];
      expect(started()).toEqual({ args, task: "ctx\n\ndo it" });
    }));

  it("gets its session's name from its output", () =>
    withAgent({ NAMED: "ses_9", SESSIONS: '[{"id":"other"}]' }, async (exec) => {
      expect(last(await exec("--prompt", "x", "--json"))).toMatchObject({ type: "end", session: "ses_9" });
    }));

  it("is asked for its list of sessions where it wrote no name, and the only entry is taken", () =>
    withAgent({ SESSIONS: '[{"id":"only"}]' }, async (exec) => {
      expect(last(await exec("--prompt", "x", "--json"))).toMatchObject({ session: "only" });
    }));

  it("has no session to continue where its list holds several", () =>
    withAgent({ SESSIONS: '[{"id":"one"},{"id":"two"}]' }, async (exec) => {
      expect(last(await exec("--prompt", "x", "--json"))).toMatchObject({ session: null });
    }));

  it("is told of the file that ends its task, which it does once", () =>
    withAgent({}, async (exec, started) => {
      const { code, stderr } = await exec("--prompt", "do it", "--until-file", "no/such-file");
      expect(started()).toMatchObject({
        task: "do it\n\nWhen all of this is done, create the file no/such-file, and not before.",
      });
      expect(code).toBe(1);
      expect(stderr).toContain("the --until-file file does not exist after 1 turn\n");
    }));

  it("passes its failure on, and cannot be used for a loop", () =>
    withAgent({}, async (exec) => {
      const failed = await exec("--prompt", "fail");
      expect(failed.code).toBe(1);
      expect(failed.stderr).toContain("the tool ended with code 3");
      expect((await exec("--prompt", "x", "--max-iterations", "2")).stderr).toContain(
        "--batch runs the task only once",
      );
    }));
});
