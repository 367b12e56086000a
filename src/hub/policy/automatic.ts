/** The limits of answers without a human. Policy rules and expiry answers both obey them. */
import { mapStrings } from "../../model/data/map-strings.js";
import type { PromptEvent, SafetyClass } from "../../model/prompt.js";

const NEVER_AUTOMATIC: readonly SafetyClass[] = ["startup", "trust", "login", "update", "secret"];

/** False where only a person may answer: uncertain detection, secrets, trust prompts, and content that is cut, hidden or altered. */
export function mayAnswerAutomatically(event: PromptEvent): boolean {
  return findAutomaticProblem(event) === null;
}

/** Why only a human may answer; null if others may, too. */
export function findAutomaticProblem(event: PromptEvent): string | null {
  if (event.promptType === "secret" || event.safetyClass === "secret") return "it asks for a secret";
  if (event.promptType === "unknown") return "it is not known what it asks";
  if (event.confidence === "low") return "it was detected with low confidence";
  if (NEVER_AUTOMATIC.includes(event.safetyClass)) return `${event.safetyClass} prompts are for people`;
  if (event.content.cut !== null) return "its content is not shown completely";
  if (event.content.hidden?.opened) return "another program may have drawn over it";
  if (event.content.hidden !== undefined) return "a part of its content is hidden";
  return isAltered(event) ? "its content has characters that mislead" : null;
}

/** The mark for an invisible or misleading character, and the replacement of a lone half of a character. */
const MARK = /‹U\+[0-9A-F]{4,6}›|\ufffd/;

/** Whether characters that mislead were made visible in it. */
export function isAltered({ excerpt, content, choices }: PromptEvent): boolean {
  let found = false;
  const look = (text: string): string => {
    found ||= MARK.test(text);
    return text;
  };
  [excerpt, content.text, ...choices.map(({ label }) => label)].forEach(look);
  mapStrings(content.call ?? null, look);
  return found;
}
