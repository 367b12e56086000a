/** An agent of ours behind the real `headless` runtime, for tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packagePlace, loadAdapter } from "../../src/app/adapters.js";
import { speakerOf } from "../../src/app/exec/speaker.js";
import type { Clock } from "../../src/model/clock.js";
import { asId, type SessionId } from "../../src/model/ids.js";
import type { PromptEvent } from "../../src/model/prompt.js";
import { systemClock } from "../../src/observe/clock.js";
import { systemRandom } from "../../src/observe/random.js";
import { safeText } from "../../src/safety/safe-text.js";
import type { AdapterEvent } from "../../src/sdk/adapter.js";
import type { CompiledAdapter } from "../../src/worker/detect/compiled.js";
import { HeadlessAdapter } from "../../src/worker/runtime/headless/headless-adapter.js";
import type { HeadlessAdapterOptions } from "../../src/worker/runtime/headless/headless-adapter-options.js";

/** Agents of ours, by the adapter whose words they speak. */
export const AGENTS: Readonly<Record<string, string>> = {
  claude: resolve("tests/fixtures/agents/stream-json-agent.mjs"),
  codex: resolve("tests/fixtures/agents/app-server-agent.mjs"),
};

export interface HeadlessAgentOptions extends Partial<
  Pick<HeadlessAdapterOptions, "silenceMs" | "context" | "resume" | "isAttended" | "onReport">
> {
  readonly clock?: Clock;
}

export interface HeadlessAgent {
  readonly adapter: HeadlessAdapter;
  readonly sessionId: SessionId;
  readonly folder: string;
  /** What the agent wrote down, line by line. */
  readonly noted: () => string[];
  /** The next event of that kind; null when there are no more. */
  readonly next: (kind: AdapterEvent["kind"]) => Promise<AdapterEvent | null>;
  /** The next question. */
  readonly raised: () => Promise<PromptEvent>;
  /** All that the session showed by now. */
  readonly shown: () => string;
  readonly dispose: () => Promise<void>;
}

export function headlessAdapter(
  adapter: CompiledAdapter,
  folder: string,
  options: HeadlessAgentOptions & { readonly environment?: NodeJS.ProcessEnv } = {},
): { readonly adapter: HeadlessAdapter; readonly sessionId: SessionId } {
  const { headless: driver } = adapter;
  if (!driver) throw new Error(`${adapter.name} is not run without its interface`);
  const sessionId = asId<SessionId>(systemRandom.uuid());
  const made = new HeadlessAdapter({
    sessionId,
    tool: "scripted",
    cwd: folder,
    environment: process.env,
    clock: systemClock,
    random: systemRandom,
    redact: safeText,
    version: "1.0.0",
    silenceMs: 60_000,
    context: null,
    resume: null,
    colours: false,
    isAttended: true,
    speak: (parts) => speakerOf({ adapter, driver, executable: "" }, parts),
    ...options,
  });
  return { adapter: made, sessionId };
}

/** Our agent that speaks as this tool does, started. */
export async function headlessAgent(
  tool: string,
  options: HeadlessAgentOptions = {},
): Promise<HeadlessAgent> {
  const folder = mkdtempSync(join(tmpdir(), "headless-agent-"));
  const notes = join(folder, "noted");
  const environment = { ...process.env, NOTES: notes, MODE: "tasks" };
  const compiled = await loadAdapter(tool, packagePlace());
  const { adapter, sessionId } = headlessAdapter(compiled, folder, { ...options, environment });
  const args = options.resume ? ["--resume", options.resume] : [];
  await adapter.startSession([process.execPath, AGENTS[tool] ?? "", ...args]);
  const events = adapter.events()[Symbol.asyncIterator]();
  let text = "";
  void (async () => {
    for await (const chunk of adapter.readStream()) text += Buffer.from(chunk).toString();
  })();
  const next: HeadlessAgent["next"] = async (kind) => {
    for (;;) {
      const step: IteratorResult<AdapterEvent, unknown> = await events.next();
      if (step.done) return null;
      if (step.value.kind === kind) return step.value;
    }
  };
  await adapter.ready;
  return {
    adapter,
    sessionId,
    folder,
    noted: () => (existsSync(notes) ? readFileSync(notes, "utf8").split("\n").filter(Boolean) : []),
    next,
    raised: async () => {
      const event = await next("raised");
      if (event?.kind !== "raised") throw new Error("nothing was asked");
      return event.event;
    },
    shown: () => text,
    dispose: async () => {
      if (await adapter.healthcheck()) await adapter.terminateSession(sessionId);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
