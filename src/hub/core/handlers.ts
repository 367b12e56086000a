/** Maps the wire's calls to ledger operations. The wire's schemas have checked the parameters; this file only assigns their types. */
import { asId, LOCAL_IDENTITY, type SessionId } from "../../model/ids.js";
import { isOpen } from "../../model/lifecycle.js";
import type { PromptEvent } from "../../model/prompt.js";
import { createRefusal } from "../../model/answer/refusal.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Caller, WorkerLink } from "../../wire/connection-ends.js";
import { PROTOCOL_VERSION, type HubCalls, type ParamsOf, type ResultOf } from "../../wire/messages.js";
import { actForAgent, admitStart, listAgentConsoles, runForAgent } from "../console/agent-console.js";
import { AgentRate } from "../console/agent-rate.js";
import { createLinkWait } from "../console/await-link.js";
import { actOnConsole, runConsoleCommand, setConsole } from "../console/console.js";
import { countReachablePlaces } from "../people/reach.js";
import { findRoutes } from "../people/routing.js";
import { askAgainLocally } from "../prompts/ask-again.js";
import { explainRefusal } from "../prompts/answer-text.js";
import { claim, refuseAnswer } from "../prompts/claim.js";
import { setMode } from "../ledger/policy/policy-mode.js";
import type { SessionLinks } from "../ledger/session-links.js";
import {
  beginInjection,
  endInjection,
  refuseReply,
  type InjectionStart,
  type ReplyKey,
  type ReplyRefusal,
} from "../prompts/injection.js";
import type { Ledger } from "../ledger/ledger.js";
import { getPromptDetails, getPromptHistory, listPrompts, listSessions } from "./listings.js";
import { delegationHandlers } from "./delegation-calls.js";
import { listGrantsForClient, revokeGrantsLocally } from "./grant-calls.js";
import type { PendingPairings } from "../inbound/pending-pairings.js";
import { raisePrompt } from "../prompts/raise.js";
import type { ReachReporter } from "../sessions/reach-reporter.js";
import { revealNumber } from "../prompts/approval/reveal-number.js";
import { answerAlikeLocally, requireLocalApprover, resumeRelayLocally } from "./local-sessions.js";
import { revealPrompt } from "../prompts/approval/reveal.js";
import { createRefusedError } from "../ledger/refused-error.js";
import {
  closeSession,
  noteTyping,
  openSession,
  setToolState,
  type NewSession,
} from "../sessions/sessions.js";
import { logSnapshot } from "../sessions/log-snapshot.js";
import { beginTask } from "../tasks/tasks.js";
import type { PromptWaits } from "../prompts/prompt-waits.js";
import { notePrompt } from "../prompts/note-prompt.js";
import { withdrawForgotten, withdrawPrompt } from "../prompts/withdraw.js";
import type { Receipt } from "../../model/answer/receipt.js";
import { notifyPeople } from "../sessions/notify-people.js";
import type { DeliveryId, PromptId } from "../../model/ids.js";

/** The calls answered here. The server answers calls about itself; the composition answers those that need more than the ledger. */
export type LedgerCalls = Exclude<
  keyof HubCalls,
  `hub.${string}` | "watch.subscribe" | "pairing.begin" | "channel.trust"
>;

export type LedgerHandlers = {
  readonly [M in LedgerCalls]: (
    params: ParamsOf<HubCalls, M>,
    caller: Caller,
  ) => ResultOf<HubCalls, M> | Promise<ResultOf<HubCalls, M>>;
};

export interface HandlerParts {
  readonly ledger: Ledger;
  readonly version: string;
  readonly isConnected: (sessionId: string) => boolean;
  readonly findLink: (sessionId: string) => WorkerLink | null;
  readonly waits: PromptWaits;
  readonly pairing: PendingPairings;
  readonly actions: SessionLinks;
  readonly reach: ReachReporter;
}

export function ledgerHandlers(parts: HandlerParts): LedgerHandlers {
  const { ledger } = parts;
  return {
    "session.open": (params) => openSessionFromWire(parts, params),
    "session.state": ({ state, said }, caller) => {
      setToolState(ledger, requireSession(caller), state, said ?? null);
      logObserved(parts, caller, "a session reported its tool's state");
      return {};
    },
    "session.typed": ({ agoMs }, caller) => {
      noteTyping(ledger, requireSession(caller), agoMs);
      return {};
    },
    "session.tell": ({ noticeId, text }, caller) => {
      const session = notifyPeople(ledger, requireSession(caller), assumeType<DeliveryId>(noticeId), text);
      return { places: countReachablePlaces(parts.reach.facts, session) };
    },
    "session.decided": (decided, caller) => {
      const sessionId = requireSession(caller);
      ledger.commit((tx) => tx.record({ step: "permission_decided", sessionId, details: decided }));
      return {};
    },
    "session.close": ({ exitCode, signal, resume }, caller) => {
      closeSession(ledger, requireSession(caller), { kind: "closed", exitCode, signal, resume });
      return {};
    },
    "prompt.raise": (params, caller) => {
      const event = assumeType<PromptEvent>(params);
      const { promptId, shortId, state, nonceHash } = raisePrompt(ledger, requireSession(caller), event);
      void failPoint("stored");
      return { promptId, shortId, state, nonceHash };
    },
    "prompt.withdraw": ({ promptId, ...how }, caller) => {
      const { state } = withdrawPrompt(ledger, requireSession(caller), assumeType<PromptId>(promptId), how);
      return { state };
    },
    "prompt.note": ({ promptId, note }, caller) =>
      notePrompt(ledger, requireSession(caller), assumeType<PromptId>(promptId), note),
    "reply.refuse": (params, caller) => {
      const refusal = assumeType<Omit<ReplyRefusal, "sessionId">>(params);
      const { state, nonceHash } = refuseReply(ledger, { ...refusal, sessionId: requireSession(caller) });
      // The prompt may have been claimed again since the lost answer: while it is open, the worker must keep it.
      return { state, nonceHash: isOpen(state) ? nonceHash : null };
    },
    "injection.begin": (params, caller) => {
      const { endsTool = false, ...rest } = params;
      const begin = assumeType<Omit<InjectionStart, "sessionId" | "endsTool">>(rest);
      return {
        state: beginInjection(ledger, { ...begin, endsTool, sessionId: requireSession(caller) }).state,
      };
    },
    "injection.end": (params, caller) => {
      const end = assumeType<Omit<ReplyKey, "sessionId"> & { receipt: Receipt }>(params);
      void failPoint("receipt");
      const { state } = endInjection(ledger, { ...end, sessionId: requireSession(caller) });
      logObserved(parts, caller, "a session delivered an answer");
      return { state };
    },
    "task.begin": ({ taskId }, caller) => {
      beginTask(ledger, requireSession(caller), taskId);
      return {};
    },
    ...agentHandlers(parts),
    ...localHandlers(parts),
  };
}

function agentHandlers(parts: HandlerParts) {
  const awaitLink = createLinkWait(parts.ledger.options.clock, parts.findLink);
  const agentParts = { ...parts, awaitLink, rate: new AgentRate(parts.ledger.options.clock) };
  return {
    "agent.consoles": (_, caller) => listAgentConsoles(agentParts, requireSession(caller)),
    "agent.start": (wish, caller) => admitStart(agentParts, requireSession(caller), wish),
    "agent.run": (wish, caller) => runForAgent(agentParts, requireSession(caller), wish),
    "agent.act": (wish, caller) => actForAgent(agentParts, requireSession(caller), wish),
  } satisfies Partial<LedgerHandlers>;
}

function localHandlers(parts: HandlerParts) {
  const { ledger, reach } = parts;
  return {
    "console.set": (wish) => setConsole(parts, wish),
    "console.run": (wish) => runConsoleCommand(parts, wish),
    "console.act": (wish) => actOnConsole(parts, wish),
    "prompts.list": (query) => listPrompts(ledger, query, (prompt) => reach.findPromptProblem(prompt)),
    "sessions.list": (query) => listSessions(ledger, query, parts.isConnected),
    "session.snapshot": ({ sessionId }) => requireWorker(parts, sessionId).call("session.snapshot", {}),
    "session.capture": ({ sessionId }) => requireWorker(parts, sessionId).call("session.capture", {}),
    "session.mode": ({ sessionId, mode }, caller) => {
      // Fewer automatic answers may be wished by anybody, more of them only by people.
      if (mode !== "off" && isSupervised(caller, undefined))
        throw createRefusedError("a supervised tool may not let rules answer");
      requireLocalApprover(ledger, sessionId);
      setMode(ledger, sessionId, mode, LOCAL_IDENTITY);
      return {};
    },
    "session.relay": ({ sessionId, inside }, caller) => ({
      follow: resumeRelayLocally(ledger, sessionId, isSupervised(caller, inside)),
    }),
    "prompt.details": ({ promptId }) => getPromptDetails(ledger, promptId),
    "prompt.history": ({ promptId }) => ({ steps: getPromptHistory(ledger, promptId) }),
    "prompt.answer": (params, caller) => claimFromWire(ledger, params, caller),
    "prompts.answer": (params, caller) =>
      answerAlikeLocally(ledger, params, isSupervised(caller, params.inside)),
    ...delegationHandlers(ledger, isSupervised),
    "grants.list": () => listGrantsForClient(ledger),
    "grants.revoke": ({ grant }) => revokeGrantsLocally(ledger, grant),
    "prompt.again": ({ promptId, inside }, caller) =>
      askAgainLocally(parts.actions, promptId, isSupervised(caller, inside)),
    "relay.check": (session) => parts.reach.probeReach(session),
    "prompt.reveal": ({ shortId, inside }, caller) =>
      revealPrompt(ledger, parts.findLink, shortId, isSupervised(caller, inside)),
    "prompt.number": ({ shortId, inside }, caller) =>
      revealNumber(ledger, shortId, isSupervised(caller, inside)),
    "prompt.wait": ({ promptId }) => parts.waits.wait(promptId),
    "pairing.wait": ({ channel, code }) => parts.pairing.wait(channel, code),
  } satisfies Partial<LedgerHandlers>;
}

function openSessionFromWire(
  { ledger, version }: HandlerParts,
  params: ParamsOf<HubCalls, "session.open">,
): ResultOf<HubCalls, "session.open"> {
  const { prompts, ...session } = params;
  openSession(ledger, assumeType<NewSession>(session));
  if (prompts) withdrawForgotten(ledger, asId<SessionId>(params.sessionId), prompts);
  const routes = findRoutes(ledger.options.configuredChannels(), ledger.options.settings(), params);
  const places = routes.map(({ configuredChannel, place }) => `${configuredChannel.id}:${place}`);
  return { protocol: PROTOCOL_VERSION, version, places, draining: false };
}

/** Whether the session runs under supervision, by its own report or because the caller is a session itself. */
function isSupervised(
  { sessionId, isSupervised: isSeen = false }: Caller,
  inside: string | undefined,
): boolean {
  return isSeen || sessionId !== null || inside !== undefined;
}

/** Over the socket the answering person is the local user. A supervised tool never answers for a human (ADR 9). */
function claimFromWire(
  ledger: Ledger,
  params: ParamsOf<HubCalls, "prompt.answer">,
  caller: Caller,
): ResultOf<HubCalls, "prompt.answer"> {
  const { shortId, inside, acceptHidden, ...answer } = params;
  const find = () => ledger.store.prompts.findByShortId(shortId);
  const result = isSupervised(caller, inside)
    ? ledger.commit((tx) => refuseAnswer(tx, find(), LOCAL_IDENTITY, createRefusal("supervised")))
    : claim(ledger, find, { ...answer, acceptsHidden: acceptHidden, identity: LOCAL_IDENTITY });
  if (result.claimed) {
    const made = result.grant === undefined ? {} : { grant: result.grant.id };
    return { claimed: true, promptId: result.prompt.promptId, rejection: null, ...made };
  }
  const text = explainRefusal(result.rejection, find()?.event, ledger.options.safeText);
  return { claimed: false, promptId: result.promptId, rejection: { ...result.rejection, text } };
}

function logObserved({ ledger, findLink }: HandlerParts, caller: Caller, why: string): void {
  const sessionId = requireSession(caller);
  void logSnapshot(ledger.options.log, findLink(sessionId), sessionId, why);
}

function requireWorker({ findLink }: HandlerParts, sessionId: string): WorkerLink {
  const link = findLink(sessionId);
  if (!link) throw createRefusedError("that session is not connected");
  return link;
}

function requireSession(caller: Caller): SessionId {
  if (caller.sessionId === null)
    throw createRefusedError("only the session's own connection may make this call");
  return caller.sessionId;
}

/** The wire's schema has checked every field; only brands and `readonly` are missing in JSON. */
function assumeType<T>(checked: unknown): T {
  return checked as T;
}
