/** The `terminal` runtime: a tool in a terminal, seen on its screen and answered by keys (adapter spec §2). */
import { assertInvariant } from "../../../model/errors.js";
import type { SessionId } from "../../../model/ids.js";
import type { Reply } from "../../../model/answer/reply.js";
import type {
  Adapter,
  AdapterEvent,
  InjectionGate,
  InjectionResult,
  SessionCapabilities,
  SessionSnapshot,
} from "../../../sdk/adapter.js";
import type { Terminal } from "../../process/terminal.js";
import { EventQueue } from "../../../observe/event-queue.js";
import { openTool } from "./open-tool.js";
import { createSnapshot } from "./snapshot.js";
import type { TerminalControls } from "./remote-controls.js";
import type { TerminalTaskInput } from "./task-input.js";
import { TerminalSession, type PtyAdapterOptions } from "./terminal-session.js";

export class PtyAdapter implements Adapter {
  readonly capabilities: SessionCapabilities;
  readonly #options: PtyAdapterOptions;
  readonly #events = new EventQueue<AdapterEvent>();
  #session: TerminalSession | null = null;

  constructor(options: PtyAdapterOptions) {
    this.#options = options;
    this.capabilities = { chatTurns: options.adapter.composer !== null, screenView: true };
  }

  startSession(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SessionId> {
    this.attach(openTool(this.#options, command, env));
    return Promise.resolve(this.#options.sessionId);
  }

  /** Takes over a tool that `openTool` has started, instead of `startSession`. `shown`: output that was read and shown already. */
  attach(terminal: Terminal, shown: readonly Uint8Array[] = []): TerminalSession {
    this.#session = new TerminalSession({ terminal, shown }, this.#options, this.#events);
    return this.#session;
  }

  get session(): TerminalSession {
    assertInvariant(this.#session, "the tool was not started");
    return this.#session;
  }

  get remoteControls(): TerminalControls {
    return this.session.remoteControls;
  }

  get taskInput(): TerminalTaskInput {
    return this.session.taskInput;
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.session.readStream();
  }

  events(): AsyncIterable<AdapterEvent> {
    return this.#events;
  }

  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return this.session.answerInjector.inject(reply, gate, halt);
  }

  async terminateSession(sessionId: SessionId): Promise<void> {
    assertInvariant(sessionId === this.#options.sessionId, "terminateSession names another session");
    await this.#session?.terminate();
  }

  snapshotContext(): Promise<SessionSnapshot> {
    return Promise.resolve(this.#session?.snapshot() ?? createSnapshot(this.#options, null));
  }
}
