/** Checks the audit before an answer or task reaches a tool: it must prove that the person gave it and that it was not typed before. */
import type { PromptRow } from "../store/tables/prompts.js";
import type { OwnStep } from "../store/audit-log.js";
import type { ReplyRow } from "../store/tables/replies.js";
import type { TaskRow } from "../store/tables/tasks.js";
import { buildAnswerRecord } from "./answer-record.js";
import type { Ledger } from "./ledger.js";
import { buildTaskRecord } from "./answer-record.js";

/** Steps after which a claimed answer must not be typed (again). */
const ENDING_STEPS = ["reply_refused", "injection_began", "injection_ended"];

export function isClaimProved({ store }: Ledger, { event, promptId }: PromptRow, reply: ReplyRow): boolean {
  const { replyId, identity, person, value, text } = reply;
  if (reply.promptId !== promptId) return false;
  const answerRecord = buildAnswerRecord(event.promptType, { value, ...(text !== null && { text }) });
  const expected = JSON.parse(store.audit.encodeDetails({ replyId, by: person, ...answerRecord })) as Details;
  const steps = store.audit
    .listOwnSteps(promptId)
    .filter(({ details }) => parseDetails(details)["replyId"] === replyId);
  return (
    hasClaim(steps, "prompt_claimed", identity, expected) &&
    !steps.some(({ step }) => ENDING_STEPS.includes(step))
  );
}

export function isTaskProved({ store }: Ledger, task: TaskRow): boolean {
  const { sessionId, taskId, identity } = task;
  const steps = store.audit.listOwnTaskSteps(sessionId, taskId);
  const expected = JSON.parse(store.audit.encodeDetails(buildTaskRecord(task))) as Details;
  return hasClaim(steps, "task_taken", identity, expected) && steps.length === 1;
}

type Details = Readonly<Record<string, unknown>>;

function hasClaim(steps: readonly OwnStep[], step: string, identity: string, expected: Details): boolean {
  return steps.some((own) => {
    if (own.step !== step || own.identity !== identity) return false;
    const details = parseDetails(own.details);
    return Object.entries(expected).every(([name, value]) => details[name] === value);
  });
}

function parseDetails(details: string): Details {
  return JSON.parse(details) as Details;
}
