/** What the audit records of an answer or task. */
import { createHash } from "node:crypto";
import type { PromptType } from "../../model/prompt.js";
import type { TaskRow } from "../store/tables/tasks.js";

/** Which choice, or of a text only its digest: the audit proves what was said without repeating it. */
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

/** Records only the digest: the audit proves what was said without repeating it. */
export function buildTaskRecord({ taskId, text }: Pick<TaskRow, "taskId" | "text">): Record<string, unknown> {
  return { taskId, textSha256: computeSha256(text) };
}
