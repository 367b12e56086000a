/** A runtime as the adapter spec's eight methods: its prompts come from its events, and not from a buffer. */
import { BaseAdapter } from "../../../src/compat/base-adapter.js";
import type { PromptEvent } from "../../../src/model/prompt.js";
import type { SessionId } from "../../../src/model/ids.js";
import type { Reply } from "../../../src/model/answer/reply.js";
import type { Adapter, InjectionGate, InjectionResult, SessionSnapshot } from "../../../src/sdk/adapter.js";

export class EightMethods extends BaseAdapter {
  readonly #runtime: Adapter;
  /** Raised, and not yet returned. */
  #prompts: PromptEvent[] = [];

  constructor(runtime: Adapter) {
    super(0.2);
    this.#runtime = runtime;
  }

  async startSession(command: readonly string[]): Promise<SessionId> {
    const sessionId = await this.#runtime.startSession(command);
    void this.#follow();
    return sessionId;
  }

  async #follow(): Promise<void> {
    for await (const event of this.#runtime.events()) {
      if (event.kind === "raised") this.#prompts.push(event.event);
      if (event.kind === "withdrawn")
        this.#prompts = this.#prompts.filter(({ promptId }) => promptId !== event.promptId);
    }
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#runtime.readStream();
  }

  detectPrompt(): Promise<PromptEvent | null> {
    return Promise.resolve(this.#prompts.shift() ?? null);
  }

  injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult> {
    return this.#runtime.injectReply(reply, gate, halt);
  }

  terminateSession(sessionId: SessionId): Promise<void> {
    return this.#runtime.terminateSession(sessionId);
  }

  snapshotContext(): Promise<SessionSnapshot> {
    return this.#runtime.snapshotContext();
  }
}
