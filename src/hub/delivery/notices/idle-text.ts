/** What people are told of a tool that waits for its next task. Pure. */
import { asksInProse } from "../../../model/last-words.js";
import type { SessionRow } from "../../store/tables/sessions.js";

/** Between our words and the tool's. */
const GAP = "\n\n";

const HOW_TO_REPLY = " Reply to this message to tell it what to do.";

/** The same for a channel that takes no words of people. */
export function withoutHowToReply(text: string): string {
  return text.replace(HOW_TO_REPLY, "");
}

/** `said`: what the tool said last, or null. */
export function idleText(
  { tool, label, capabilities }: Pick<SessionRow, "tool" | "label" | "capabilities">,
  said: string | null,
): string {
  const name = label ?? tool;
  const asks = said !== null && asksInProse(said);
  const head = asks ? `💬 ${name} asks in its last message.` : `💤 ${name} waits for its next task.`;
  const how = capabilities.chatTurns ? HOW_TO_REPLY : "";
  return said === null ? `${head}${how}` : `${head}${how}${GAP}${said}`;
}

/** Whether it holds what the tool said: that is worth reading even when the tool works again. */
export function holdsWords(text: string): boolean {
  return text.includes(GAP);
}
