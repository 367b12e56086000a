/**
 * The environment of a tool holds none of the variables from which the configuration takes its secrets, under `run`, `exec` and
 * `lab record`, unless the configuration keeps one by name.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HubHome } from "../support/hub-home.js";

const SECRET = "7000001:AAH-secret_0123456789abcdefghijklm";
const CONFIG = "channels:\n  telegram:\n    token: ${TELEGRAM_BOT_TOKEN}\n";
const KEEPS = `${CONFIG}environment: { keep_in_tools: [TELEGRAM_BOT_TOKEN] }\n`;

/** Runs the command with a tool `claude` that writes down its environment, and returns that. */
async function readEnvironment(words: readonly string[], config = CONFIG): Promise<string> {
  const home = new HubHome({ env: { TELEGRAM_BOT_TOKEN: SECRET, ORDINARY: "yes" } });
  try {
    writeFileSync(home.paths.config, config, { mode: 0o600 });
    const bin = join(home.folder, "bin");
    const noted = join(home.folder, "noted");
    mkdirSync(bin);
    for (const name of ["claude", "an-agent"])
      writeFileSync(join(bin, name), `#!/bin/sh\nenv >> '${noted}'\nexit 9\n`, { mode: 0o755 });
    home.env["PATH"] = `${bin}:${process.env["PATH"]}`;
    await home.run(...words.map((word) => word.replace("HOME", home.folder)));
    return existsSync(noted) ? readFileSync(noted, "utf8") : "it was not started";
  } finally {
    await home.close();
  }
}

describe("the environment of a tool", () => {
  it.each([
    ["run", ["run", "--no-relay", "claude"]],
    ["run --runtime acp", ["run", "--runtime", "acp", "--no-relay", "an-agent"]],
    ["exec", ["exec", "claude", "--no-relay", "--prompt", "x"]],
    ["exec --batch", ["exec", "claude", "--no-relay", "--batch", "--prompt", "x"]],
    ["lab record", ["lab", "record", "--out", "HOME/made.result", "claude"]],
  ])("of `%s` holds no secret of the configuration", async (_, words) => {
    const environment = await readEnvironment(words);
    expect(environment).toContain("ORDINARY=yes");
    expect(environment).not.toContain(SECRET);
  });

  it("holds a secret that the configuration keeps by name", async () => {
    expect(await readEnvironment(["run", "--no-relay", "claude"], KEEPS)).toContain(SECRET);
  });
});
