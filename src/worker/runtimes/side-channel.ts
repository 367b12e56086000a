/** What a tool tells by itself, besides what it draws: to hooks of this run, or to whoever has joined it. Never both. */
import type { Candidate } from "../../sdk/candidate.js";
import type { StampedPrompt } from "../detection/stamp.js";
import type { TrackerOutput } from "../detection/live/tracker.js";
import type { PendingRequest } from "../prompts/pending-request.js";
import type { OpenPrompt } from "./terminal/prompts/open-prompt.js";
import type { FormOverrides } from "../integrations/hooks/form-overrides.js";

export interface SideChannel {
  /** Where forms are answered after their dialog was closed; null: nowhere. */
  readonly corrections: FormOverrides | null;
  /** A dialog came or went, or the tool does something else; what is asked goes on from here. */
  onTracker(output: TrackerOutput): void;
  /** What the tool says of itself on its terminal may have changed. */
  onSignal(): void;
  /** What is asked, with all that the tool told of it where its dialog does not show all. */
  completed(question: StampedPrompt | Candidate): StampedPrompt;
  /** The form as which a dialog was asked that nobody can read; null when it is not known any more. */
  formOf(asked: OpenPrompt): PendingRequest | null;
  stop(): void;
}
