/** What the tool's hooks say, sorted by what the adapter file declares: questions that wait, and facts. */
import type { Socket } from "node:net";
import type { Clock } from "../../../model/clock.js";
import type { ToolState } from "../../../model/tool-state.js";
import type { Signals } from "../../../sdk/view.js";
import { askOf } from "../../detect/ask.js";
import type { CompiledHooks, HookEvent } from "../../detect/compiled-hooks.js";
import type { HookCall } from "../../evidence/hooks/hook-call.js";
import { HookServer } from "../../evidence/hooks/hook-server.js";
import type { Loopback } from "../../evidence/hooks/loopback.js";
import { SocketHolder } from "../../transport/socket-holder.js";
import { CallWatch } from "./call-watch.js";
import type { PromptWatch } from "./prompt-watch.js";
import type { ToolWords } from "./tool-words.js";

/** Where the tool was told to call, and what it has to say to be heard. */
export interface HookAccess {
  readonly loopback: Loopback;
  readonly secret: string;
  /** The tool calls by itself, or a command that it starts does. */
  readonly callers: "tool" | "commands";
}

export interface HookListenerOptions {
  readonly hooks: CompiledHooks;
  readonly access: HookAccess;
  readonly clock: Clock;
  readonly prompts: PromptWatch;
  /** The leader of the tool's session; null before it was started. */
  readonly pid: () => number | null;
  readonly words: ToolWords;
  readonly signals: () => Signals;
  /** As the screen shows it. */
  readonly toolState: () => ToolState | null;
  /** Something happened that the screen may show in a moment. */
  readonly onNews: () => void;
}

/** Null where the tool has no hooks, or was not told to call them. */
export function hookListener(
  hooks: CompiledHooks | null,
  access: HookAccess | null,
  others: Omit<HookListenerOptions, "hooks" | "access">,
): HookListener | null {
  return hooks && access ? new HookListener({ hooks, access, ...others }) : null;
}

export class HookListener {
  readonly #options: HookListenerOptions;
  readonly #calls: CallWatch;

  constructor(options: HookListenerOptions) {
    this.#options = options;
    const { access, clock, prompts } = options;
    this.#calls = new CallWatch({
      clock,
      isWaiting: () => this.#isWaiting(),
      hasUndrawnCall: () => prompts.hasUndrawnCall,
      onMovedOn: () => prompts.onMovedOn(),
    });
    new HookServer(access.loopback, {
      secret: access.secret,
      clock,
      isCaller: (socket) => this.#isTool(socket),
      onCall: (call) => this.#take(call),
    });
  }

  /** A dialog came or went. */
  dialogChanged(): void {
    this.#calls.changed();
  }

  stop(): void {
    this.#calls.stop();
  }

  /** For somebody, as the tool says or, where it says nothing, as its screen shows. */
  #isWaiting(): boolean {
    const { declared } = this.#options.signals();
    if (declared) return declared.state === "blocked";
    const state = this.#options.toolState();
    return state !== "working" && state !== "idle";
  }

  /**
   * A program that the tool runs may find address and secret. Commands run apart from the tool's terminal, as those of hooks do;
   * servers that it talks to (MCP) in it, but do not read from it. Elsewhere than on Linux the secret has to do.
   */
  async #isTool(socket: Socket): Promise<boolean> {
    if (process.platform !== "linux") return true;
    const { pid, access } = this.#options;
    const leader = pid();
    const kinship = access.callers === "tool" ? "terminal" : "descendant";
    return leader !== null && (await new SocketHolder().isHeldBy(leader, kinship, socket));
  }

  #take(call: HookCall): void {
    const { hooks, prompts } = this.#options;
    const event = hooks.events.find(({ name }) => name === call.event);
    const ask = event?.asks ? askOf(hooks, call.event, call.body) : null;
    if (ask) {
      prompts.onCall(call, ask);
      this.#calls.changed();
    } else {
      void call.answer(null);
      if (event && !event.asks) this.#tell(event, call);
    }
  }

  #tell({ state, says }: HookEvent, { body }: HookCall): void {
    const { words, onNews } = this.#options;
    const said = says === null ? undefined : body[says];
    if (state) words.told(state, typeof said === "string" && said.trim() !== "" ? said : null);
    onNews();
  }
}
