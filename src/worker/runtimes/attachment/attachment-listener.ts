/** What a joined tool asks, brought together with its dialogs. */
import type { Clock } from "../../../model/clock.js";
import type { Candidate } from "../../../sdk/candidate.js";
import type { Signals } from "../../../sdk/view.js";
import type { CallAsk } from "../../prompts/call-ask.js";
import { isAskedByCalls } from "../../prompts/dialog-matches-call.js";
import type { Question } from "../../detection/stamp.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import type { WaitingCall } from "../../prompts/waiting-call.js";
import { CallWait } from "../../prompts/await-hook-for-dialog.js";
import type { PromptWatch } from "../terminal/prompts/prompt-registry.js";
import type { ToolTells } from "../side-channel.js";
import type { ToolWords } from "../terminal/last-message.js";
import type { JoinAccess, Joined } from "./attachment.js";

export interface JoinedListenerOptions {
  readonly access: JoinAccess;
  readonly clock: Clock;
  readonly cwd: string;
  /** The leader of the tool's session; null before it was started. */
  readonly pid: () => number | null;
  readonly prompts: PromptWatch;
  readonly words: ToolWords;
  readonly signals: () => Signals;
}

export class JoinedListener implements ToolTells {
  readonly corrections = null;
  readonly #options: JoinedListenerOptions;
  readonly #joined: Joined;
  readonly #wait: CallWait;

  constructor(options: JoinedListenerOptions) {
    this.#options = options;
    const { access, clock, cwd, pid, prompts, words, signals } = options;
    this.#joined = access.join({
      clock,
      cwd,
      leader: pid,
      declared: () => signals().declared,
      onRequest: (call, ask) => this.#take(call, ask),
      onTurnOver: (said) => words.told("idle", said),
    });
    this.#wait = new CallWait({
      clock,
      isExpected: (dialog) => this.#joined.isExpecting && isAskedByCalls(dialog) && !prompts.isOwned(dialog),
      pass: (output) => prompts.onTracker(output),
    });
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind !== "state") this.#wait.take(output);
  }

  onSignal(): void {
    this.#joined.onSignal();
  }

  /** A request has its whole content with it. */
  completed(question: Question | Candidate): Question {
    return question;
  }

  formOf(): null {
    return null;
  }

  stop(): void {
    this.#wait.stop();
    this.#joined.close();
  }

  #take(call: WaitingCall, ask: CallAsk): void {
    this.#options.prompts.onCall(call, ask);
    this.#wait.called(ask);
  }
}
