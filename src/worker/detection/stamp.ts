/** From what a rule found to what the hub hears: identity, excerpt, redaction (adapter spec §3.1). */
import { isoInstant, type Clock } from "../../model/clock.js";
import { invariant } from "../../model/errors.js";
import { asId, type PromptId, type SessionId } from "../../model/ids.js";
import {
  confidenceOf,
  type Choice,
  type Constraints,
  type PromptContent,
  type PromptEvent,
  type PromptSource,
} from "../../model/prompt.js";
import { canStop } from "../../model/answer/rejecting.js";
import { mapStrings } from "../../model/data/map-strings.js";
import type { Random } from "../../observe/random.js";
import { excerptOf } from "../../safety/excerpt.js";
import { measureHidden } from "../../safety/redact.js";
import type { Candidate } from "../../sdk/candidate.js";
import { askedText, beginningOf, contentHashOf, shownContent } from "./asked-content.js";
import { idempotencyKeyOf } from "./idempotency-key.js";

export interface StampOptions {
  readonly sessionId: SessionId;
  readonly random: Pick<Random, "uuid">;
  readonly clock: Pick<Clock, "now">;
  /** Takes secrets out of text that people or logs will see. */
  readonly redact: (text: string) => string;
  /** Who saw it; absent: the rule on the screen. */
  readonly source?: PromptSource;
  /** Somebody far away can interrupt the tool, and see whether it stopped. */
  readonly stoppable?: boolean;
  /** Nothing is known of the tool: people are told where more stands above what it asks. */
  readonly tellsAbove?: boolean;
}

/** What is asked, by whatever source: a candidate on the screen, or a hook call. */
export type StampedPrompt = Pick<
  Candidate,
  | "rule"
  | "promptType"
  | "safetyClass"
  | "score"
  | "question"
  | "highlighted"
  | "constraints"
  | "content"
  | "hasMoreAbove"
  | "fingerprint"
> & { readonly choices: readonly Choice[] };

/** Its score is in a band: the tracker raises no other. */
export function stamp(candidate: StampedPrompt, epoch: number, options: StampOptions): PromptEvent {
  const { sessionId, redact } = options;
  const confidence = confidenceOf(candidate.score);
  invariant(confidence, "a candidate below the lowest band was stamped");
  const event: PromptEvent = {
    promptId: asId<PromptId>(options.random.uuid()),
    sessionId,
    promptType: candidate.promptType,
    confidence,
    score: candidate.score,
    safetyClass: candidate.safetyClass,
    excerpt: excerptOf(redact(beginningOf(candidate.question))),
    choices: candidate.choices.map((choice) => shownChoice(choice, redact)),
    defaultChoice: candidate.highlighted,
    constraints: {
      ...shownConstraints(candidate.constraints, redact),
      ...(options.stoppable && canStop(candidate) && { stoppable: true }),
    },
    content: markHidden(candidate, wholeContent(candidate, options)),
    contentHash: contentHashOf(candidate.question, candidate.content.text),
    fingerprint: candidate.fingerprint,
    epoch,
    idempotencyKey: idempotencyKeyOf(sessionId, epoch, candidate.fingerprint),
    sources: [options.source ?? { kind: "screen", name: candidate.rule }],
    timestamp: isoInstant(options.clock.now()),
  };
  if (event.content.hidden) unredacted.set(event, beginningOf(plainText(candidate)));
  return event;
}

/** What prompts say in full, for their own user at this machine; as long as the worker has the prompt, and nowhere else. */
const unredacted = new WeakMap<PromptEvent, string>();

/** The prompt without anything hidden; null where nothing is, and of a secret. Not safe to show as it is. */
export function revealPrompt(event: PromptEvent): string | null {
  return unredacted.get(event) ?? null;
}

function plainText({ question, content, choices }: StampedPrompt): string {
  const labels = choices.map(
    ({ label, detail }, at) => `${at + 1}  ${label}${detail === undefined ? "" : `\n   ${detail}`}`,
  );
  return [question, content.text, labels.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Only what people need: how a choice is typed stays with the worker. */
function shownChoice({ label, intent, detail, takesText }: Choice, redact: (text: string) => string): Choice {
  return {
    label: redact(label),
    intent,
    ...(detail !== undefined && { detail: redact(detail) }),
    ...(takesText && { takesText }),
  };
}

/** Said after "missing:". */
const ABOVE = "what stands above it on the screen";

/** Nothing of a secret is kept beside its question. Made safe to show, a text may have grown. */
function wholeContent(
  { promptType, question, content, hasMoreAbove }: StampedPrompt,
  { redact, tellsAbove }: StampOptions,
): PromptContent {
  if (promptType === "secret") return content;
  const text = askedText(question, content.text, redact);
  const cut = content.cut ?? (tellsAbove && hasMoreAbove ? { missing: ABOVE } : null);
  return shownContent({ ...content, text, cut }, redact);
}

/** Says how much of all that people would read is hidden, once for what stands in the content and again in the call. */
function markHidden(
  { promptType, question, choices, constraints, content }: StampedPrompt,
  shown: PromptContent,
) {
  if (promptType === "secret") return shown;
  const form: string[] = [];
  mapStrings(constraints.form ?? null, (text) => (form.push(text), text));
  const labels = choices.flatMap(({ label, detail }) => (detail === undefined ? [label] : [label, detail]));
  const asked = content.text.includes(question) ? [content.text] : [question, content.text];
  const call: string[] = [];
  mapStrings(content.call?.input ?? null, (text) => (call.push(text), text));
  const hidden =
    measureHidden([...asked, ...labels, ...form].map(beginningOf)) ?? measureHidden(call.map(beginningOf));
  return hidden === null ? shown : { ...shown, hidden };
}

/** A form is answered by the labels that were shown; whoever puts the answer in knows which ones they are. */
function shownConstraints(constraints: Constraints, redact: (text: string) => string): Constraints {
  const { form } = constraints;
  return form ? { ...constraints, form: mapStrings(form, redact) as typeof form } : constraints;
}
