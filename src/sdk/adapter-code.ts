/**
 * What one tool does that its adapter file has no key for: `adapters/<tool>.ts`, beside `adapters/<tool>.yaml` (ADR 33). Pure functions
 * of what they are given.
 */
import type { Candidate } from "./candidate.js";
import type { View } from "./view.js";

export interface DrawnDialog {
  /** As a rule of the adapter file found it. */
  readonly candidate: Candidate;
  readonly view: View;
}

/** What an agent that is talked to asks by requests for permission besides permissions. Nothing: it asks as its protocol has it. */
export interface AgentRequests {
  /** Whether a request of this title is a plan's approval, where the kind of its call does not tell. */
  readonly isPlan?: (title: string) => boolean;
  /**
   * The questions of its model in such a request: a list of `{ question, header, multiSelect, options: [{ label, description }] }`. They are
   * never answered by a permission mode, and the answers go back as `answers`, by the places of the questions from 0.
   */
  readonly questionsIn?: (params: Readonly<Record<string, unknown>>) => unknown;
}

export interface AdapterCode {
  readonly agentRequests?: AgentRequests;
  /** The candidate with what its rule cannot tell of it. Question, choices and place stay as they are. */
  readonly complete?: (dialog: DrawnDialog) => Candidate;
  /**
   * For a tool that lays a dialog out in several steps: how long (ms) this one must be still because rows of it may be missing; 0 where
   * it is whole. What its rule wants counts where that is longer. `isCorrected`: the tool was seen to correct it at the height that it has.
   */
  readonly layoutMs?: (dialog: DrawnDialog & { readonly isCorrected: boolean }) => number;
}
