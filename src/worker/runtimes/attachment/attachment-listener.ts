/** What a joined tool asks, brought together with its dialogs. */
import type { Clock } from "../../../model/clock.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import { isAskedByCalls } from "../../prompts/dialog-matches-call.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import type { ReplyPath } from "../../prompts/reply-path.js";
import { HookDialogWait } from "../../prompts/await-hook-for-dialog.js";
import type { SideChannel, SideChannelHost } from "../side-channel.js";
import type { AttachAccess, Attachment } from "./attachment.js";

export interface AttachmentListenerOptions extends SideChannelHost {
  readonly access: AttachAccess;
  readonly clock: Clock;
  readonly cwd: string;
}

export class AttachmentListener implements SideChannel {
  readonly formOverrides = null;
  readonly #options: AttachmentListenerOptions;
  readonly #joined: Attachment;
  readonly #wait: HookDialogWait;

  constructor(options: AttachmentListenerOptions) {
    this.#options = options;
    const { access, clock, cwd, terminal, prompts, words, signals } = options;
    this.#joined = access.join({
      clock,
      cwd,
      leader: () => terminal.pid,
      declared: () => signals.now.declared,
      onRequest: (request, path) => this.#take(request, path),
      onTurnOver: (said) => words.told("idle", said),
    });
    this.#wait = new HookDialogWait({
      clock,
      isExpected: (dialog) =>
        this.#joined.isExpecting && isAskedByCalls(dialog) && !prompts.hasRequestFor(dialog),
      pass: (output) => prompts.onTracker(output),
    });
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind !== "state") this.#wait.take(output);
  }

  onSignal(): void {
    this.#joined.onSignal();
  }

  stop(): void {
    this.#wait.stop();
    this.#joined.close();
  }

  #take(request: PendingRequest, path: ReplyPath): void {
    this.#options.prompts.open(request, path);
    this.#wait.opened(request);
  }
}
