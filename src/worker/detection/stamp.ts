/** Turns a candidate into the event that the hub gets: identity, excerpt, redaction (adapter spec §3.1). */
import { createHash } from "node:crypto";
import { formatInstant, type Clock } from "../../model/clock.js";
import { assertInvariant } from "../../model/errors.js";
import {
  asId,
  type Fingerprint,
  type IdempotencyKey,
  type PromptId,
  type SessionId,
} from "../../model/ids.js";
import {
  toConfidence,
  type Choice,
  type Constraints,
  type PromptContent,
  type PromptEvent,
  type PromptSource,
} from "../../model/prompt.js";
import { canStop } from "../../model/answer/rejecting.js";
import { mapStrings } from "../../model/data/map-strings.js";
import type { Random } from "../../observe/random.js";
import { makeExcerpt } from "../../safety/excerpt.js";
import { measureHidden } from "../../safety/redact.js";
import type { Candidate } from "../../sdk/candidate.js";
import { prependQuestion, limitText, hashContent, redactContent } from "./prompt-content.js";

export interface StampOptions {
  readonly sessionId: SessionId;
  readonly random: Pick<Random, "uuid">;
  readonly clock: Pick<Clock, "now">;
  /** Takes secrets out of text that people or logs will see. */
  readonly safeText: (text: string) => string;
  /** What reported the prompt; absent: the rule that matched the screen. */
  readonly source?: PromptSource;
  /** The tool can be interrupted remotely, and it can be seen whether it stopped. */
  readonly stoppable?: boolean;
  /** The tool is unknown, so people get a note when the screen shows more text above the prompt. */
  readonly notesTextAbove?: boolean;
}

/** The facts of a prompt from any source: a candidate on the screen, or a request. */
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
  | "opened"
> & { readonly choices: readonly Choice[] };

/** The candidate's score must be in a confidence band; the tracker raises no other. */
export function stamp(candidate: StampedPrompt, epoch: number, options: StampOptions): PromptEvent {
  const { sessionId, safeText } = options;
  const confidence = toConfidence(candidate.score);
  assertInvariant(confidence, "a candidate below the lowest band was stamped");
  const event: PromptEvent = {
    promptId: asId<PromptId>(options.random.uuid()),
    sessionId,
    promptType: candidate.promptType,
    confidence,
    score: candidate.score,
    safetyClass: candidate.safetyClass,
    excerpt: makeExcerpt(safeText(limitText(candidate.question))),
    choices: candidate.choices.map((choice) => redactChoice(choice, safeText)),
    defaultChoice: candidate.highlighted,
    constraints: {
      ...redactConstraints(candidate.constraints, safeText),
      ...(options.stoppable && canStop(candidate) && { stoppable: true }),
    },
    content: markHidden(candidate, stampContent(candidate, options)),
    contentHash: hashContent(candidate.question, candidate.content.text),
    fingerprint: candidate.fingerprint,
    epoch,
    idempotencyKey: createIdempotencyKey(sessionId, epoch, candidate.fingerprint),
    sources: [options.source ?? { kind: "screen", name: candidate.rule }],
    timestamp: formatInstant(options.clock.now()),
  };
  if (event.content.hidden) unredacted.set(event, limitText(joinPlainText(candidate)));
  return event;
}

/** Unredacted texts of prompts, for the user at this machine. They stay in this process and go when the prompt goes. */
const unredacted = new WeakMap<PromptEvent, string>();

/** The unredacted text of a prompt; null where nothing was redacted, and for a secret. It may hold control characters. */
export function revealPrompt(event: PromptEvent): string | null {
  return unredacted.get(event) ?? null;
}

function joinPlainText({ question, content, choices }: StampedPrompt): string {
  const labels = choices.map(
    ({ label, detail }, at) => `${at + 1}  ${label}${detail === undefined ? "" : `\n   ${detail}`}`,
  );
  return [question, content.text, labels.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** The fields of a choice that people need; how it is typed stays in the worker. */
function redactChoice(
  { label, intent, detail, takesText }: Choice,
  safeText: (text: string) => string,
): Choice {
  return {
    label: safeText(label),
    intent,
    ...(detail !== undefined && { detail: safeText(detail) }),
    ...(takesText && { takesText }),
  };
}

/** A secret prompt keeps its question only. */
function stampContent(
  { promptType, question, content, hasMoreAbove }: StampedPrompt,
  { safeText, notesTextAbove }: StampOptions,
): PromptContent {
  if (promptType === "secret") return content;
  const text = prependQuestion(question, content.text, safeText);
  const cut = content.cut ?? (notesTextAbove && hasMoreAbove ? { above: true } : null);
  return redactContent({ ...content, text, cut }, safeText);
}

/** Notes what people cannot see: how much was redacted, and that another program may have drawn it. The call repeats the content, so it only counts where the content hides nothing. */
function markHidden(
  { promptType, question, choices, constraints, content, opened }: StampedPrompt,
  shown: PromptContent,
) {
  if (promptType === "secret") return shown;
  const form: string[] = [];
  mapStrings(constraints.form ?? null, (text) => (form.push(text), text));
  const labels = choices.flatMap(({ label, detail }) => (detail === undefined ? [label] : [label, detail]));
  const questionAndText = content.text.includes(question) ? [content.text] : [question, content.text];
  const call: string[] = [];
  mapStrings(content.call?.input ?? null, (text) => (call.push(text), text));
  const hidden =
    measureHidden([...questionAndText, ...labels, ...form].map(limitText)) ??
    measureHidden(call.map(limitText));
  if (hidden === null && !opened) return shown;
  return { ...shown, hidden: { characters: 0, kinds: [], ...hidden, ...(opened && { opened }) } };
}

/** A form is answered by its redacted labels; the worker maps them back to the real ones. */
function redactConstraints(constraints: Constraints, safeText: (text: string) => string): Constraints {
  const { form, keys } = constraints;
  return {
    ...constraints,
    ...(form && { form: mapStrings(form, safeText) as typeof form }),
    ...(keys && {
      keys: keys.map((key) => (key.does === undefined ? key : { ...key, does: safeText(key.does) })),
    }),
  };
}

/** The same for every source and every redraw of one prompt, and another one when the tool prompts again (ADR 3). */
export function createIdempotencyKey(
  sessionId: SessionId,
  epoch: number,
  fingerprint: Fingerprint,
): IdempotencyKey {
  const key = createHash("sha256").update(`${sessionId}\n${epoch}\n${fingerprint}`).digest("hex");
  return asId<IdempotencyKey>(key);
}
