/** What the tool's hooks say, sorted by what the adapter file declares: questions that wait, and facts. */
import type { Socket } from "node:net";
import type { Clock } from "../../../model/clock.js";
import { hookRequest } from "./hook-request.js";
import { isAskedByCalls } from "../../prompts/dialog-matches-call.js";
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
import { HookDialogWait } from "../../prompts/await-hook-for-dialog.js";
import { SilentHookEndDetector } from "./silent-hook-end.js";
import { FormOverrides } from "./form-overrides.js";
import { HookPreviews } from "./hook-previews.js";
import { toldForm } from "./hook-form.js";
import type { SideChannel, SideChannelHost, SideChannelSource } from "../../runtimes/side-channel.js";

/** Where the tool was told to call, and what it has to say to be heard. */
export interface HookAccess {
  readonly loopback: LoopbackPort;
  readonly secret: string;
  /** The tool calls by itself, or a command that it starts does. */
  readonly callers: "tool" | "commands";
}

export interface HookListenerOptions extends SideChannelHost {
  readonly hooks: CompiledHooks;
  readonly access: HookAccess;
  readonly previews: HookPreviews;
  readonly clock: Clock;
}

export function hookSideChannel(hooks: CompiledHooks, access: HookAccess, clock: Clock): SideChannelSource {
  const previews = new HookPreviews(hooks.events.some(({ corrects }) => corrects !== null));
  return { previews, open: (host) => new HookListener({ ...host, hooks, access, previews, clock }) };
}

export class HookListener implements SideChannel {
  readonly formOverrides: FormOverrides;
  readonly #options: HookListenerOptions;
  readonly #calls: SilentHookEndDetector;
  readonly #wait: HookDialogWait;
  readonly #server: HookServer;
  #dialog: Candidate | null = null;

  constructor(options: HookListenerOptions) {
    this.#options = options;
    const { access, clock, prompts, previews } = options;
    this.formOverrides = new FormOverrides(clock);
    this.#calls = new SilentHookEndDetector({
      clock,
      isWaiting: () => this.#isWaiting(),
      hasUndrawnRequest: () => prompts.hasUndrawnRequest,
      onMovedOn: () => prompts.withdrawUndrawn(),
    });
    const asks = options.hooks.events.some((event) => event.asks);
    this.#wait = new HookDialogWait({
      clock,
      isExpected: (dialog) =>
        asks && this.#isCalling() && isAskedByCalls(dialog) && !prompts.hasRequestFor(dialog),
      pass: (output) => prompts.onTracker(output),
    });
    this.#server = new HookServer(access.loopback, {
      secret: access.secret,
      clock,
      isCaller: (socket) => this.#isTool(socket),
      onCall: (call) => this.#take(call),
      onUnread: () => previews.add(null, clock.monotonic()),
    });
  }

  onTracker(output: TrackerOutput): void {
    if (output.kind !== "state") this.#wait.take(output);
    if (output.kind === "raise") this.#dialog = output.candidate;
    else if (output.kind === "withdraw" && this.#dialog)
      this.#options.previews.ended(this.#dialog, output.reason);
    else if (output.kind === "state")
      this.#options.previews.turned(output.state, this.#options.clock.monotonic());
    this.#calls.changed();
  }

  /** Hooks say what is asked; nothing of it is read from reports. */
  onSignal(): void {}

  stop(): void {
    this.#wait.stop();
    this.#calls.stop();
  }

  /** Perhaps: what a command brings is always later than the dialog. */
  #isCalling(): boolean {
    return this.#options.access.callers === "commands" || this.#server.isTaking;
  }

  /** For somebody, as the tool says or, where it says nothing, as its screen shows. */
  #isWaiting(): boolean {
    const { signals, detector } = this.#options;
    const { declared } = signals.current;
    if (declared) return declared.state === "blocked";
    const state = detector.toolState;
    return state !== "working" && state !== "idle";
  }

  /**
   * A program that the tool runs may find address and secret. Commands run apart from the tool's terminal, as those of hooks do;
   * servers that it talks to (MCP) in it, but do not read from it. Elsewhere than on Linux the secret has to do.
   */
  #isTool(socket: Socket): Promise<boolean> {
    if (process.platform !== "linux") return Promise.resolve(true);
    const { terminal, access } = this.#options;
    const kinship = access.callers === "tool" ? "terminal" : "descendant";
    return new SocketHolder().isHeldBy(terminal.pid, kinship, socket);
  }

  #take(call: HookCall): void {
    const { hooks, prompts } = this.#options;
    const event = hooks.events.find(({ name }) => name === call.event);
    const asked = event?.asks ? readToolCall(hooks, call.event, call.body) : null;
    if (asked) {
      const request = hookRequest(asked);
      prompts.open(request, call);
      this.#wait.opened(request);
      this.#calls.changed();
    } else {
      if (event?.corrects && this.formOverrides.take(call, event.corrects)) return;
      // What it tells counts before the tool goes on to draw it.
      if (event && !event.asks) this.#tell(event, call);
      void call.answer(null);
    }
  }

  #tell({ name, lends, state, says }: HookEvent, { body }: HookCall): void {
    const { lastMessage, detector } = this.#options;
    if (lends) this.#lend(name, lends, body);
    const said = says === null ? undefined : body[says];
    if (state) lastMessage.noteReport(state, typeof said === "string" && said.trim() !== "" ? said : null);
    detector.wake();
  }

  /** What cannot be read was told all the same. */
  #lend(event: string, lends: PreviewedCall, body: HookCall["body"]): void {
    const now = this.#options.clock.monotonic();
    try {
      const ask = readPreviewedCall(this.#options.hooks, event, lends, body);
      this.#options.previews.add(ask, now, ask && toldForm(ask, lends));
    } catch {
      this.#options.previews.add(null, now);
    }
  }
}
