/** `atlasbridge demo`: everything with a scripted agent, in its own temporary home. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import type { ListedPrompt } from "../wire/listings.js";
import { stopHub } from "../client/manage-hub.js";
import { withHub } from "../client/client.js";
import { findBuiltProgram } from "../observe/package-root.js";
import { DEMO_STEPS, type DemoStep } from "./script.js";
import { formatTimeline } from "./timeline.js";

export const DEMO_ADAPTER = "demo-agent";
/** Each check asks the hub; people take seconds to answer. */
const POLL_EVERY_MS = 20;

/** The location of one demo. */
export interface DemoHome {
  readonly folder: string;
  /** The agent's record of its answers. */
  readonly log: string;
  readonly command: readonly [string, ...string[]];
}

/** Runs `work` in a fresh ATLASBRIDGE_HOME, then stops its hub and removes it. */
export async function withDemoHome<T>(work: (home: DemoHome) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "atlasbridge-demo-"));
  process.env["ATLASBRIDGE_HOME"] = folder;
  const log = join(folder, "agent.log");
  try {
    return await work({ folder, log, command: [process.execPath, findBuiltProgram("demo-agent.js"), log] });
  } finally {
    await stopHub();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface DemoResult {
  readonly step: DemoStep;
  /** What the agent recorded; null if it got no answer. */
  readonly effect: string | null;
  readonly timeline: string;
}

/** The result of every step, from the agent's log and the hub's audit. */
export async function collectDemoResults({ log }: DemoHome): Promise<DemoResult[]> {
  const effects = readEffects(log);
  return withHub(resolvePaths(), async (hub) => {
    const prompts = await hub.call("prompts.list", { all: true });
    return Promise.all(
      DEMO_STEPS.map(async (step) => {
        const prompt = prompts.find((item) => isAbout(item, step));
        const steps = prompt ? (await hub.call("prompt.history", { promptId: prompt.promptId })).steps : [];
        return { step, effect: effects.get(step.step) ?? null, timeline: formatTimeline(steps) };
      }),
    );
  });
}

export function isAbout(prompt: Pick<ListedPrompt, "excerpt">, step: DemoStep): boolean {
  return prompt.excerpt.includes(step.question);
}

function readEffects(log: string): Map<string, string> {
  const lines = readFileSync(log, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as { step: string; answer: string });
  return new Map(entries.map(({ step, answer }) => [step, answer]));
}

/** Repeats `look` until it finds something; null after `withinMs`. */
export async function waitUntil<T>(look: () => Promise<T | null>, withinMs: number): Promise<T | null> {
  for (const end = Date.now() + withinMs; Date.now() < end;) {
    const found = await look();
    if (found !== null) return found;
    await pause(POLL_EVERY_MS);
  }
  return null;
}
