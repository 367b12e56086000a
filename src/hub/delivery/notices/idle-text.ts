/** The notice about a tool that waits for its next task. Pure. */
import { endsWithQuestion } from "../../../model/last-words.js";
import type { SessionRow } from "../../store/tables/sessions.js";

const GAP = "\n\n";
/** The first character of a message that asks for an answer. */
export const QUESTION_MARK = "💬";

const REPLY_HINTS = {
  task: " Reply to this message to give it a task.",
  answer: " Reply to this message to answer.",
} as const;

/** Removes the hint to reply, for a channel that accepts no text from people. */
export function omitReplyHint(text: string): string {
  return text.replace(REPLY_HINTS.task, "").replace(REPLY_HINTS.answer, "");
}

export function describeIdle(
  { tool, label, capabilities }: Pick<SessionRow, "tool" | "label" | "capabilities">,
  said: string | null,
): string {
  const name = label ?? tool;
  const asks = said !== null && endsWithQuestion(said);
  const head = asks
    ? `${QUESTION_MARK} ${name} asks a question in its last message.`
    : `💤 ${name} waits for its next task.`;
  const how = capabilities.chatTurns ? REPLY_HINTS[asks ? "answer" : "task"] : "";
  return said === null ? `${head}${how}` : `${head}${how}${GAP}${said}`;
}

/** The text with one sentence for people who wonder why the tool asks nothing. */
export function addModeHint(text: string, tool: string): string {
  const [head = "", ...rest] = text.split(GAP);
  const hint = `ℹ️ It was started without --ask, and asks almost nothing. To be asked: atlasbridge run --ask ${tool}`;
  return [`${head}\n${hint}`, ...rest].join(GAP);
}

export function readLastMessage(text: string): string | null {
  const at = text.indexOf(GAP);
  return at < 0 ? null : text.slice(at + GAP.length);
}

/** Whether the tool waits for the answer to a question in its last message. */
export function asksQuestion(text: string): boolean {
  return text.startsWith(QUESTION_MARK);
}

/** Whether the text contains the tool's last message, which stays worth reading after the tool works again. */
export function hasLastMessage(text: string): boolean {
  return text.includes(GAP);
}
