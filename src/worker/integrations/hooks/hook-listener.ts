/** Handles the tool's hook calls as the adapter file declares them: requests, reports and previews. */
import type { Socket } from "node:net";
import type { Clock } from "../../../model/clock.js";
import { createHookRequest, createPreviewedForm } from "./hook-request.js";
import type { Candidate } from "../../../sdk/candidate.js";
import { readToolCall, readPreviewedCall } from "../../prompts/tool-call-request.js";
import type {
  CompiledHooks,
  HookEvent,
  PreviewedCall,
} from "../../adapter-format/compiled/compiled-hooks.js";
import type { HookCall } from "./hook-call.js";
import type { TrackerOutput } from "../../detection/live/tracker.js";
import { HookServer } from "./hook-server.js";
import type { LoopbackPort } from "../../loopback/loopback-port.js";
import { SocketHolder } from "../../loopback/socket-holder.js";
import { HookDialogWait } from "../../prompts/hook-dialog-wait.js";
import { SilentHookEndDetector } from "./silent-hook-end-detector.js";
import { FormOverrides } from "./form-overrides.js";
import { HookPreviews } from "./hook-previews.js";
import type { SideChannel, SideChannelHost, SideChannelSource } from "../../runtimes/side-channel.js";

export interface HookAccess {
  readonly loopback: LoopbackPort;
  readonly secret: string;
  readonly callers: "tool" | "commands";
}

export interface HookListenerOptions extends SideChannelHost {
  readonly hooks: CompiledHooks;
  readonly access: HookAccess;
  readonly previews: HookPreviews;
  readonly clock: Clock;
}

export function createHookSideChannel(
  hooks: CompiledHooks,
  access: HookAccess,
  clock: Clock,
): SideChannelSource {
  const previews = new HookPreviews(
    hooks.events.some(({ override }) => override !== null),
    hooks.calls.flatMap(({ asked }) => asked ?? []),
  );
  return { previews, open: (host) => new HookListener({ ...host, hooks, access, previews, clock }) };
}

class HookListener implements SideChannel {
  readonly formOverrides: FormOverrides;
  readonly #options: HookListenerOptions;
  readonly #silentEnd: SilentHookEndDetector;
  readonly #wait: HookDialogWait;
  readonly #server: HookServer;
  #dialog: Candidate | null = null;

  constructor(options: HookListenerOptions) {
    this.#options = options;
    const { access, clock, prompts, previews } = options;
    this.formOverrides = new FormOverrides(clock);
    this.#silentEnd = new SilentHookEndDetector({
      clock,
      isWaiting: () => this.#isWaiting(),
      hasUndrawnRequest: () => prompts.hasUndrawnRequest,
      onMovedOn: () => prompts.withdrawUndrawn(),
    });
    const asks = options.hooks.events.some((event) => event.asks);
    this.#wait = new HookDialogWait({ clock, prompts, isCalling: () => asks && this.#isCalling() });
    this.#server = new HookServer(access.loopback, {
      secret: access.secret,
      clock,
      isCaller: (socket) => this.#isTool(socket),
      onCall: (call) => this.#onCall(call),
      onUnreadable: () => previews.add(null, clock.monotonic()),
    });
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind !== "state") this.#wait.take(output);
    if (output.kind === "raise") this.#noteDialog(output.candidate);
    else if (output.kind === "withdraw" && this.#dialog)
      this.#options.previews.onDialogEnd(this.#dialog, output.reason);
    else if (output.kind === "state")
      this.#options.previews.onState(output.state, this.#options.clock.monotonic());
    this.#silentEnd.update();
  }

  #noteDialog(dialog: Candidate): void {
    this.#dialog = dialog;
    const call = this.#options.previews.findCall(dialog);
    if (call) this.#options.readings.compare(dialog, call);
  }

  onSignal(): void {}

  stop(): void {
    this.#wait.stop();
    this.#silentEnd.stop();
  }

  /** A command delivers its call always after the dialog. */
  #isCalling(): boolean {
    return this.#options.access.callers === "commands" || this.#server.isTaking;
  }

  /** As the tool declares, or else as its screen shows. */
  #isWaiting(): boolean {
    const { signals, detector } = this.#options;
    const { declared } = signals.current;
    if (declared) return declared.state === "blocked";
    const state = detector.toolState;
    return state !== "working" && state !== "idle";
  }

  /**
   * A program that the tool runs may find the address and the secret. Hook commands run outside the tool's terminal; MCP servers run in
   * it but do not read from it. Outside Linux only the secret is checked.
   */
  #isTool(socket: Socket): Promise<boolean> {
    if (process.platform !== "linux") return Promise.resolve(true);
    const { terminal, access } = this.#options;
    const kinship = access.callers === "tool" ? "terminal" : "descendant";
    return new SocketHolder().isHeldBy(terminal.pid, kinship, socket);
  }

  #onCall(call: HookCall): void {
    const { hooks, prompts } = this.#options;
    const event = hooks.events.find(({ name }) => name === call.event);
    const toolCall = event?.asks ? readToolCall(hooks, call.event, call.body) : null;
    if (toolCall) {
      const request = createHookRequest(toolCall);
      prompts.open(request, call);
      this.#wait.opened(request);
      this.#silentEnd.update();
    } else {
      if (event?.override && this.formOverrides.take(call, event.override)) return;
      if (event && !event.asks) this.#onReport(event, call);
      void call.answer(null);
    }
  }

  #onReport({ name, preview, state, lastMessage: field }: HookEvent, { body }: HookCall): void {
    const { lastMessage, detector } = this.#options;
    if (preview) this.#addPreview(name, preview, body);
    const message = field === null ? undefined : body[field];
    if (state)
      lastMessage.noteReport(state, typeof message === "string" && message.trim() !== "" ? message : null);
    detector.wake();
  }

  #addPreview(event: string, preview: PreviewedCall, body: HookCall["body"]): void {
    const now = this.#options.clock.monotonic();
    try {
      const call = readPreviewedCall(this.#options.hooks, event, preview, body);
      this.#options.previews.add(call, now, call && createPreviewedForm(call, preview));
    } catch {
      this.#options.previews.add(null, now);
    }
  }
}
