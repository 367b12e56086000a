/** The demo agent in a real session: how it is started, how its prompts are found, and how a secret is typed. */
import { spawn, type ChildProcess } from "node:child_process";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { ListedPrompt } from "../wire/listings.js";
import { answerPrompt, listPrompts } from "../client/ask-hub.js";
import { withHub } from "../client/client.js";
import { buildOwnCommand } from "../client/connect/start-hub.js";
import { DEMO_ADAPTER, isAbout, waitUntil, type DemoHome } from "./demo.js";
import type { DemoStep } from "./script.js";

/** Enough for a loaded machine to start three processes many times over. */
const STEP_WITHIN_MS = 30_000;

/** Pipes instead of a terminal: what is written to its input is what a person would type. */
export function startRun({ command }: DemoHome, output: "pipe" | "ignore"): ChildProcess {
  const [file = "", ...args] = buildOwnCommand(["run", "--quiet", "--adapter", DEMO_ADAPTER, ...command]);
  return spawn(file, args, { stdio: ["pipe", output, "inherit"] });
}

/** Null if the prompt does not appear, or the agent exits before it. */
export async function awaitPrompt(step: DemoStep, run: ChildProcess): Promise<ListedPrompt | null> {
  const asked = async (): Promise<ListedPrompt | "ended" | null> => {
    if (run.exitCode !== null) return "ended";
    return (await listIfServed()).find((item) => isAbout(item, step)) ?? null;
  };
  const prompt = await waitUntil(asked, STEP_WITHIN_MS);
  return prompt === "ended" ? null : prompt;
}

/** The run starts the hub: until then there is no prompt. */
async function listIfServed(): Promise<readonly ListedPrompt[]> {
  try {
    return await listPrompts(false);
  } catch (error) {
    if (error instanceof AtlasBridgeError && error.code === "ATB_HUB_UNREACHABLE") return [];
    throw error;
  }
}

/** The hub must refuse the secret; the terminal must accept it, and the card must be updated. Returns what was wrong, or null. */
export async function answerAtTerminal(
  { shortId, promptId }: Pick<ListedPrompt, "shortId" | "promptId">,
  step: DemoStep,
  run: ChildProcess,
): Promise<string | null> {
  const tried = await answerPrompt({ shortId, value: step.typed }, true);
  if (tried.kind !== "refused" || tried.code !== "secret") return "the hub did not refuse a secret";
  run.stdin?.write(`${step.typed}\r`);
  const settled = async (): Promise<true | null> =>
    (await listPrompts(false)).some((item) => item.promptId === promptId) ? null : true;
  if ((await waitUntil(settled, STEP_WITHIN_MS)) === null) return "the card was not updated";
  const { state } = await withHub(resolvePaths(), (hub) => hub.call("prompt.wait", { promptId }));
  return state === "withdrawn" ? null : `the card ended as ${state}`;
}
