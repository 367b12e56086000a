/** One situation with a real agent, recorded: started before a fake model in a workspace of its own, with a tap before it. */
import { FakeModel } from "../fake-model/server.js";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadAdapter, getPackagePlace } from "../../../src/plugins/adapters/adapters.js";
import { buildProtocolCommand } from "../../../src/exec/exec-command.js";
import { openTool } from "../acp-agent.js";
import { headlessAdapter } from "../headless-agent.js";
import type { ToolCommand } from "../real-cli/claude.js";
import { makeWorkspace } from "../real-cli/workspace.js";
import { readSession } from "../spoken-session.js";
import { conduct, type Conducted } from "./conduct.js";
import { recordExchange, type LineExchange } from "./line-exchange.js";
import type { Peer, Situation } from "./peers.js";
import { passedIn, tapped, type Passed } from "./tap.js";

const SILENCE_MS = 110_000;
const TASK = "please [[play]]";

export async function recorded(peer: Peer, situation: Situation): Promise<LineExchange> {
  const { tool, runtime, name } = peer;
  const installed = await tool.install();
  if (!installed.ok) throw new Error(installed.reason);
  const { modules } = installed;
  const workspace = makeWorkspace();
  const { cwd, home } = workspace;
  const { about, answers, set } = situation;
  const turn = { task: TASK, answers, ...(set !== undefined && { set }) };
  const model = await FakeModel.start({ scenarios: { play: situation.model }, cwd });
  const log = join(home, "passed");
  try {
    const command = tool.prepare({ modules, modelUrl: model.url, workspace }, { args: peer.args });
    const session = await (runtime === "acp" ? spoken : driven)(tool.name, command, log);
    const outcome = await conduct(session, turn).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}\n${describeLast(passedIn(log))}`);
    });
    const before = passedIn(log).length;
    await session.dispose();
    const head = {
      peer: name,
      version: tool.version,
      runtime,
      adapter: tool.name,
      about,
      ...turn,
      ...outcome,
    };
    return recordExchange(head, farewell(passedIn(log), before), {
      [cwd]: "/srv/proj",
      [slug(cwd)]: "-srv-proj",
      [home]: "/home/dev",
      [slug(home)]: "-home-dev",
      [dirname(cwd)]: "/srv",
      [modules]: "/opt/agent",
      [realpathSync(modules)]: "/opt/agent",
      [process.execPath]: "/usr/bin/node",
    });
  } finally {
    await model.close();
    await workspace.dispose();
  }
}

/** Over the Agent Client Protocol. `log`: as for `driven`. */
export async function spoken(adapter: string, command: ToolCommand, log?: string): Promise<Conducted> {
  const { acp, code } = await loadAdapter(adapter, getPackagePlace());
  return openTool(
    log === undefined ? command : tapped(command, log),
    acp ? { asking: acp.asking, requests: code?.agentRequests ?? {} } : {},
  );
}

/** Without its interface. `log`: where to keep what passes between it and us, line by line. */
export async function driven(name: string, command: ToolCommand, log?: string): Promise<Conducted> {
  const adapter = await loadAdapter(name, getPackagePlace());
  const { headless: driver } = adapter;
  if (!driver) throw new Error(`${name} has no driver`);
  const [file = "", ...args] = buildProtocolCommand(
    { adapter, driver, executable: command.file },
    { session: null, allowTools: [] },
  );
  const made = headlessAdapter(adapter, command.cwd, { environment: command.env, silenceMs: SILENCE_MS });
  const start = log === undefined ? { file, args } : tapped({ ...command, file, args }, log);
  await made.adapter.startSession([start.file, ...start.args]);
  return { ...made, ...readSession(made) };
}

/** Of what came after it was let go only what we said, and what was answered to that. */
function farewell(passed: readonly Passed[], before: number): Passed[] {
  return passed.filter(
    ({ by, line }, at) => at < before || by === "us" || !("method" in (JSON.parse(line) as object)),
  );
}

/** As some agents name folders of theirs. */
function slug(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, "-");
}

function describeLast(passed: readonly Passed[]): string {
  return passed
    .slice(-12)
    .map(({ by, line }) => `${by}: ${line.slice(0, 400)}`)
    .join("\n");
}
