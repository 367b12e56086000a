/**
 * What agents may do in the consoles of other sessions: look, wait and interrupt where the session's person has opened it to agents, and
 * type what a person or the policy has allowed. The permission is the answer to a prompt of the agent's own session that shows exactly
 * this command; it is used once. The agent's own process is not believed.
 */
import { isAbsolute } from "node:path";
import { describeAllowedStarts, findAllowedStart } from "../../config/agent-starts.js";
import { asId, type PromptId, type SessionId } from "../../model/ids.js";
import { CONSOLE_TOOLS, type Typing } from "../../model/console-call.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import type { HubCalls, ParamsOf, ResultOf } from "../../wire/messages.js";
import { computeSha256 } from "../ledger/answer-record.js";
import type { Ledger } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusedError } from "../ledger/refused-error.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { ConsoleParts } from "./console.js";
import type { AgentRate } from "./agent-rate.js";
import type { AwaitLink } from "./await-link.js";
import { showGiven } from "./command-card.js";
import { GIVEN_ELSEWHERE, withdrawOffer } from "./offered-commands.js";
import { keepUntilEnd, recordAct, recordEnd, type GivenCommand } from "./record-end.js";
import { isTypingAllowed, isTypingShown } from "./typing-permission.js";

export interface AgentConsoleParts extends ConsoleParts {
  readonly awaitLink: AwaitLink;
  readonly rate: AgentRate;
  readonly waits: { wait(promptId: string): Promise<unknown> };
}

export async function listAgentConsoles(
  { ledger, awaitLink }: AgentConsoleParts,
  own: SessionId,
): Promise<ResultOf<HubCalls, "agent.consoles">> {
  const sessions = ledger.store.sessions.listOpen().filter((session) => {
    const isOther = session.capabilities.console === true && session.sessionId !== own;
    return isOther && findStartProblem(ledger, session) === null;
  });
  const { safeText } = ledger.options;
  const found = await Promise.all(
    sessions.map(async ({ sessionId, tool, label, cwd }) => {
      const link = await awaitLink(sessionId);
      const state = await link?.call("console.state", {}).catch(() => null);
      if (!state?.open || state.agents !== true) return [];
      const names = { tool: safeText(tool), label: label === null ? null : safeText(label) };
      return [{ consoleId: sessionId, ...names, cwd: safeText(cwd), status: state.status ?? null }];
    }),
  );
  return { consoles: found.flat() };
}

/** Whether a person must be asked before the start. Errors: ATB_HUB_REFUSED with what is allowed instead, which is on record. */
export function admitStart(
  parts: AgentConsoleParts,
  own: SessionId,
  { program, hasArguments }: ParamsOf<HubCalls, "agent.start">,
): ResultOf<HubCalls, "agent.start"> {
  const { ledger } = parts;
  requireUnpaused(parts, own, own);
  const { may_start: entries } = ledger.options.settings().agents;
  const folder = ledger.store.sessions.find(own)?.cwd ?? "";
  const allowed = findAllowedStart(entries, program, folder);
  // Arguments can be commands (`bash -c`), and which file a name starts is decided by the agent's PATH.
  if (allowed) return { ask: allowed.ask || hasArguments || !isAbsolute(program) };
  throw refuse(parts, own, own, "not_listed", describeNotListed(ledger, program, folder));
}

/**
 * Why a session that was started inside of another one is closed to agents, or null. Its person may open it all the same. The session's
 * own process says which program it runs: an agent that lies about it can only get at what it has started itself.
 */
function findStartProblem(ledger: Ledger, session: SessionRow): string | null {
  const { sessionId, inside, command, cwd } = session;
  if (inside === null || ledger.openedToAgents.has(sessionId)) return null;
  const [program = ""] = command;
  if (findAllowedStart(ledger.options.settings().agents.may_start, program, cwd)) return null;
  const listed = describeNotListed(ledger, program, cwd);
  return `it was started inside of another session, and ${listed}. Its person opens it at a terminal outside: atlasbridge console agents ${sessionId}`;
}

function describeNotListed({ options }: Ledger, program: string, folder: string): string {
  const allowed = describeAllowedStarts(options.settings().agents.may_start);
  return options.safeText(
    `${program} in ${folder} is not listed under agents.may_start of your person's config.yaml: ${allowed}`,
  );
}

/** Errors: ATB_HUB_REFUSED with the reason, which is on record. */
export async function runForAgent(
  parts: AgentConsoleParts,
  own: SessionId,
  { consoleId, promptId, ...run }: ParamsOf<HubCalls, "agent.run">,
): Promise<ResultOf<HubCalls, "agent.run">> {
  const { sessionId, link, session } = await requireOpenToAgents(parts, own, consoleId);
  const { commandId, command } = run;
  // A permission is used once, so no worker takes this command for an earlier one, which it would not type again.
  if (commandId !== promptId)
    throw refuse(parts, own, sessionId, "other_id", "its id is not that of its permission");
  const typing = { tool: CONSOLE_TOOLS.run, consoleId, session, text: command };
  const details = { commandId, commandSha256: computeSha256(command) };
  const wish = { own, sessionId, promptId, typing, details };
  await parts.waits.wait(promptId);
  const given = useApproval(parts, wish, commandId);
  return withoutSecrets(parts, await recordEnd(parts, sessionId, given, () => link.call("console.run", run)));
}

/** Errors: ATB_HUB_REFUSED with the reason, which is on record. */
export async function actForAgent(
  parts: AgentConsoleParts,
  own: SessionId,
  { consoleId, promptId, ...act }: ParamsOf<HubCalls, "agent.act">,
): Promise<ResultOf<HubCalls, "agent.act">> {
  const { ledger } = parts;
  const { sessionId, link, session } = await requireOpenToAgents(parts, own, consoleId);
  const { action, input = "" } = act;
  let given: GivenCommand | null = null;
  if (action === "input") {
    if (promptId === undefined) throw refuse(parts, own, sessionId, "not_allowed", "nobody has allowed it");
    const typing = { tool: CONSOLE_TOOLS.input, consoleId, session, text: input };
    const details = { action, inputSha256: computeSha256(input) };
    await parts.waits.wait(promptId);
    given = useApproval(parts, { own, sessionId, promptId, typing, details }, null);
  } else if (action === "interrupt") {
    requireUnpaused(parts, own, sessionId);
    if (!parts.rate.hasRoom(own)) throw refuse(parts, own, sessionId, "too_often", TOO_OFTEN);
    parts.rate.use(own);
    const attempt = ledger.options.random.uuid();
    const key = { commandId: attempt, attempt, identity: null, action };
    ledger.commit((tx) => {
      tx.record({ step: "console_command", sessionId, details: { action, byAgent: own } });
      keepUntilEnd(ledger, sessionId, key);
    });
    given = key;
  }
  const call = () => link.call("console.act", act);
  const acted = given === null ? await call() : await recordAct(ledger, sessionId, given, call);
  return { ...acted, result: acted.result && withoutSecrets(parts, acted.result) };
}

const TOO_OFTEN = "you ask too often; try again in a minute";

interface OpenConsole {
  readonly sessionId: SessionId;
  readonly session: string;
  readonly link: WorkerLink;
}

async function requireOpenToAgents(
  parts: AgentConsoleParts,
  own: SessionId,
  consoleId: string,
): Promise<OpenConsole> {
  const { ledger, awaitLink } = parts;
  const session = ledger.store.sessions.find(consoleId);
  const link = session?.closedAt === null ? await awaitLink(consoleId) : null;
  if (!session || !link || session.sessionId === own || session.capabilities.console !== true)
    throw createRefusedError("there is no such console; list_sessions names those that are open to you");
  const { sessionId } = session;
  requireUnpaused(parts, own, sessionId);
  const { open, agents } = await link.call("console.state", {});
  if (!open || agents !== true)
    throw refuse(parts, own, sessionId, "closed_to_agents", "its person has not opened it to agents");
  const problem = findStartProblem(ledger, session);
  if (problem !== null) throw refuse(parts, own, sessionId, "not_listed", problem);
  return { sessionId, link, session: nameSession(parts, session) };
}

function nameSession({ ledger }: AgentConsoleParts, { label, tool }: SessionRow): string {
  return ledger.options.safeText(label ?? tool);
}

interface TypingWish {
  readonly own: SessionId;
  readonly sessionId: SessionId;
  readonly promptId: string;
  readonly typing: Typing;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Uses the permission up, on record. Call when no answer of the prompt is in progress, and in the same turn as the call to the
 * worker, so that a later pause also reaches the worker later. Returns the command, which is kept until its end; `commandId`
 * null: a line. Errors: ATB_HUB_REFUSED.
 */
function useApproval(
  parts: AgentConsoleParts,
  { own, sessionId, promptId: named, typing, details }: TypingWish,
  commandId: string | null,
): GivenCommand {
  const { ledger } = parts;
  const promptId = asId<PromptId>(named);
  const prompt = ledger.store.prompts.find(promptId);
  const reply = prompt?.replyId == null ? null : ledger.store.replies.find(prompt.replyId);
  if (prompt?.sessionId !== own || reply?.promptId !== promptId || !isTypingAllowed(prompt, reply))
    throw refuse(parts, own, sessionId, "not_allowed", "nobody has allowed it");
  if (!isTypingShown(prompt, typing, ledger.options.safeText))
    throw refuse(parts, own, sessionId, "other_command", "what people saw and allowed is not exactly this");
  requireUnpaused(parts, own, sessionId);
  const { identity } = reply;
  const attempt = ledger.options.random.uuid();
  const line = commandId === null ? { action: "input" } : {};
  const given = { commandId: commandId ?? attempt, identity, promptId, attempt, ...line };
  ledger.commit((tx) => {
    const isUsed = ledger.store.audit.listSteps(promptId).some(({ step }) => step === "console_command");
    if (isUsed) throw createRefusedError("nothing was typed: that permission was used already");
    tx.record({
      step: "console_command",
      sessionId,
      promptId,
      identity,
      details: { ...details, byAgent: own },
    });
    keepUntilEnd(ledger, sessionId, given);
    if (given.action === undefined) withdrawOffer(ledger, tx, sessionId, GIVEN_ELSEWHERE);
    showGiven(ledger, tx, sessionId, promptId);
  });
  return given;
}

function requireUnpaused(parts: AgentConsoleParts, own: SessionId, sessionId: SessionId): void {
  if (isPaused(parts.ledger)) throw refuse(parts, own, sessionId, "paused", "AtlasBridge is paused");
}

function refuse(
  { ledger, rate }: AgentConsoleParts,
  own: SessionId,
  sessionId: SessionId,
  code: string,
  reason: string,
): Error {
  const room = rate.use(own);
  const details = { code, byAgent: true, ...(room === "last" ? { moreAreNotRecorded: true } : {}) };
  if (room !== "none") ledger.commit((tx) => tx.record({ step: "console_refused", sessionId, details }));
  const undone = sessionId === own ? "nothing was started" : "nothing was typed";
  return createRefusedError(`${undone}: ${reason}`);
}

/** An agent gets what a chat would get. */
function withoutSecrets<R extends { readonly text: string; readonly outOfBand: string }>(
  { ledger }: AgentConsoleParts,
  result: R,
): R {
  const { safeText } = ledger.options;
  return { ...result, text: safeText(result.text), outOfBand: safeText(result.outOfBand), styled: null };
}
