/** The first prompt: a small program in a real session asks one question, which is sent, typed and proved like any other. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../config/paths.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { PromptState } from "../../model/lifecycle.js";
import { makeVisible } from "../../safety/display.js";
import type { ListedPrompt } from "../../wire/listings.js";
import { fetchPrompts, withHub } from "../client.js";
import { buildOwnCommand } from "../connect/start-hub.js";
import type { HubClient } from "../connect/meet-hub.js";

/** Also the name of the tool on the card. */
const PROGRAM = "setup";
const LABEL = "test question";
const QUESTION = "Tap Yes on your phone to finish";
const SCRIPT = `#!/bin/sh
printf '${QUESTION} [y/N] '
read -r answer
case $answer in [yY]*) exit 0 ;; *) exit 1 ;; esac
`;
const EXECUTABLE_MODE = 0o700;
const ANSWER_LIMIT_MS = 10 * 60_000;
/** A card arrives within a second. */
const CARD_LIMIT_MS = 8_000;

export interface TestOutcome {
  /** `yes` and `no`: what the program read. */
  readonly answer: "yes" | "no" | "none";
  /** Null if the prompt never reached the hub. */
  readonly state: PromptState | null;
  /** The channel of the answer, `cli` or `auto`; null for none. */
  readonly over: string | null;
  /** The text of its card now; null if there is no card. */
  readonly text: string | null;
  readonly seconds: number;
}

/** `onUnreached` is called once if the card does not arrive. Errors: ATB_TOOL_START_FAILED, ATB_HUB_*. */
export async function askTestPrompt(
  paths: Paths,
  onUnreached: (problem: string) => void,
): Promise<TestOutcome> {
  const begin = Date.now();
  const program = join(paths.dataDir, PROGRAM);
  writeFileSync(program, SCRIPT, { mode: EXECUTABLE_MODE });
  const run = startRun(program);
  const stop = new AbortController();
  const limit = setTimeout(() => run.kill("SIGTERM"), ANSWER_LIMIT_MS);
  try {
    void watchCard(paths, stop.signal, onUnreached);
    const [code] = (await once(run, "exit")) as [number | null];
    const seconds = Math.round((Date.now() - begin) / 1000);
    const end = await findEnd(paths, begin);
    const answer = code === 0 ? "yes" : code === 1 && end !== null ? "no" : "none";
    const { state = null, over = null } = end ?? {};
    return { answer, seconds, state, over, text: end && makeVisible(end.text) };
  } finally {
    stop.abort();
    clearTimeout(limit);
    rmSync(program, { force: true });
  }
}

/** Without a terminal the program's input stays open, and only the phone can answer. */
export function isAttended(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

function startRun(program: string): ChildProcess {
  const [file = "", ...args] = buildOwnCommand(["run", "--quiet", "--label", LABEL, program]);
  return spawn(file, args, { stdio: isAttended() ? "inherit" : ["pipe", "ignore", "inherit"] });
}

async function watchCard(
  paths: Paths,
  signal: AbortSignal,
  onUnreached: (problem: string) => void,
): Promise<void> {
  try {
    await pause(CARD_LIMIT_MS, undefined, { signal, ref: false });
    const { unreached, channels } = await withHub(paths, (hub) => hub.call("hub.status", {}));
    const refused = channels.flatMap((channel) =>
      channel.refused.map(({ place, reason }) => `messages do not arrive in chat ${place}: ${reason}`),
    );
    const [problem] = [...(unreached === null ? [] : [unreached]), ...refused];
    if (!signal.aborted && problem !== undefined) onUnreached(makeVisible(problem));
  } catch (error) {
    // It was answered in time, or the hub is gone and the session's end reports it.
    if (!(error instanceof AtlasBridgeError) && !signal.aborted) throw error;
  }
}

async function findEnd(
  paths: Paths,
  since: number,
): Promise<{ state: PromptState; text: string; over?: string | null | undefined } | null> {
  return withHub(paths, async (hub) => {
    const prompt = await findPrompt(hub, since);
    return prompt === null ? null : hub.call("prompt.wait", { promptId: prompt.promptId });
  });
}

async function findPrompt(hub: HubClient, since: number): Promise<ListedPrompt | null> {
  const prompts = await fetchPrompts(hub, true);
  const ours = prompts.filter(
    ({ tool, excerpt, createdAt }) =>
      tool === PROGRAM && excerpt.includes(QUESTION) && Date.parse(createdAt) >= since,
  );
  return ours.at(-1) ?? null;
}
