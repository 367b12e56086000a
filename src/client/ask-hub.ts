import { resolvePaths } from "../config/paths.js";
import { AtlasBridgeError, assertInvariant } from "../model/errors.js";
import type { PromptState } from "../model/lifecycle.js";
import { systemClock } from "../observe/clock.js";
import { systemRandom } from "../observe/random.js";
import { makeVisible } from "../safety/display.js";
import type { UnansweredPrompt } from "../model/no-open-prompts.js";
import type { ListedPrompt } from "../wire/listings.js";
import type { HubCalls, ParamsFor, ResultOf } from "../wire/messages.js";
import { chooseSession } from "./choose-session.js";
import { fetchPrompts, fetchSessions, queryHub, withHub } from "./client.js";
import { isInsideSession, noteInside } from "./connect/start-hub.js";
import { fetchShownNumbers } from "./shown-numbers.js";
import { inspectSessions, type InspectedSession, type Snapshot } from "./seen-sessions.js";
import {
  findSessionThatCannotPickUp,
  watchAnswerNotPickedUp,
  type OnAnswerNotPickedUp,
} from "./untaken-answer.js";
import type { PromptEnd } from "./watch-hub.js";

export interface PromptList {
  readonly prompts: readonly ListedPrompt[];
  /** Ended prompts that may still be open at their terminals. */
  readonly unanswered: readonly UnansweredPrompt[];
  readonly sessions: readonly InspectedSession[];
  /** By prompt id: the number that a yes from a chat needs. */
  readonly numbers: ReadonlyMap<string, number>;
}

export interface ShownSession extends InspectedSession {
  /** As its own worker reports it now. */
  readonly snapshot: Snapshot;
}

export function listPrompts(all: boolean): Promise<ListedPrompt[]> {
  return queryHub(resolvePaths(), (hub) => fetchPrompts(hub, all));
}

export function listPromptsAndEnded(all: boolean): Promise<PromptList> {
  return queryHub(resolvePaths(), async (hub) => {
    const prompts = await fetchPrompts(hub, all);
    const { unanswered } = await hub.call("hub.status", {});
    const numbers = await fetchShownNumbers(hub, prompts);
    return { prompts, unanswered, sessions: await inspectSessions(hub, false), numbers };
  });
}

export function listSessions(all: boolean): Promise<InspectedSession[]> {
  return queryHub(resolvePaths(), (hub) => inspectSessions(hub, all));
}

/** `named`: id, its beginning, or label of a running session. Errors: ATB_USAGE (no match, or several), ATB_HUB_*, ATB_WIRE_*. */
export function showSession(named: string): Promise<ShownSession> {
  return queryHub(resolvePaths(), async (hub) => {
    const { sessionId } = chooseSession(await fetchSessions(hub, false), named);
    const [listed] = (await inspectSessions(hub, false)).filter((each) => each.sessionId === sessionId);
    assertInvariant(listed, "a listed session was not found");
    return { ...listed, snapshot: await hub.call("session.snapshot", { sessionId }) };
  });
}

export type PromptAnswer = Omit<ParamsFor<HubCalls, "prompt.answer">, "replyId" | "inside">;

export type AnswerOutcome =
  | { readonly kind: "refused"; readonly code: string; readonly text: string }
  /** `held`: its session, if that is stopped or not connected and takes no answer now. */
  | {
      readonly kind: "claimed";
      readonly promptId: string;
      readonly grant?: string | undefined;
      readonly held: InspectedSession | null;
    }
  /** Only with `wait`. `pending`: the answer was not applied, and the prompt is open again. */
  | {
      readonly kind: "settled";
      readonly promptId: string;
      readonly state: PromptState;
      readonly text: string;
      readonly grant?: string | undefined;
    };

/**
 * Answers as the person at this machine; with `wait`, resolves when no answer is in progress any more. `onNotPickedUp` is called if
 * the session does not pick the answer up in time.
 */
export async function answerPrompt(
  answer: PromptAnswer,
  wait: boolean,
  onNotPickedUp: OnAnswerNotPickedUp = () => undefined,
): Promise<AnswerOutcome> {
  // The same id for all attempts, so that a new hub recognizes the claim.
  const replyId = systemRandom.uuid();
  if (isInsideSession()) {
    const refused = { ...answer, replyId, ...noteInside() };
    // A hub records the attempt; without one there is nothing to refuse.
    await withHub(resolvePaths(), (hub) => hub.call("prompt.answer", refused)).catch(() => undefined);
    throw createSupervisedError();
  }
  return withHub(resolvePaths(), async (hub) => {
    const claim = await hub.call("prompt.answer", { ...answer, replyId });
    const { promptId, grant } = claim;
    if (!claim.claimed || promptId === null) return describeRefusal(claim);
    if (!wait)
      return { kind: "claimed", promptId, grant, held: await findSessionThatCannotPickUp(hub, promptId) };
    const stopWatching = watchAnswerNotPickedUp(hub, promptId, systemClock, onNotPickedUp);
    try {
      const { state, text } = await hub.call("prompt.wait", { promptId });
      return { kind: "settled", promptId, state, text, grant };
    } finally {
      stopWatching();
    }
  });
}

/** As "Ask again" under a card: checks whether the prompt is still open, and raises it as a new one if so. */
export async function askAgain(promptId: string): Promise<PromptEnd> {
  const wish = { promptId, ...noteInside() };
  const { text, again } = await withHub(resolvePaths(), (hub) => hub.call("prompt.again", wish));
  return { text: makeVisible(text), again };
}

/** An open prompt with nothing hidden, safe for a terminal. Errors: ATB_HUB_REFUSED with the reason. */
export async function revealPrompt(shortId: string): Promise<string> {
  const wish = { shortId: shortId.toLowerCase(), ...noteInside() };
  const { text, problem } = await queryHub(resolvePaths(), (hub) => hub.call("prompt.reveal", wish));
  if (text === null) throw new AtlasBridgeError("ATB_HUB_REFUSED", makeVisible(problem ?? "it is not known"));
  return makeVisible(text);
}

/** The number that a yes to the prompt needs. Errors: ATB_HUB_REFUSED with the reason. */
export async function revealNumber(shortId: string): Promise<number> {
  const wish = { shortId: shortId.toLowerCase(), ...noteInside() };
  const { number, problem } = await queryHub(resolvePaths(), (hub) => hub.call("prompt.number", wish));
  if (number === null) throw new AtlasBridgeError("ATB_HUB_REFUSED", problem ?? "it is not known");
  return number;
}

export function setPaused(paused: boolean): Promise<void> {
  if (!paused && isInsideSession()) throw createSupervisedError();
  return withHub(resolvePaths(), async (hub) => {
    await hub.call("hub.pause", { paused });
  });
}

/** Keeps an agent that finds this command from approving its own prompts; its limits are in docs/explanation/threat-model.md. */
function createSupervisedError(): AtlasBridgeError {
  return new AtlasBridgeError(
    "ATB_SUPERVISED",
    "a program that runs under AtlasBridge may not answer prompts",
    { hint: "Answer from another terminal, or from your phone." },
  );
}

function describeRefusal({ rejection }: ResultOf<HubCalls, "prompt.answer">): AnswerOutcome {
  return {
    kind: "refused",
    code: rejection?.code ?? "refused",
    text: rejection?.text ?? "The answer was rejected.",
  };
}
