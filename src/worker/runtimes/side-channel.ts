/** What a tool says of itself beside its screen: to hooks of this run, or to whoever is attached to it. Never both. */
import type { ToolState } from "../../model/tool-state.js";
import type { InjectionResult } from "../../sdk/adapter.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { Signals } from "../../sdk/view.js";
import type { StampedPrompt } from "../detection/stamp.js";
import type { TrackerOutput } from "../detection/live/tracker.js";
import type { PendingRequest, RequestResult } from "../prompts/pending-request.js";
import type { LastMessage } from "./terminal/last-message.js";
import type { OpenPrompt } from "./terminal/prompts/open-prompt.js";
import type { PromptRegistry } from "./terminal/prompts/prompt-registry.js";

export interface SideChannel {
  /** Null: this tool takes no answer to a form in the place of its dialog. */
  readonly formOverrides: FormOverride | null;
  /** A dialog appeared or left, or the tool does something else. What is asked is passed on from here. */
  onTracker(output: TrackerOutput): void;
  /** What the tool says of itself on its terminal may have changed. */
  onSignal(): void;
  /** The question with all that the tool said of it, where its dialog does not show everything. */
  complete(question: StampedPrompt | Candidate): StampedPrompt;
  /** The form behind a dialog that no rule can read; null where it is not known. */
  formOf(asked: OpenPrompt): PendingRequest | null;
  stop(): void;
}

/** Answers a form whose dialog is drawn, by closing the dialog and giving the tool the answer in its place. */
export interface FormOverride {
  /** Closes the dialog with `close`, and says what became of `result`. One at a time. */
  around(result: RequestResult, close: () => Promise<InjectionResult>): Promise<InjectionResult>;
  /** A key of ours is about to be written. */
  onOurKey(): void;
}

/** What a side channel may use of the session. */
export interface SideChannelHost {
  readonly prompts: PromptRegistry;
  readonly words: LastMessage;
  /** The leader of the tool's session; null before it was started. */
  readonly pid: () => number | null;
  readonly signals: () => Signals;
  /** As the screen shows it. */
  readonly toolState: () => ToolState | null;
  /** Something happened that the screen may show in a moment. */
  readonly onNews: () => void;
}

/** How a session opens the side channel of its tool. */
export interface SideChannelSource {
  /** Null where the tool says nothing beside its screen. */
  open(host: SideChannelHost): SideChannel | null;
}
