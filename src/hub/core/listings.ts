/** Lists prompts and sessions for clients. Everything a tool wrote is sanitized first. */
import { nameChoice } from "../../model/answer/choice-names.js";
import { formatInstant } from "../../model/clock.js";
import { mapStrings } from "../../model/data/map-strings.js";
import { readStoredVerdict } from "../policy/verdict.js";
import { isOpen } from "../../model/lifecycle.js";
import type { HubStatus, ListedPrompt, ListedSession } from "../../wire/listings.js";
import type { PromptDetails } from "../../wire/messages.js";
import { sanitizeEvent } from "../delivery/notices/notice.js";
import { describeAnswer } from "../delivery/notices/outcome-text.js";
import { findShownEnd, isRefusedLate } from "../delivery/notices/shown-end.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { SessionRow } from "../store/tables/sessions.js";
import { listAlike, type AlikePrompts } from "../prompts/approval/alike.js";
import { showsNumber } from "../prompts/approval/number.js";
import { findExpiryAnswer } from "../prompts/expiry.js";
import { describePolicy } from "../prompts/rules/policy-note.js";
import type { Ledger } from "../ledger/ledger.js";
import { readPage } from "../ledger/list-page.js";
import { findClockSetSince } from "../ledger/retention/row-age.js";
import { isPaused } from "../ledger/pause.js";
import { isRelayPaused } from "../store/relay-pause.js";
import { findUnansweredPrompts } from "../sessions/unanswered-prompts.js";

export type LedgerStatus = Pick<HubStatus, "sessions" | "openPrompts" | "unanswered" | "paused" | "disk">;

export type StampedStatus = Pick<HubStatus, "startedAt" | "clockSetSince" | "channels">;

export function markClockSet(ledger: Ledger, { startedAt, channels }: StampedStatus): StampedStatus {
  return {
    startedAt,
    ...findClockSetSince(ledger, { startedAt: Date.parse(startedAt) }),
    channels: channels.map((channel) => {
      const since = channel.since === null ? null : Date.parse(channel.since);
      return { ...channel, ...findClockSetSince(ledger, { since }) };
    }),
  };
}

/** Whether there is no open session or prompt, nothing to send and nothing unhandled. */
export function isIdle({ store: { sessions, prompts, outbox, inbox } }: Ledger): boolean {
  if (sessions.countOpen() > 0 || prompts.countOpen() > 0) return false;
  return outbox.count() === 0 && inbox.countUnhandled() === 0;
}

export function getLedgerStatus(ledger: Ledger): LedgerStatus {
  const { sessions, prompts } = ledger.store;
  return {
    disk: ledger.disk.report(),
    sessions: sessions.countOpen(),
    openPrompts: prompts.countOpen(),
    unanswered: findUnansweredPrompts(ledger),
    paused: isPaused(ledger),
  };
}

interface ListQuery {
  readonly all: boolean;
  readonly after?: string | undefined;
}

export function listPrompts(
  ledger: Ledger,
  { all, after }: ListQuery,
  findProblem: (prompt: PromptRow) => string | null,
): ListedPrompt[] {
  const { prompts } = ledger.store;
  const { clock } = ledger.options;
  const groups = listAlike(ledger);
  return readPage(clock, after ?? null, {
    read: (last, rows) => prompts.listAfter(last, rows, all ? "all" : "open"),
    getId: ({ promptId }) => promptId,
    show: (row) => {
      const problem = findProblem(row);
      return {
        ...describePrompt(ledger, row),
        ...describeAlike(groups, row),
        ...(problem !== null && { unreached: ledger.options.safeText(problem) }),
      };
    },
  });
}

function describeAlike(
  groups: readonly AlikePrompts[],
  { promptId }: PromptRow,
): Pick<ListedPrompt, "alike"> {
  const group = groups.find(({ prompts }) => prompts.some((prompt) => prompt.promptId === promptId));
  if (group === undefined) return {};
  return { alike: { value: group.value, shortIds: group.prompts.map(({ shortId }) => shortId) } };
}

function describePrompt(ledger: Ledger, row: PromptRow): ListedPrompt {
  const { safeText } = ledger.options;
  const event = sanitizeEvent(row.event, safeText);
  const atExpiry = findExpiryAnswer(row);
  const note = describePolicy(ledger, row);
  const until = findShownEnd(row);
  const { cut, hidden, ...content } = event.content;
  return {
    shortId: row.shortId,
    promptId: row.promptId,
    sessionId: row.sessionId,
    tool: safeText(ledger.store.sessions.find(row.sessionId)?.tool ?? ""),
    type: event.promptType,
    safetyClass: event.safetyClass,
    confidence: event.confidence,
    excerpt: event.excerpt,
    content: { ...content, cut, hidden: hidden ? { ...hidden, kinds: [...hidden.kinds] } : null },
    choices: event.choices.map(({ label, intent }, at) => ({
      index: at + 1,
      ...(event.constraints.lettered && { letter: nameChoice(true, at + 1) }),
      label,
      intent,
    })),
    defaultChoice: event.defaultChoice,
    state: row.state,
    createdAt: formatInstant(row.createdAt),
    ...findClockSetSince(ledger, { createdAt: row.createdAt }),
    expiresAt: until === null ? null : formatInstant(until + (isOpen(row.state) ? ledger.clockSetByMs : 0)),
    ...(note !== null && { policyNote: safeText(note) }),
    classes: [...(readStoredVerdict(row.verdict).classes ?? [event.safetyClass])],
    ...(showsNumber(ledger, row) && { showsNumber: true }),
    ...(isRefusedLate(row) && { refusedLate: true }),
    ...(atExpiry !== null && { expiryAnswer: describeAnswer(row.event, atExpiry, safeText) }),
  };
}

/** The limits and choices of the prompt's legal answers, sanitized. */
export function getPromptDetails(ledger: Ledger, promptId: string): PromptDetails | null {
  const row = ledger.store.prompts.find(promptId);
  if (!row) return null;
  const { constraints, choices } = row.event;
  return mapStrings({ constraints, choices }, ledger.options.safeText) as PromptDetails;
}

/** The history of a prompt: when its worker detected it, then every audited step. */
export function getPromptHistory(ledger: Ledger, promptId: string): { step: string; at: number }[] {
  const row = ledger.store.prompts.find(promptId);
  if (!row) return [];
  return [
    { step: "prompt_detected", at: Date.parse(row.event.timestamp) },
    ...ledger.store.audit.listSteps(promptId),
  ];
}

export function listSessions(
  ledger: Ledger,
  { all, after }: ListQuery,
  isConnected: (sessionId: string) => boolean,
): ListedSession[] {
  const { sessions } = ledger.store;
  return readPage(ledger.options.clock, after ?? null, {
    read: (last, rows) => sessions.listAfter(last, rows, all ? "all" : "open"),
    getId: ({ sessionId }) => sessionId,
    show: (row) => describeSession(ledger, row, isConnected(row.sessionId)),
  });
}

function describeSession(ledger: Ledger, row: SessionRow, connected: boolean): ListedSession {
  const { safeText } = ledger.options;
  return {
    sessionId: row.sessionId,
    tool: safeText(row.tool),
    label: row.label === null ? null : safeText(row.label),
    cwd: safeText(row.cwd),
    pid: row.pid,
    state: row.toolState,
    said: row.said === null ? null : safeText(row.said),
    connected,
    openPrompts: ledger.store.prompts.countOpenInSession(row.sessionId),
    ...(row.closedAt === null && isRelayPaused(ledger.store, row.sessionId) && { heldBack: true }),
    ...(row.capabilities.underTool && { underTool: true }),
    inside: row.inside,
    startedAt: formatInstant(row.startedAt),
    endedAt: row.closedAt === null ? null : formatInstant(row.closedAt),
    ...findClockSetSince(ledger, { startedAt: row.startedAt, endedAt: row.closedAt }),
    ...(row.ending !== null && { ending: row.ending }),
  };
}
