/** What the audit records of an answer or task, and whether it proves that a person gave it and that it was not typed before. */
import { createHash } from "node:crypto";
import type { PromptType } from "../../model/prompt.js";
import type { AuditRecord } from "../store/store.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { ReplyRow } from "../store/tables/replies.js";
import type { TaskRow } from "../store/tables/tasks.js";
import type { Ledger } from "./ledger.js";

/** A choice is recorded as it is, a text only by its digest. */
export function buildAnswerRecord(
  type: PromptType,
  answer: { readonly value: string; readonly text?: string | undefined },
): Record<string, unknown> {
  const text = answer.text === undefined ? {} : { textSha256: computeSha256(answer.text) };
  const isText = type === "free_text" || type === "unknown";
  return isText ? { valueSha256: computeSha256(answer.value), ...text } : { value: answer.value, ...text };
}

export function computeSha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function buildTaskRecord({ taskId, text }: Pick<TaskRow, "taskId" | "text">): Record<string, unknown> {
  return { taskId, textSha256: computeSha256(text) };
}

/** Steps after which a claimed answer must not be typed (again). */
const ENDING_STEPS = ["reply_refused", "injection_began", "injection_ended"];

export function isClaimProved(ledger: Ledger, { event, promptId }: PromptRow, reply: ReplyRow): boolean {
  const { replyId, identity, person, value, text } = reply;
  const [claim, ...later] = ledger.store.audit.readSinceClaim(promptId, replyId) ?? [];
  const record = buildAnswerRecord(event.promptType, { value, ...(text !== null && { text }) });
  return (
    reply.promptId === promptId &&
    isSame(ledger, claim, identity, { replyId, by: person, ...record }) &&
    !later.some(({ step, details }) => ENDING_STEPS.includes(step) && parse(details)["replyId"] === replyId)
  );
}

export function isTaskProved(ledger: Ledger, task: TaskRow): boolean {
  const [accepted, ...later] = ledger.store.audit.readSinceTask(task.sessionId, task.taskId) ?? [];
  return (
    isSame(ledger, accepted, task.identity, buildTaskRecord(task)) &&
    !later.some(({ details }) => parse(details)["taskId"] === task.taskId)
  );
}

function isSame(
  { store }: Ledger,
  row: AuditRecord | undefined,
  identity: string,
  expected: Readonly<Record<string, unknown>>,
): boolean {
  if (row?.identity !== identity) return false;
  const recorded = parse(row.details);
  const wanted = Object.entries(parse(store.audit.encodeDetails(expected)));
  return wanted.every(([name, value]) => recorded[name] === value);
}

function parse(details: string): Readonly<Record<string, unknown>> {
  return JSON.parse(details) as Readonly<Record<string, unknown>>;
}
