/** A request of the tool that waits for a person: its prompt, and the result that each answer sends back. */
import type { FormField } from "../../model/answer/form.js";
import type { PromptContent, PromptSource } from "../../model/prompt.js";
import type { Refusal } from "../../model/answer/refusal.js";
import type { Reply } from "../../model/answer/reply.js";
import type { Candidate } from "../../sdk/candidate.js";
import { computeFingerprint } from "../detection/layout/fingerprint.js";
import type { StampedPrompt } from "../detection/stamp.js";

export type RequestResult = Readonly<Record<string, unknown>>;

export interface GivenAnswer extends Pick<Reply, "value" | "text"> {
  /** The form as people saw it: an answer names its options by the labels that were shown. */
  readonly shownForm?: readonly FormField[] | undefined;
}

export type RequestRoute = "hook" | "protocol";

export interface PendingRequest {
  /** Absent: a protocol's request, named after the prompt's rule. */
  readonly source?: PromptSource & { readonly kind: RequestRoute };
  readonly prompt: StampedPrompt;
  /** `given.value` is legal for the prompt. Pure. */
  readonly answer: (given: GivenAnswer) => { readonly result: RequestResult } | Refusal;
  /** The result that says that nobody will answer any more. */
  readonly cancelled: RequestResult;
  /** The No that does nothing else; for a session in which nobody can answer. */
  readonly refused: RequestResult;
  /** Whether the tool has ended the step that it asks about, without waiting for the answer. */
  readonly isOver?: () => boolean;
  /** Whether this dialog is the tool's own drawing of it. Absent: the tool draws none. */
  readonly matchesDialog?: (dialog: Candidate) => boolean;
  /** Choices (from 1) that the tool's own dialog, where it has one, does not offer. */
  readonly undrawnChoices?: readonly number[];
  /** Whether the tool reports the end of the request. Then nothing else ends it. */
  readonly reportsEnd?: boolean;
  /** Resolves when the tool has acknowledged the answer; never rejects. Absent: the tool acknowledges nothing. */
  readonly acknowledged?: Acknowledged;
}

export type Acknowledged = () => Promise<DeliveryProof>;

/**
 * `heard`: the tool responded to a request that was sent after the answer. `acknowledged`: it accepted the answer. `overtaken`: it had
 * stopped waiting. `refused`: it returned an error. `silent`: it did not respond. `gone`: the connection ended.
 */
export type DeliveryProof = "heard" | "acknowledged" | "overtaken" | "refused" | "silent" | "gone";

export function getSource({
  source,
  prompt: question,
}: PendingRequest): PromptSource & { readonly kind: RequestRoute } {
  return source ?? { kind: "protocol", name: question.rule };
}

export function withDeadline(request: PendingRequest, answerBy: number, isRefused: boolean): PendingRequest {
  const { prompt } = request;
  const constraints = { ...prompt.constraints, answerBy, ...(isRefused && { refusedLate: true }) };
  return { ...request, prompt: { ...prompt, constraints } };
}

const SCORE = 1;

/** The parts of a prompt that a request provides; `text` has to be read beside its question, `call` is the tool call it is about. */
export interface RequestPromptParts extends Pick<
  StampedPrompt,
  "rule" | "question" | "choices" | "promptType" | "constraints" | "safetyClass"
> {
  readonly text: string;
  readonly call: PromptContent["call"] | null;
}

export function createRequestPrompt({ text, call, ...known }: RequestPromptParts): StampedPrompt {
  return {
    ...known,
    score: SCORE,
    highlighted: null,
    content: { text, cut: null, ...(call && { call }) },
    fingerprint: computeFingerprint({ ...known, drawn: text }),
  };
}
