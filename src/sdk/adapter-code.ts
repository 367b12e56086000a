/** Tool behaviour without a key in the adapter file: `adapters/<tool>.ts` beside `adapters/<tool>.yaml` (ADR 33). Pure functions. */
import type { Candidate } from "./candidate.js";
import type { View } from "./view.js";

export interface DrawnDialog {
  /** As a rule of the adapter file found it. */
  readonly candidate: Candidate;
  readonly view: View;
}

/** How an agent that speaks a protocol uses permission requests for other prompts. Without this, its requests have their ordinary meaning. */
export interface AgentRequests {
  /** Whether a request with this title asks for a plan's approval, if the kind of its call is not specific. */
  readonly isPlan?: (title: string) => boolean;
  /**
   * The model's questions in such a request: a list of `{ question, header, multiSelect, options: [{ label, description }] }`.
   * A permission mode never answers them, and the answers go back as `answers`, keyed by the question's index from 0.
   */
  readonly readQuestions?: (params: Readonly<Record<string, unknown>>) => unknown;
}

export interface AdapterCode {
  readonly agentRequests?: AgentRequests;
  /** Adds to the candidate what its rule cannot express. Question, choices and rows stay unchanged. */
  readonly complete?: (dialog: DrawnDialog) => Candidate;
  /**
   * For a tool that draws a dialog in several steps: how long (ms) the dialog must be unchanged because rows may be missing; 0
   * if it is complete. The rule's own value applies if it is longer. `isCorrected`: the tool was seen to redraw it at its
   * current height.
   */
  readonly computeLayoutMs?: (dialog: DrawnDialog & { readonly isCorrected: boolean }) => number;
}
