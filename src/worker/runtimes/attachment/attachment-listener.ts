import type { Clock } from "../../../model/clock.js";
import type { PendingRequest } from "../../prompts/pending-request.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import type { ReplyPath } from "../../prompts/reply-path.js";
import { HookDialogWait } from "../../prompts/hook-dialog-wait.js";
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
  readonly #attachment: Attachment;
  readonly #dialogWait: HookDialogWait;

  constructor(options: AttachmentListenerOptions) {
    this.#options = options;
    const { access, clock, cwd, terminal, prompts, lastMessage, signals } = options;
    this.#attachment = access.attach({
      clock,
      cwd,
      getLeader: () => terminal.pid,
      getDeclared: () => signals.current.declared,
      onRequest: (request, path) => this.#open(request, path),
      onTurnEnd: (words) => lastMessage.noteReport("idle", words),
    });
    this.#dialogWait = new HookDialogWait({ clock, prompts, isCalling: () => this.#attachment.isExpecting });
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind !== "state") this.#dialogWait.take(output);
  }

  onSignal(): void {
    this.#attachment.onSignal();
  }

  stop(): void {
    this.#dialogWait.stop();
    this.#attachment.close();
  }

  #open(request: PendingRequest, path: ReplyPath): void {
    this.#options.prompts.open(request, path);
    this.#dialogWait.opened(request);
  }
}
