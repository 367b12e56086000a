/**
 * Tasks from people: kept until the tool is idle, typed completely into its empty input box or not at all. A task that waits or fails
 * has one message that says so; one that is taken at once has none. Every step is one transaction.
 */
import { asId, type DeliveryId, type SessionId, type TaskId } from "../../model/ids.js";
import { describeCheck } from "../../model/where-to-check.js";
import { createRefusal, type Refusal } from "../../model/answer/refusal.js";
import { AGENT_TEXT_MAX, parseLegalValue } from "../../model/answer/reply.js";
import type { Receipt } from "../../model/answer/receipt.js";
import type { InboundResponse, Outcome } from "../../sdk/channel.js";
import type { BoxDraft } from "../../sdk/session-powers.js";
import { clip } from "../../sdk/text.js";
import { encodeClearing, LEAVE_DRAFT } from "../delivery/notices/clear-button.js";
import { quoteText, describeReceipt } from "../delivery/notices/outcome-text.js";
import { findMembership } from "../people/people.js";
import { getPeopleFor } from "../people/routing.js";
import { PRIORITY } from "../store/tables/outbox.js";
import type { SessionRow } from "../store/tables/sessions.js";
import type { TaskRow } from "../store/tables/tasks.js";
import { dropNotice, enqueueAtPlace } from "../ledger/enqueue-notices.js";
import type { Ledger, Transaction } from "../ledger/ledger.js";
import { isPaused } from "../ledger/pause.js";
import { createRefusedError } from "../ledger/refused-error.js";
import type { Requester } from "../ledger/requester.js";
import { buildTaskRecord, isTaskProved } from "../ledger/answer-record.js";
import { offerButton } from "../ledger/offer-button.js";

/** With more waiting tasks, somebody should look at the terminal. */
const WAITING_MAX = 10;

/** An idle tool has taken a task within a second or two. One that needs longer gets a message that says so. */
const TYPED_WITHIN_MS = 10_000;

const NOT_RELAYED =
  "The session is not relayed until it is restarted: its AtlasBridge is too old for the hub.";

/** No reply: the task's own message says everything. */
const NO_REPLY: InboundResponse = { text: "", alert: false };

const AS_TEXT = {
  promptType: "free_text",
  choices: [],
  constraints: { multiline: true, maxLength: AGENT_TEXT_MAX },
} as const;

/** Accepts the task or says why not. The task's own message shows the rest. */
export function acceptTask(
  ledger: Ledger,
  tx: Transaction,
  { identity, configuredChannel, place }: Requester,
  {
    sessionId,
    text,
    clears,
  }: {
    readonly sessionId: SessionId;
    readonly text: string;
    /** Hash of a draft that the sender allows to be cleared away. */
    readonly clears?: string;
  },
): InboundResponse {
  const session = ledger.store.sessions.find(sessionId);
  const membership = findMembership(getPeopleFor(ledger.options.settings(), session), identity);
  const why =
    !session || !membership
      ? createRefusal("not_allowed")
      : findProblem(ledger, session, membership.role, text);
  if (why !== null || !session || !membership || !configuredChannel.places.includes(place)) {
    const rejection = why ?? createRefusal("not_allowed", WRONG_CHAT);
    tx.record({ step: "task_rejected", sessionId, identity, details: { code: rejection.code } });
    return { text: rejection.text, alert: true };
  }
  const taskId = asId<TaskId>(ledger.options.random.uuid());
  const { name: person } = membership;
  const words = ledger.options.safeText(
    `⏳ ${buildTitle(ledger, session)}, by ${person}: ${quoteTask(ledger, text)} ${describeWait(session)}`,
  );
  const isHeld = session.toolState === "idle" && clears === undefined;
  const dueAt = isHeld ? tx.now + TYPED_WITHIN_MS : tx.now;
  const to = { sessionId, channel: configuredChannel.id, place, dueAt };
  const deliveryId = enqueueAtPlace(ledger, tx, to, words, "task");
  if (deliveryId === null) return { text: WRONG_CHAT, alert: true };
  const row: TaskRow = {
    taskId,
    sessionId,
    text,
    identity,
    person,
    state: "waiting",
    deliveryId,
    createdAt: tx.now,
  };
  ledger.store.tasks.insert(row);
  ledger.firstTurns.noteUse(sessionId);
  if (clears !== undefined) ledger.boxClearings.set(taskId, clears);
  tx.record({ step: "task_taken", sessionId, identity, details: buildTaskRecord(row) });
  tx.emit({ kind: "tasks", sessionId });
  const receipt = `⏳ Given to ${buildName(ledger, session)}: ${quoteTask(ledger, text)}`;
  return isHeld ? { text: receipt, alert: false, isReceipt: true } : NO_REPLY;
}

function findProblem(
  ledger: Ledger,
  session: SessionRow,
  role: "approver" | "viewer",
  text: string,
): Refusal | null {
  const { closedAt, capabilities, toolState, sessionId } = session;
  if (role !== "approver") return createRefusal("not_allowed", "You may not give this session tasks.");
  if (closedAt !== null) return createRefusal("session_gone");
  if (toolState === "not_relayed") return createRefusal("session_gone", NOT_RELAYED);
  if (isPaused(ledger)) return createRefusal("paused");
  if (!capabilities.chatTurns) return createRefusal("no_composer");
  const legal = parseLegalValue(AS_TEXT, text);
  if (!legal.ok) return legal.rejection;
  const waits = ledger.options.settings().conversation.while_working === "queue";
  if (toolState !== "idle" && !waits) return createRefusal("not_idle");
  const isFull = ledger.store.tasks.listOpenInSession(sessionId).length >= WAITING_MAX;
  return isFull
    ? createRefusal("not_idle", `${WAITING_MAX} tasks are waiting already; nothing was typed.`)
    : null;
}

/** Whether the session would type the text at once as this person's task. */
export function mayTakeNow(
  ledger: Ledger,
  session: SessionRow,
  { text, requester }: { readonly text: string; readonly requester: Requester },
): boolean {
  const { identity, configuredChannel, place } = requester;
  const role = findMembership(getPeopleFor(ledger.options.settings(), session), identity)?.role;
  return (
    role === "approver" &&
    session.toolState === "idle" &&
    configuredChannel.places.includes(place) &&
    ledger.store.prompts.countOpenInSession(session.sessionId) === 0 &&
    findProblem(ledger, session, role, text) === null
  );
}

function describeWait({ toolState }: SessionRow): string {
  return toolState === "idle" ? "waits to be typed." : "waits until the tool is idle.";
}

/** The task that may be typed now: the first in the session's queue, if the tool is idle and no prompt is open. */
export function findNextTask(ledger: Ledger, sessionId: SessionId): TaskRow | null {
  const [first] = ledger.store.tasks.listOpenInSession(sessionId);
  if (!first || first.state === "begun") return first ?? null;
  const session = ledger.store.sessions.find(sessionId);
  const isFree =
    session?.toolState === "idle" && ledger.store.prompts.listOpenInSession(sessionId).length === 0;
  return isFree && !isPaused(ledger) ? first : null;
}

/** Whether the sender may still give tasks to the session; rights can change while a task waits. */
export function maySend(ledger: Ledger, { sessionId, identity }: TaskRow): boolean {
  const session = ledger.store.sessions.find(sessionId);
  return findMembership(getPeopleFor(ledger.options.settings(), session), identity)?.role === "approver";
}

/**
 * Commits that the task is being typed, with its audit row. No byte may be typed before this returns. Idempotent. Errors:
 * ATB_HUB_REFUSED if it must not be typed (any more).
 */
export function beginTask(ledger: Ledger, sessionId: SessionId, taskId: string): void {
  ledger.commit((tx) => {
    const task = ledger.store.tasks.find(taskId);
    if (task?.sessionId !== sessionId || task.state === "done")
      throw createRefusedError("there is no such task waiting");
    if (isPaused(ledger)) throw createRefusedError(createRefusal("paused").text);
    if (task.state === "begun") return;
    const { identity } = task;
    if (!isTaskProved(ledger, task))
      throw createRefusedError("the audit does not prove that a person gave this task");
    const details = buildTaskRecord(task);
    ledger.store.tasks.begin(taskId, tx.record({ step: "task_began", sessionId, identity, details }));
    // The next rest ends a turn, however soon after the start it comes.
    ledger.firstTurns.forget(sessionId);
  });
}

export function endTask(ledger: Ledger, taskId: string, receipt: Receipt): void {
  const { outcome, proof, evidence, bytesWritten } = receipt;
  close(ledger, taskId, (task) => {
    const { safeText } = ledger.options;
    const session = ledger.store.sessions.find(task.sessionId);
    const tool = safeText(session?.tool ?? "the tool");
    const check = describeCheck(session);
    const label = quoteTask(ledger, task.text);
    const given = { label, who: task.person, tool, check };
    const isProved = outcome === "answered" && session !== null;
    return {
      state: outcome,
      ...(isProved
        ? { text: `✅ ${describeTaken(ledger, session)}: ${label}`, title: `Task by ${task.person}` }
        : { text: describeReceipt(given, receipt, safeText) }),
      details: { outcome, evidence, bytesWritten, ...(proof !== null && { proof }) },
    };
  });
}

/** What is proved is that the input box took the text; the tool's own state says whether it works. */
function describeTaken(ledger: Ledger, session: SessionRow): string {
  const name = buildName(ledger, session);
  return session.toolState === "working" ? `${name} has started` : `${name} has taken the task`;
}

/** The task was not typed and will not be. `draft`: the text in the input box that could be cleared. */
export function refuseTask(
  ledger: Ledger,
  taskId: string,
  why: Refusal,
  draft: BoxDraft | null = null,
): void {
  const { safeText } = ledger.options;
  close(ledger, taskId, (task) => {
    const reason = draft === null ? safeText(why.text) : describeDraft(ledger, task, draft);
    return {
      state: "failed",
      text: `⚠️ ${quoteTask(ledger, task.text)}, by ${task.person}: ${reason}`,
      details: { outcome: "refused", code: why.code },
      draft,
    };
  });
}

const WRONG_CHAT = "Send tasks in a chat that gets this session's prompts.";
const DRAFT_SHOWN_MAX = 120;

function describeDraft(ledger: Ledger, { sessionId }: TaskRow, draft: BoxDraft): string {
  const { store, options } = ledger;
  const session = store.sessions.find(sessionId);
  const box = `${options.safeText(session?.label ?? session?.tool ?? "the tool")}'s input box`;
  const shown = clip(options.safeText(draft.text), DRAFT_SHOWN_MAX);
  return `Not sent: there is already text in ${box} (“${shown}”). Nothing was typed.`;
}

/** Adds the button that clears exactly this draft. Only a tap on it does. */
function offerClearing(ledger: Ledger, deliveryId: DeliveryId, { hash }: BoxDraft): void {
  for (const value of [encodeClearing(hash), LEAVE_DRAFT])
    offerButton(ledger, { deliveryId, twinOf: null }, value);
}

/** Someone stopped the tool: waiting tasks are withdrawn. A task being typed ends on its own. */
export function withdrawTasks(ledger: Ledger, sessionId: SessionId): void {
  for (const { taskId, state } of ledger.store.tasks.listOpenInSession(sessionId)) {
    if (state !== "waiting") continue;
    close(ledger, taskId, ({ text, person }) => ({
      state: "withdrawn",
      text: `⏹ ${quoteTask(ledger, text)}, by ${person}: the tool was stopped; nothing was typed.`,
      details: { outcome: "withdrawn" },
      isExpected: true,
    }));
  }
}

/** The worker failed: waiting tasks were never typed; the result of one being typed is unknown. */
export function failTask(ledger: Ledger, taskId: string, why: Refusal): void {
  if (ledger.store.tasks.find(taskId)?.state !== "begun") refuseTask(ledger, taskId, why);
  else
    close(ledger, taskId, ({ text, person }) => ({
      state: "uncertain",
      text: `❔ ${quoteTask(ledger, text)}, by ${person}: it was being typed when the session's AtlasBridge failed. Check the terminal.`,
      details: { outcome: "uncertain", evidence: "the session's program failed" },
    }));
}

/** The session ended (how: see `ENDED`): waiting tasks were never typed; the result of one being typed is unknown. */
export function dropTasks(ledger: Ledger, sessionId: SessionId, ended: string): void {
  for (const { taskId } of ledger.store.tasks.listOpenInSession(sessionId))
    close(ledger, taskId, ({ text, person, state }) => {
      const label = `${quoteTask(ledger, text)}, by ${person}`;
      return state === "begun"
        ? {
            state: "uncertain",
            text: `❔ ${label}: ${ended} before the task was confirmed. Check the terminal.`,
            details: { outcome: "uncertain", evidence: ended },
          }
        : {
            state: "withdrawn",
            text: `⏹ ${label}: ${ended}; nothing was typed.`,
            details: { outcome: "withdrawn" },
          };
    });
}

type Closing = Pick<Outcome, "state" | "text"> & {
  readonly details: Readonly<Record<string, unknown>>;
  /** What stands below the outcome. */
  readonly title?: string;
  /** The text in the input box that its message offers to clear. */
  readonly draft?: BoxDraft | null;
  /** Whoever stopped the tool knows it. */
  readonly isExpected?: boolean;
};

const ENDED_ELSEWHERE = "See the newer message";

function close(ledger: Ledger, taskId: string, closing: (task: TaskRow) => Closing): void {
  ledger.commit((tx) => {
    const { tasks, sessions, deliveries, outbox } = ledger.store;
    const task = tasks.find(taskId);
    const session = task && sessions.find(task.sessionId);
    if (!task || !session || task.state === "done") return;
    const { sessionId, identity, deliveryId } = task;
    const ending = closing(task);
    const { state, text, details } = ending;
    tasks.close(taskId, tx.now);
    ledger.boxClearings.delete(taskId);
    const delivery = deliveries.find(deliveryId);
    const title = ledger.options.safeText(ending.title ?? buildTitle(ledger, session));
    const full = `${text}\n\n${title}`;
    let toldBy: DeliveryId | null = deliveryId;
    if (delivery !== null && outbox.isHeld(deliveryId, tx.now)) {
      if (state === "answered") dropNotice(ledger, tx, delivery);
      else {
        deliveries.setText(deliveryId, full);
        outbox.advance(deliveryId, tx.now);
      }
    } else if (delivery !== null && delivery.state !== "abandoned") {
      // The message that says that it waits did not ring, and an edit does not either.
      const rings = state !== "answered" && ending.isExpected !== true;
      toldBy = rings ? enqueueAtPlace(ledger, tx, delivery, full, "task") : deliveryId;
      deliveries.setText(deliveryId, title);
      const shown = rings && toldBy !== null ? ENDED_ELSEWHERE : text;
      outbox.addSettle(deliveryId, PRIORITY.settleByTap, tx.now, { state, text: shown, final: true });
    }
    if (toldBy !== null && toldBy !== deliveryId) tasks.setDelivery(taskId, toldBy);
    if (ending.draft) offerClearing(ledger, toldBy ?? deliveryId, ending.draft);
    tx.record({ step: "task_ended", sessionId, identity, details: { taskId, ...details } });
    tx.emit({ kind: "outbox" });
    tx.emit({ kind: "tasks", sessionId });
  });
}

function buildTitle(ledger: Ledger, session: SessionRow): string {
  return `Task for ${buildName(ledger, session)}`;
}

function buildName({ options }: Ledger, { label, tool }: SessionRow): string {
  return options.safeText(label ?? tool);
}

function quoteTask(ledger: Ledger, text: string): string {
  return quoteText(text, ledger.options.safeText);
}
