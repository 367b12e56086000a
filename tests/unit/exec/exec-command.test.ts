/** The executable of a headless driver is the first of its names that is installed, or the file that was typed. */
import { makeTestFolder } from "../../support/temporary-folder.js";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { getPackagePlace } from "../../../src/plugins/adapters/adapters.js";
import { findExecTool } from "../../../src/exec/exec-command.js";

let folder = "";
beforeEach(() => (folder = makeTestFolder("driven-tool")));

function install(...names: readonly string[]): void {
  for (const name of names) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
}

async function executable(typed: string): Promise<string> {
  const search = { place: getPackagePlace(), environment: { PATH: folder }, cwd: folder };
  return (await findExecTool(typed, search)).executable;
}

describe("the executable of a driver (driver spec: driver_cli_binary)", () => {
  it("that is installed under several names is the first that is there: cursor's", async () => {
    expect(await executable("cursor-agent")).toBe("cursor-agent");
    install("agent");
    expect(await executable("cursor-agent")).toBe("agent");
    install("cursor-agent");
    expect(await executable("cursor-agent")).toBe("cursor-agent");
  });

  it("is otherwise its one name, installed or not, or the file that was typed", async () => {
    for (const name of ["claude", "codex", "opencode", "copilot"]) expect(await executable(name)).toBe(name);
    const typed = join(folder, "claude");
    expect(await executable(typed)).toBe(typed);
  });

  it("of a tool without a driver is an error that names the known drivers", async () => {
    await expect(executable("bash")).rejects.toMatchObject({
      code: "ATB_USAGE",
      hint: expect.stringMatching(/claude, codex, copilot, cursor-agent, gemini, opencode, qwen/) as string,
    });
  });
});
