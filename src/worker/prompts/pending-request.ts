/** A request of the tool that waits for a person: what is asked, and what goes back for each answer. */
import type { FormField } from "../../model/answer/form.js";
import type { PromptContent, PromptSource } from "../../model/prompt.js";
import type { Rejection } from "../../model/answer/rejection.js";
import type { Reply } from "../../model/answer/reply.js";
import type { Candidate } from "../../sdk/candidate.js";
import { computeFingerprint } from "../detection/layout/fingerprint.js";
import type { StampedPrompt } from "../detection/stamp.js";

/** What goes back to the tool, as JSON. */
export type RequestResult = Readonly<Record<string, unknown>>;

export interface GivenAnswer extends Pick<Reply, "value" | "text"> {
  /** The form as people saw it: an answer names its options by the labels that were shown. */
  readonly shownForm?: readonly FormField[] | undefined;
}

/** The routes on which a request is answered: no key is written there. */
export type RequestRoute = "hook" | "protocol";

export interface PendingRequest {
  /** Absent: a protocol's request that is called as the question's rule is. */
  readonly source?: PromptSource & { readonly kind: RequestRoute };
  readonly question: StampedPrompt;
  /** `given.value` is legal for the question. Pure. */
  readonly answer: (given: GivenAnswer) => { readonly result: RequestResult } | Rejection;
  /** What says that nobody answers any more. */
  readonly cancelled: RequestResult;
  /** The No that does nothing else; for a session in which nobody can answer. */
  readonly refused: RequestResult;
  /** The tool has reported that what it asks about is over: it did not wait for the answer. */
  readonly isOver?: () => boolean;
  /** Whether this dialog is the tool's own drawing of it. Absent: the tool draws none. */
  readonly isDrawnBy?: (dialog: Candidate) => boolean;
  /** Choices (from 1) that the tool's own dialog, where it has one, does not offer. */
  readonly undrawn?: readonly number[];
  /** The tool says when it waits no longer, whoever answered: nothing else ends it. */
  readonly reportsEnd?: boolean;
  /** Where the tool acknowledges each answer by itself: what it said to the one that was given. Absent: what it says later proves it. */
  readonly acknowledged?: Acknowledged;
}

/** Resolves when the tool has said so; never rejects. */
export type Acknowledged = () => Promise<DeliveryProof>;

/**
 * What was seen of an answer that was sent. `heard`: the tool spoke afterwards. `acknowledged`: it took this very answer. `overtaken`:
 * it says that it did not wait for one any more. `refused`: it answered with an error. `silent`: it said nothing. `gone`: the connection
 * to it ended.
 */
export type DeliveryProof = "heard" | "acknowledged" | "overtaken" | "refused" | "silent" | "gone";

export function sourceOf({
  source,
  question,
}: PendingRequest): PromptSource & { readonly kind: RequestRoute } {
  return source ?? { kind: "protocol", name: question.rule };
}

/** A protocol's own request is certain. */
const SCORE = 1;

/** What a request says of its question; `text` is what has to be read beside it, `call` what it is about. */
export interface Requested extends Pick<
  StampedPrompt,
  "rule" | "question" | "choices" | "promptType" | "constraints" | "safetyClass"
> {
  readonly text: string;
  readonly call: PromptContent["call"] | null;
}

/** A question that a protocol asks: certain, nothing of it highlighted, its content whole. Pure. */
export function requestedQuestion({ text, call, ...known }: Requested): StampedPrompt {
  return {
    ...known,
    score: SCORE,
    highlighted: null,
    content: { text, cut: null, ...(call && { call }) },
    fingerprint: computeFingerprint({ ...known, drawn: text }),
  };
}
