/** What the commands ask of the hub, and the hub commands themselves. */
import { setTimeout as pause } from "node:timers/promises";
import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError } from "../model/errors.js";
import type { PromptState } from "../model/lifecycle.js";
import { SESSION_MARK } from "../worker/transport/child-environment.js";
import { systemRandom } from "../observe/random.js";
import type { HubStatus, ListedPrompt, ListedSession } from "../wire/listings.js";
import type { HubCalls, ParamsFor, ResultOf } from "../wire/messages.js";
import { fetchPrompts, fetchSessions, findHub, reachHub, withHub, type HubClient } from "./hub-client.js";

export function listPrompts(all: boolean): Promise<ListedPrompt[]> {
  return withHub(resolvePaths(), (hub) => fetchPrompts(hub, all));
}

export function listSessions(all: boolean): Promise<ListedSession[]> {
  return withHub(resolvePaths(), (hub) => fetchSessions(hub, all));
}

export interface Overview {
  /** Null where no hub runs. */
  readonly hub: HubStatus | null;
  readonly sessions: readonly ListedSession[];
}

/** Starts nothing. */
export async function overview(): Promise<Overview> {
  const hub = await findHub({ paths: resolvePaths() });
  if (!hub) return { hub: null, sessions: [] };
  try {
    return {
      hub: await hub.call("hub.status", {}),
      sessions: await fetchSessions(hub, false),
    };
  } finally {
    hub.close();
  }
}

export type Answer = Omit<ParamsFor<HubCalls, "prompt.answer">, "replyId">;

export type AnswerOutcome =
  | { readonly kind: "refused"; readonly code: string; readonly text: string }
  | { readonly kind: "claimed"; readonly promptId: string }
  /** Waited for. `pending`: it was not applied and the question stands again. */
  | {
      readonly kind: "settled";
      readonly promptId: string;
      readonly state: PromptState;
      readonly text: string;
    };

/** Answers as the person at this machine; with `wait` until no answer is under way any more. */
export function answerPrompt(answer: Answer, wait: boolean): Promise<AnswerOutcome> {
  refuseSupervised();
  // One id for all attempts: a hub that died after the claim recognises it.
  const replyId = systemRandom.uuid();
  return withHub(resolvePaths(), async (hub) => {
    const claim = await hub.call("prompt.answer", { ...answer, replyId });
    const { promptId } = claim;
    if (!claim.claimed || promptId === null) return refusal(claim);
    if (!wait) return { kind: "claimed", promptId };
    const { state, text } = await hub.call("prompt.wait", { promptId });
    return { kind: "settled", promptId, state, text };
  });
}

/** An agent that finds our command must not approve itself with it. What a hostile program can still do: docs/threat-model.md. */
function refuseSupervised(): void {
  if (!process.env[SESSION_MARK]) return;
  throw new AtlasBridgeError(
    "ATB_SUPERVISED",
    "a program that runs under AtlasBridge may not answer questions",
    {
      hint: "Answer from another terminal, or from your phone.",
    },
  );
}

function refusal({ rejection }: ResultOf<HubCalls, "prompt.answer">): AnswerOutcome {
  return { kind: "refused", code: rejection?.code ?? "refused", text: rejection?.text ?? "It was refused." };
}

/** Starts a hub unless one serves. */
export async function startHub(): Promise<{ readonly started: boolean; readonly status: HubStatus }> {
  const paths = resolvePaths();
  const found = await findHub({ paths });
  const hub = found ?? (await reachHub({ paths }));
  try {
    return { started: found === null, status: await hub.call("hub.status", {}) };
  } finally {
    hub.close();
  }
}

/** A hub ends its channels within five seconds. */
const STOP_LIMIT_MS = 10_000;
const STOP_LOOK_EVERY_MS = 20;

/** Stops the hub and waits until its process is gone. Null where none runs. Errors: ATB_HUB_UNREACHABLE when it does not go. */
export async function stopHub(): Promise<{ readonly pid: number } | null> {
  const hub = await findHub({ paths: resolvePaths() });
  if (!hub) return null;
  const { pid } = await hub.call("hub.status", {});
  await hub.call("hub.stop", {});
  await hub.closed;
  for (const deadline = Date.now() + STOP_LIMIT_MS; Date.now() < deadline;) {
    if (!isAlive(pid)) return { pid };
    await pause(STOP_LOOK_EVERY_MS);
  }
  throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", `the hub (process ${pid}) does not end`, {
    hint: `End it with \`kill -9 ${pid}\`: nothing is lost by it.`,
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Makes the running hub read its configuration again. Errors: ATB_HUB_UNREACHABLE where none runs, ATB_CONFIG_INVALID. */
export async function reloadHub(): Promise<void> {
  const { ok, problem } = await withRunningHub((hub) => hub.call("hub.reload", {}));
  if (!ok)
    throw new AtlasBridgeError("ATB_CONFIG_INVALID", problem ?? "the configuration is not valid", {
      hint: "The hub keeps the configuration it has.",
    });
}

export function hubStatus(): Promise<HubStatus> {
  return withRunningHub((hub) => hub.call("hub.status", {}));
}

async function withRunningHub<T>(work: (hub: HubClient) => Promise<T>): Promise<T> {
  const hub = await findHub({ paths: resolvePaths() });
  if (!hub)
    throw new AtlasBridgeError("ATB_HUB_UNREACHABLE", "no hub runs", {
      hint: "The first `atlasbridge run` starts one, and so does `atlasbridge hub start`.",
    });
  try {
    return await work(hub);
  } finally {
    hub.close();
  }
}
