/** An agent of ours behind the real `headless` runtime, for tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach } from "vitest";
import { getPackagePlace, loadAdapter } from "../../src/plugins/adapters/adapters.js";
import { createClient } from "../../src/worker/integrations/exec-clients.js";
import type { Clock } from "../../src/model/clock.js";
import { asId, type SessionId } from "../../src/model/ids.js";
import { systemRandom } from "../../src/observe/random.js";
import type { AcpSetup } from "../../src/worker/integrations/acp/acp-agent.js";
import type { CompiledAdapter } from "../../src/worker/adapter-format/compiled/compiled.js";
import type { ExecClientParts } from "../../src/worker/runtimes/exec/exec-client.js";
import { createExecLogin } from "../../src/worker/integrations/exec-clients.js";
import { ExecAdapter } from "../../src/worker/runtimes/exec/exec-adapter.js";
import type { ExecAdapterOptions } from "../../src/worker/runtimes/exec/exec-adapter.js";
import { requestProblem, type HeldRequest } from "./session-server-schema/kept.js";
import { ordinary, readSession, type Made, type ReadSession } from "./spoken-session.js";

/** Agents of ours, by the adapter whose words they speak. */
export const AGENTS: Readonly<Record<string, string>> = {
  claude: resolve("tests/fixtures/agents/stream-json-agent.mjs"),
  codex: resolve("tests/fixtures/agents/app-server-agent.mjs"),
  opencode: resolve("tests/fixtures/agents/session-server-agent.mjs"),
};

export interface HeadlessAgentOptions extends Partial<
  Pick<ExecAdapterOptions, "silenceMs" | "context" | "resume" | "isAttended" | "onReport">
> {
  readonly clock?: Clock;
  readonly mode?: string;
}

export interface HeadlessAgent extends ReadSession {
  readonly adapter: ExecAdapter;
  readonly sessionId: SessionId;
  readonly folder: string;
  readonly noted: () => string[];
}

/** The settings of an agent whose every request goes to people, and for whom nothing is done. */
const ASKS_PEOPLE: AcpSetup = {
  permissions: { policy: { mode: "ask", allowlist: [] }, record: () => Promise.resolve() },
  services: {
    offers: [],
    offLimits: [],
    environment: {},
    sessionId: asId<SessionId>("headless-agent"),
    random: systemRandom,
  },
};

/** The real runtime before a tool that works in `folder`, not started. */
export function headlessAdapter(
  compiled: CompiledAdapter,
  folder: string,
  options: HeadlessAgentOptions & { readonly environment?: NodeJS.ProcessEnv } = {},
): Made<ExecAdapter> {
  const { headless: driver } = compiled;
  if (!driver) throw new Error(`${compiled.name} is not run without its interface`);
  const usual = ordinary();
  const login = createExecLogin(driver.talk, usual.random);
  const all = {
    ...usual,
    cwd: folder,
    context: null,
    createClient: (parts: ExecClientParts) =>
      createClient({ adapter: compiled, driver }, parts, login, ASKS_PEOPLE),
    ...options,
    environment: { ...(options.environment ?? usual.environment), ...login?.environment },
  };
  return { adapter: new ExecAdapter(all), sessionId: all.sessionId };
}

export async function headlessAgent(
  tool: string,
  options: HeadlessAgentOptions = {},
): Promise<HeadlessAgent> {
  const folder = mkdtempSync(join(tmpdir(), "headless-agent-"));
  const notes = join(folder, "noted");
  const environment = { ...process.env, NOTES: notes, MODE: options.mode ?? "tasks" };
  const made = headlessAdapter(await loadAdapter(tool, getPackagePlace()), folder, {
    ...options,
    environment,
  });
  const args = options.resume ? ["--resume", options.resume] : [];
  await made.adapter.startSession([process.execPath, AGENTS[tool] ?? "", ...args]);
  const session = readSession(made);
  try {
    await made.adapter.ready;
  } catch (error) {
    await session.dispose();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    ...made,
    ...session,
    folder,
    noted: () => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n").filter(Boolean) : []),
    dispose: async () => {
      await session.dispose();
      const problems = requestsIn(`${notes}.requests`).flatMap((request) => requestProblem(request) ?? []);
      rmSync(folder, { recursive: true, force: true });
      if (problems.length > 0) throw new Error(problems.join("\n"));
    },
  };
}

function requestsIn(file: string): HeldRequest[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as HeldRequest);
}

/** For a file of tests: what starts agents that speak as this tool does. After each test they are ended. */
export function headlessAgents(tool: string): (options?: HeadlessAgentOptions) => Promise<HeadlessAgent> {
  const open: HeadlessAgent[] = [];
  afterEach(async () => {
    for (const agent of open.splice(0)) await agent.dispose();
  });
  return async (options = {}) => {
    const agent = await headlessAgent(tool, options);
    open.push(agent);
    return agent;
  };
}

export function lastNoted(agent: HeadlessAgent): unknown {
  return JSON.parse(agent.noted().at(-1) ?? "null");
}
