/** What a tool reports about itself beside its screen: to hooks of this session, or over an attachment. Never both. */
import type { InjectionResult } from "../../sdk/adapter.js";
import type { Candidate } from "../../sdk/candidate.js";
import type { LiveDetector } from "../detection/live/live-detector.js";
import type { StampedPrompt } from "../detection/stamp.js";
import type { TrackerOutput } from "../detection/live/tracker.js";
import type { Terminal } from "../process/terminal.js";
import type { PendingRequest, RequestResult } from "../prompts/pending-request.js";
import type { ToolSignals } from "../signals/tool-signals.js";
import type { LastMessage } from "./terminal/last-message.js";
import type { JoinedPrompts } from "./terminal/joined/joined-prompts.js";
import type { ReadingWatch } from "./terminal/joined/reading-watch.js";

export interface SideChannel {
  /** Null: this tool accepts no answer to a form in place of its dialog. */
  readonly formOverrides: FormOverride | null;
  /** Call when a dialog appeared or left, or the tool's state changed. Dialogs are passed on to `JoinedPrompts` from here. */
  onTracker(output: TrackerOutput): void;
  /** Call when the state that the tool reports on its terminal may have changed. */
  onSignal(): void;
  stop(): void;
}

/** What the tool reported about its dialogs before it drew them. */
export interface DialogPreviews {
  /** Completes a question with what the tool reported about it, where its dialog does not show everything. */
  complete(question: StampedPrompt | Candidate): StampedPrompt;
  /** Finds the form behind a dialog that no rule can read; null where it is not known. */
  findForm(dialog: Candidate): PendingRequest | null;
}

/** Answers a form whose dialog is drawn: closes the dialog and gives the tool the answer instead. */
export interface FormOverride {
  /** Closes the dialog with `close`, and returns what became of `result`. One at a time. */
  override(result: RequestResult, close: () => Promise<InjectionResult>): Promise<InjectionResult>;
  onOurKey(): void;
}

/** The parts of the session that a side channel may use. */
export interface SideChannelHost {
  readonly prompts: JoinedPrompts;
  /** Compares what the tool reported with the dialog that draws it. */
  readonly readings: Pick<ReadingWatch, "compare">;
  readonly lastMessage: LastMessage;
  /** Its process is the leader of the tool's session. */
  readonly terminal: Pick<Terminal, "pid">;
  readonly signals: Pick<ToolSignals, "current">;
  /** Is woken when something happened that the screen may soon show. */
  readonly detector: Pick<LiveDetector, "toolState" | "wake">;
}

/** Opens the side channel of one session. */
export interface SideChannelSource {
  /** Null where the tool reports nothing about its dialogs. */
  readonly previews: DialogPreviews | null;
  open(host: SideChannelHost): SideChannel;
}
