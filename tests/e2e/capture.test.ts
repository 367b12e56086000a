/** A live session is saved as a draft scenario on demand, or at every prompt where that is configured. Secrets are never saved. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDraft } from "../../prompt-lab/scenario/find-scenarios.js";
import type { Drafted } from "../../prompt-lab/record/draft.js";
import { eventually, HubHome } from "../support/hub-home.js";

/** A tool at work: it asks a line that is no question to any rule, or one that is. */
async function withSession(
  script: string,
  env: Readonly<Record<string, string>>,
  work: (home: HubHome) => Promise<void>,
): Promise<void> {
  const home = new HubHome();
  Object.assign(home.env, env);
  try {
    const run = home.start("run", "--label", "mine", "sh", "-c", script);
    await work(home);
    run.kill("SIGTERM");
  } finally {
    await home.close();
  }
}

describe("a live session", () => {
  it("is kept as a draft on demand, and the draft can be looked at and labelled", async () => {
    await withSession('printf "Tell me: "; read answer', {}, async (home) => {
      await eventually(async () => (await home.run("sessions")).stdout.includes("mine"));
      await eventually(async () => (await home.run("prompts")).stdout.includes("Tell me"));
      const unknown = await home.run("lab", "capture", "mime");
      expect(unknown.stderr).toContain('Did you mean "mine"?');
      const { scenarioFile, told } = await home.data<Drafted>("lab", "capture", "mine");
      expect(told).toBeNull();
      expect(scenarioFile).toContain(join(home.folder, "captured_scenarios", "generic-"));
      expect(readDraft(scenarioFile)).toMatchObject({ tool: "generic", expected: null });
      const { code, stdout } = await home.run("lab", "view", scenarioFile);
      expect(code).toBe(0);
      expect(stdout).toContain("Tell me:");
    });
  });

  it("is kept at every prompt where that is configured, and a secret is never kept", async () => {
    const script = 'printf "Go on? [y/N] "; read a; stty -echo; printf "Password: "; read b';
    await withSession(script, { ATLASBRIDGE_CAPTURE_PROMPTS: "1" }, async (home) => {
      const folder = join(home.folder, "captured_scenarios");
      const files = () => readdirSync(folder).filter((name) => name.endsWith(".json"));
      const open = async () => (await home.run("prompts")).stdout;
      await eventually(async () => (await open()).includes("Go on?"));
      await eventually(() => files().length === 1);
      const [prompt] = await home.data<{ shortId: string }[]>("prompts");
      await home.run("answer", prompt?.shortId ?? "", "n");
      await eventually(async () => (await open()).includes("Password"));
      expect(files()).toHaveLength(1);
      const draft = JSON.parse(readFileSync(join(folder, files()[0] ?? ""), "utf8")) as object;
      expect(draft).toMatchObject({ tool: "generic", tty: { canonical: true } });
      expect(draft).not.toHaveProperty("expected_type");
    });
  });
});
