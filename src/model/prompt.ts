/** The vocabulary of prompts (adapter spec §2, §3.1). */
import type { FormField } from "./answer/form.js";
import type { OfferedKey } from "./answer/screen-keys.js";
import type { Fingerprint, IdempotencyKey, PromptId, SessionId } from "./ids.js";

export const PROMPT_TYPES = [
  "yes_no",
  "confirm_enter",
  "multiple_choice",
  "free_text",
  "secret",
  "unknown",
] as const;
/** What kind of answer a prompt takes (adapter spec §2). `secret`: none from afar. `unknown`: no rule reads the screen. */
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
/** What a prompt is about, by which policies and cards tell prompts apart. */
export type SafetyClass = (typeof SAFETY_CLASSES)[number];

export const CHOICE_INTENTS = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
  "other",
] as const;
/** What a choice does, in ACP's terms. */
export type ChoiceIntent = (typeof CHOICE_INTENTS)[number];

/** One possible answer of a prompt. Choices are numbered from 1. */
export interface Choice {
  readonly label: string;
  readonly intent: ChoiceIntent;
  /** A second line under the label, as the tool shows it. */
  readonly detail?: string;
  /** The choice opens a text field: a reply with it carries `text`. */
  readonly takesText?: "optional" | "required";
}

export const CONFIDENCES = ["high", "medium", "low"] as const;
/** The band of a score: see `CONFIDENCE_FLOOR`. */
export type Confidence = (typeof CONFIDENCES)[number];

/** Lowest score of each band; below LOW there is no event (adapter spec §2). */
export const CONFIDENCE_FLOOR = { high: 0.85, medium: 0.65, low: 0.6 } as const;

/** The band of a score in 0..1, or null if the score is too low to raise anything. */
export function toConfidence(score: number): Confidence | null {
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
  /** Free text may contain line feeds (the tool accepts a paste). */
  readonly multiline?: boolean;
  /** The rows on the screen have other numbers than the choices, so people see letters. Legal values are still numbers. */
  readonly lettered?: boolean;
  /** Answered only at the terminal, because remotely typed text would go elsewhere. No value is legal. */
  readonly localOnly?: boolean;
  /** An empty value is legal and selects the tool's own default. */
  readonly allowEmpty?: boolean;
  /** Several questions at once (`free_text`): a legal value is their canonical JSON (`form.ts`). */
  readonly form?: readonly FormField[];
  /** If no choice rejects (check lists, forms): the value `decline` is legal and answers nothing. */
  readonly declinable?: boolean;
  /** When the tool continues without an answer (ms since 1970); from then on it gets none from us. */
  readonly answerBy?: number;
  /** At `answerBy` the tool gets a No from us if nobody has answered, and does not merely go on. */
  readonly refusedLate?: boolean;
  /** Of a screen that no rule reads: the keys that may be pressed besides Enter, with their labels on the screen. */
  readonly keys?: readonly OfferedKey[];
  /** The value `stop` is legal: it rejects and then interrupts the tool. */
  readonly stoppable?: boolean;
}

/** Content that is shown only partly where the tool asks. */
export interface Cut {
  /** The known missing part. */
  readonly missing?: string | undefined;
  /** The text is complete as the tool's hook reported it, but the part not on the screen cannot be verified. */
  readonly told?: true | undefined;
  /** The terminal has more rows above the shown ones, which may or may not belong to the question. */
  readonly above?: true | undefined;
}

/** What people cannot see of a prompt: parts that look like a secret, and who has drawn it. */
export interface Hidden {
  /** 0: no part is hidden. */
  readonly characters: number;
  /** The kind of secret: `token`, `password`. */
  readonly kinds: readonly string[];
  /** Another program may have opened the terminal while it was drawn, and the answer goes to the tool. */
  readonly opened?: true | undefined;
}

/** The content to approve. `cut: null`: everything was visible where the tool asks. */
export interface PromptContent {
  readonly text: string;
  readonly cut: null | Cut;
  /** Covers the whole prompt with question and choices. Absent: people see all of it. */
  readonly hidden?: Hidden;
  readonly call?: { readonly tool: string; readonly input: unknown; readonly cwd?: string };
}

/** One source that saw the prompt: a rule on the screen, a hook, a protocol request. */
export interface PromptSource {
  readonly kind: "screen" | "hook" | "protocol" | "signal";
  readonly name: string;
}

/** A detected prompt with its ids (adapter spec §2 in camelCase, extended). Immutable. */
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
  /** 1-based choice that the tool highlights or that an empty Enter selects; null if there is none. */
  readonly defaultChoice: number | null;
  readonly constraints: Constraints;
  readonly content: PromptContent;
  /** SHA-256 hex of question and content before redaction. */
  readonly contentHash: string;
  readonly fingerprint: Fingerprint;
  readonly epoch: number;
  readonly idempotencyKey: IdempotencyKey;
  readonly sources: readonly PromptSource[];
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}
