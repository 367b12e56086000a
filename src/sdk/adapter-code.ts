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

export interface AdapterCode {
  /** The candidate with what its rule cannot tell of it. Question, choices and place stay as they are. */
  readonly complete?: (dialog: DrawnDialog) => Candidate;
  /**
   * For a tool that lays a dialog out in several steps: how long (ms) this one must be still because rows of it may be missing; 0 where
   * it is whole. What its rule wants counts where that is longer. `isCorrected`: the tool was seen to correct it at the height that it has.
   */
  readonly layoutMs?: (dialog: DrawnDialog & { readonly isCorrected: boolean }) => number;
}
