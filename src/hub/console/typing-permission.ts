/**
 * Whether a prompt is the permission to type something into a console. The agent's own process has raised that prompt, so its
 * content is not believed: the hub builds the whole prompt itself from the text that it will type, and accepts no other.
 */
import { isDeepStrictEqual } from "node:util";
import { buildTypingPrompt, TYPING_ALLOWED, type Typing } from "../../model/console-call.js";
import { mapStrings } from "../../model/data/map-strings.js";
import type { Constraints, PromptEvent } from "../../model/prompt.js";
import { makeExcerpt } from "../../safety/excerpt.js";
import type { SafeText } from "../delivery/notices/outcome-text.js";
import type { PromptRow } from "../store/tables/prompts.js";
import type { ReplyRow } from "../store/tables/replies.js";

/** What names a prompt and says where it comes from. All else is seen by people, or decides what their answer means. */
const IDENTIFYING = [
  "promptId",
  "sessionId",
  "contentHash",
  "fingerprint",
  "epoch",
  "idempotencyKey",
  "sources",
  "timestamp",
] as const satisfies (keyof PromptEvent)[];
/** The agent's own time limit, which only shortens the permission, and the promise that no key is typed later. */
const WAITING = ["answerBy", "refusedLate"] as const satisfies (keyof Constraints)[];

/** Call with the reply that the prompt was answered with. Only for prompts that `isTypingShown` takes. */
export function isTypingAllowed({ state }: PromptRow, { value }: ReplyRow): boolean {
  return value === TYPING_ALLOWED && (state === "answered" || state === "uncertain");
}

/** Whether people saw exactly this: all of it and nothing else. What a card hides from them or shows otherwise was not allowed by them. */
export function isTypingShown({ event }: PromptRow, typing: Typing, safeText: SafeText): boolean {
  const expected = buildShownEvent(typing);
  return (
    isDeepStrictEqual(selectShown(event), expected) &&
    isDeepStrictEqual(mapStrings(expected, safeText), expected)
  );
}

function buildShownEvent(typing: Typing): Omit<PromptEvent, (typeof IDENTIFYING)[number]> {
  const { question, ...prompt } = buildTypingPrompt(typing);
  return { ...prompt, confidence: "high", score: 1, excerpt: makeExcerpt(question), defaultChoice: null };
}

/** A key that is not known here stays, and makes the prompt another one. */
function selectShown(event: PromptEvent): object {
  return { ...omit(event, IDENTIFYING), constraints: omit(event.constraints, WAITING) };
}

function omit(from: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}
