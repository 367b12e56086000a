/** An agent of ours behind the real adapter, for tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Clock } from "../../src/model/clock.js";
import { asId, type ReplyId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import type { Reply } from "../../src/model/answer/reply.js";
import { systemRandom } from "../../src/observe/random.js";
import { AcpAdapter, type AcpAdapterOptions } from "../../src/worker/integrations/acp/acp-adapter.js";
import type { ToolCommand } from "./real-cli/claude.js";
import { ordinary, readSession, type Made, type ReadSession } from "./spoken-session.js";

export interface OpenAgent extends ReadSession {
  readonly adapter: AcpAdapter;
  readonly folder: string;
  readonly noted: () => string[];
}

export interface AgentOptions extends Partial<
  Pick<
    AcpAdapterOptions,
    "silenceMs" | "environment" | "permissions" | "services" | "resume" | "asking" | "requests"
  >
> {
  readonly clock?: Clock;
}

export function scriptedAgent(mode = "tasks", options: AgentOptions = {}): OpenAgent {
  return openAgent((log) => [resolve("tests/fixtures/agents/acp-agent.mjs"), mode, log], options);
}

/** What a peer says to each method; a text as it stands. */
export type Script = Readonly<Record<string, readonly (object | string)[]>>;

/** A peer that says exactly these lines (`acp-raw.mjs`). */
export function rawAgent(
  script: Script | ((folder: string) => Script),
  options: AgentOptions = {},
): OpenAgent {
  return openAgent((log, folder) => {
    const lines = Object.entries(typeof script === "function" ? script(folder) : script).map(
      ([method, all]) => [
        method,
        all.map((line: object | string) =>
          typeof line === "string" ? line : JSON.stringify(line).replaceAll('"$ID"', "$ID"),
        ),
      ],
    );
    const file = join(folder, "script.json");
    writeFileSync(file, JSON.stringify(Object.fromEntries(lines)));
    return [resolve("tests/fixtures/agents/acp-raw.mjs"), file, log];
  }, options);
}

/** Any program that speaks the protocol, a real one for instance. */
export function openTool({ file, args, cwd, env }: ToolCommand, options: AgentOptions = {}): OpenAgent {
  return startAgent([file, ...args], cwd, { environment: env, silenceMs: 120_000, ...options });
}

function openAgent(
  command: (log: string, folder: string) => readonly string[],
  options: AgentOptions,
): OpenAgent {
  const folder = mkdtempSync(join(tmpdir(), "acp-agent-"));
  const log = join(folder, "noted");
  writeFileSync(log, "");
  const agent = startAgent([process.execPath, ...command(log, folder)], folder, options);
  return {
    ...agent,
    noted: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    dispose: async () => {
      await agent.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ASKS: AcpAdapterOptions["permissions"] = {
  policy: { mode: "ask", allowlist: [] },
  record: () => Promise.resolve(),
};

export function acpAdapter(folder: string, options: AgentOptions = {}): Made<AcpAdapter> {
  const all = {
    ...ordinary(),
    cwd: folder,
    permissions: ASKS,
    services: { offers: [], offLimits: [] },
    asking: null,
    requests: {},
    ...options,
  };
  return { adapter: new AcpAdapter(all), sessionId: all.sessionId };
}

function startAgent(command: readonly string[], folder: string, options: AgentOptions): OpenAgent {
  const made = acpAdapter(folder, options);
  void made.adapter.startSession(command);
  return { ...readSession(made), adapter: made.adapter, folder, noted: () => [] };
}

export function replyTo(event: PromptEvent, value: string): Reply {
  return {
    replyId: asId<ReplyId>(systemRandom.uuid()),
    promptId: event.promptId,
    sessionId: event.sessionId,
    value,
    nonce: asId("0".repeat(32)),
    channelIdentity: asId("cli:local"),
    timestamp: new Date().toISOString(),
    newlinePolicy: "append",
  };
}

export const granted = (): Promise<void> => Promise.resolve();
