/**
 * The command of an agent comes from configuration, environment and options, in this order, and from its adapter file. Without a
 * name it is the first agent that is installed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findAgentCommand } from "../../../src/exec/agent-command.js";

const folder = mkdtempSync(join(tmpdir(), "agent-command-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A machine on which these programs are installed. */
function machine(...programs: readonly string[]) {
  mkdirSync(folder, { recursive: true });
  for (const name of programs) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  return { place: { adaptersDir: join(folder, "adapters") }, environment: { PATH: folder }, cwd: "/" };
}

describe("the command of an agent", () => {
  it("is what its adapter file says, with the typed file and arguments", async () => {
    const search = machine();
    expect(await findAgentCommand(["opencode", "--cwd", "/x"], search)).toMatchObject({
      tool: "opencode",
      command: ["opencode", "acp", "--cwd", "/x"],
    });
    expect((await findAgentCommand(["./bin/qwen"], search)).command).toEqual(["./bin/qwen", "--acp"]);
  });

  it("is another program where that speaks for the tool", async () => {
    expect(await findAgentCommand(["claude"], machine())).toMatchObject({
      tool: "claude",
      command: ["claude-agent-acp"],
    });
  });

  it("comes with the command that installs it, unless a file was typed", async () => {
    const install = async (...typed: string[]) => (await findAgentCommand(typed, machine())).install;
    expect(await install("claude")).toBe("npm install -g @agentclientprotocol/claude-agent-acp");
    expect(await install("gemini")).toBe("npm install -g @google/gemini-cli");
    expect(await install("./bin/qwen")).toBeNull();
    expect(await install("/opt/my-agent", "--stdio")).toBeNull();
  });

  it("is exactly what was typed for an agent without an adapter", async () => {
    expect(await findAgentCommand(["/opt/my-agent", "--stdio"], machine())).toMatchObject({
      tool: "my-agent",
      command: ["/opt/my-agent", "--stdio"],
    });
  });

  it("is the first that is installed where none is named", async () => {
    expect((await findAgentCommand([], machine("opencode", "qwen"))).command).toEqual(["opencode", "acp"]);
  });

  it("is not looked for in a broken adapter file, of whatever tool", async () => {
    const search = machine("opencode");
    mkdirSync(search.place.adaptersDir);
    writeFileSync(join(search.place.adaptersDir, "aider.yaml"), "name: [\n");
    expect((await findAgentCommand([], search)).command).toEqual(["opencode", "acp"]);
  });

  it("is an error for a tool that is known, but not as an agent", async () => {
    const refused = findAgentCommand(["./bin/aider"], machine("aider"));
    await expect(refused).rejects.toMatchObject({ code: "ATB_USAGE" });
    await expect(refused).rejects.toThrow("no adapter says how to start aider as an ACP agent");
    expect((await findAgentCommand(["goose", "acp"], machine())).command).toEqual(["goose", "acp"]);
  });

  it("is an error that says what to install where no agent is installed", async () => {
    await expect(findAgentCommand([], machine())).rejects.toMatchObject({ code: "ATB_TOOL_NOT_FOUND" });
  });
});
