/** What a tool asks: the vocabulary of prompts (adapter spec §2, §3.1). */
import type { FormField } from "./answer/form.js";
import type { Fingerprint, IdempotencyKey, PromptId, SessionId } from "./ids.js";

export const PROMPT_TYPES = [
  "yes_no",
  "confirm_enter",
  "multiple_choice",
  "free_text",
  "secret",
  "unknown",
] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

export const SAFETY_CLASSES = [
  "permission",
  "question",
  "plan",
  "startup",
  "trust",
  "login",
  "update",
  "pager",
  "secret",
  "user_menu",
] as const;
export type SafetyClass = (typeof SAFETY_CLASSES)[number];

export const CHOICE_INTENTS = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
  "other",
] as const;
/** What a choice does, in ACP's words. */
export type ChoiceIntent = (typeof CHOICE_INTENTS)[number];

export interface Choice {
  readonly label: string;
  readonly intent: ChoiceIntent;
  /** A second line under the label, as the tool shows it. */
  readonly detail?: string;
  /** The choice opens a text field: a reply with it carries `text`. */
  readonly takesText?: "optional" | "required";
}

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Lowest score of each band; below LOW there is no event (adapter spec §2). */
export const CONFIDENCE_FLOOR = { high: 0.85, medium: 0.65, low: 0.6 } as const;

/** The band of a score in 0..1, or null when the score is too low to raise anything. */
export function confidenceOf(score: number): Confidence | null {
  if (score >= CONFIDENCE_FLOOR.high) return "high";
  if (score >= CONFIDENCE_FLOOR.medium) return "medium";
  if (score >= CONFIDENCE_FLOOR.low) return "low";
  return null;
}

/** Limits of a legal reply. Choices are 1-based. */
export interface Constraints {
  readonly maxLength?: number;
  readonly minChoice?: number;
  readonly maxChoice?: number;
  /** A check list: `1,3`. */
  readonly multi?: boolean;
  /** Free text may hold line feeds (the tool takes a paste). */
  readonly multiline?: boolean;
  /** The choices are no rows of the dialog on the screen: people know them by letters. Legal values are numbers as ever. */
  readonly lettered?: boolean;
  /** Answered at the terminal: what is typed from afar would go elsewhere. No value is legal. */
  readonly localOnly?: boolean;
  /** An empty value is legal and takes the tool's own default. */
  readonly allowEmpty?: boolean;
  /** Several questions at once (`free_text`): a legal value is their canonical JSON (`form.ts`). */
  readonly form?: readonly FormField[];
  /** Where no choice says no (check lists, forms): the value `decline` is legal and answers nothing of it. */
  readonly declinable?: boolean;
  /** When the tool goes on by itself without an answer (ms since 1970): it then takes none, and gets none from us. */
  readonly answerBy?: number;
  /** The value `stop` is legal: the answer that says no, and then the tool is interrupted. */
  readonly stoppable?: boolean;
}

/** Content of which the asking place shows only a part. */
export interface Cut {
  /** What is known to be missing. */
  readonly missing?: string | undefined;
  /** The text is whole, as the tool told it: what its dialog does not draw of it nobody could compare. */
  readonly told?: true | undefined;
}

/** What people do not see of a prompt because it looks like a secret. */
export interface Hidden {
  readonly characters: number;
  /** What it looks like, in words for people: `token`, `password`. */
  readonly kinds: readonly string[];
}

/** What is being approved. `cut: null` means that all of it was seen where it is asked. */
export interface PromptContent {
  readonly text: string;
  readonly cut: null | Cut;
  /** Of the whole prompt, its question and choices included. Absent: nothing is hidden. */
  readonly hidden?: Hidden;
  readonly call?: { readonly tool: string; readonly input: unknown; readonly cwd?: string };
}

/** One place that saw the prompt: a rule on the screen, a hook, a protocol request. */
export interface PromptSource {
  readonly kind: "screen" | "hook" | "protocol" | "signal";
  readonly name: string;
}

/** A stamped question (adapter spec §2 in camelCase, and more). Immutable. */
export interface PromptEvent {
  readonly promptId: PromptId;
  readonly sessionId: SessionId;
  readonly promptType: PromptType;
  readonly confidence: Confidence;
  readonly score: number;
  readonly safetyClass: SafetyClass;
  /** The question in at most 200 bytes, redacted. */
  readonly excerpt: string;
  readonly choices: readonly Choice[];
  /** 1-based choice that the tool highlights or that an empty Enter takes; null when there is none. */
  readonly defaultChoice: number | null;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /** SHA-256 hex of question and content as they stand on the tool's side, before redaction. */
  readonly contentHash: string;
  readonly fingerprint: Fingerprint;
  readonly epoch: number;
  readonly idempotencyKey: IdempotencyKey;
  readonly sources: readonly PromptSource[];
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}
