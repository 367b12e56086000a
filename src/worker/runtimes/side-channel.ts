/** What a tool says of itself beside its screen: to hooks of this run, or to whoever is attached to it. Never both. */
import type { InjectionResult } from "../../sdk/adapter.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { LiveDetector } from "../detection/live/live-detector.js";
import type { StampedPrompt } from "../detection/stamp.js";
import type { TrackerOutput } from "../detection/live/tracker.js";
import type { Terminal } from "../process/terminal.js";
import type { PendingRequest, RequestResult } from "../prompts/pending-request.js";
import type { ToolSignals } from "../signals/tool-signals.js";
import type { LastMessage } from "./terminal/last-message.js";
import type { PromptRegistry } from "./terminal/prompts/prompt-registry.js";

export interface SideChannel {
  /** Null: this tool takes no answer to a form in the place of its dialog. */
  readonly formOverrides: FormOverride | null;
  /** A dialog appeared or left, or the tool does something else. Dialogs are passed on to the registry from here. */
  onTracker(output: TrackerOutput): void;
  /** What the tool says of itself on its terminal may have changed. */
  onSignal(): void;
  stop(): void;
}

/** What the tool said of its dialogs before it drew them. */
export interface DialogPreviews {
  /** The question with all that the tool said of it, where its dialog does not show everything. */
  complete(question: StampedPrompt | Candidate): StampedPrompt;
  /** The form behind a dialog that no rule can read; null where it is not known. */
  formOf(dialog: Candidate): PendingRequest | null;
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
  /** Its process leads the tool's session. */
  readonly terminal: Pick<Terminal, "pid">;
  readonly signals: Pick<ToolSignals, "now">;
  /** Is woken when something happened that the screen may show in a moment. */
  readonly detector: Pick<LiveDetector, "toolState" | "wake">;
}

/** The side channel of one run. */
export interface SideChannelSource {
  /** Null where the tool says nothing of its dialogs. */
  readonly previews: DialogPreviews | null;
  open(host: SideChannelHost): SideChannel;
}
