/**
 * An agent that starts in a mode in which it asks nobody is put into a mode in which it asks. Otherwise its people are told, or
 * it is not started.
 */
import { afterEach, describe, expect, it } from "vitest";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadAdapter, getPackagePlace } from "../../../../../src/plugins/adapters/adapters.js";
import { scriptedAgent, type OpenAgent } from "../../../../support/acp-agent.js";
import { headlessAdapter } from "../../../../support/headless-agent.js";
import { waitFor } from "../../../../support/wait-for.js";

const AGENT = resolve("tests/fixtures/agents/acp-agent.mjs");
const open: Pick<OpenAgent, "dispose">[] = [];

afterEach(async () => {
  for (const agent of open.splice(0)) await agent.dispose();
});

/** It begins in `default`, can be put into `auto`, and refuses `plan`. */
async function begun(...modes: readonly string[]): Promise<OpenAgent> {
  const agent = scriptedAgent("tasks", { asking: { modes, note: "nobody is asked there" } });
  open.push(agent);
  await agent.adapter.ready;
  return agent;
}

describe("an agent whose adapter file says in which modes it asks", () => {
  it("is put into the first of them, with a message", async () => {
    const agent = await begun("auto", "plan");
    expect(agent.adapter.commands.introduction).toContain("Mode: Auto");
    await waitFor(() => expect(agent.shown()).toContain("Mode: Auto (not Default: it does not ask there)"));
  });

  it("is left in a mode in which it asks, and a later choice of another mode is reported", async () => {
    const agent = await begun("plan", "default");
    expect(agent.adapter.commands.introduction).toContain("Mode: Default");
    expect(agent.shown()).not.toContain("nobody is asked there");
    await agent.adapter.commands.take(":set mode auto");
    await waitFor(() => expect(agent.shown()).toContain("Mode: Auto: nobody is asked there"));
  });

  it("is reported when it changes its mode by itself", async () => {
    const agent = await begun("default");
    await agent.adapter.prompt("mode auto");
    await waitFor(() => expect(agent.shown()).toContain("Mode: Auto: nobody is asked there"));
  });

  it("is used although it stays in its mode, and its people are told", async () => {
    const agent = await begun("plan");
    await waitFor(() => expect(agent.shown()).toContain("Mode: Default: nobody is asked there"));
  });
});

describe("the same agent without its interface", () => {
  const started = async (mode: string) => {
    const gemini = await loadAdapter("gemini", getPackagePlace());
    const asking = { modes: [mode], note: "nobody is asked there" };
    const compiled = { ...gemini, acp: { command: [], install: null, offers: [], asking } };
    const { adapter, sessionId } = headlessAdapter(compiled, mkdtempSync(join(tmpdir(), "acp-asking-")));
    open.push({ dispose: () => adapter.terminateSession(sessionId) });
    await adapter.startSession([process.execPath, AGENT, "tasks"]);
    return adapter;
  };

  it("is put into a mode in which it asks", async () => {
    await expect((await started("auto")).ready).resolves.toBeUndefined();
  });

  it("is not started where it would ask nobody", async () => {
    await expect((await started("plan")).ready).rejects.toThrow(/Mode: Default: nobody is asked there/);
  });
});
