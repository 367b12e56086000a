/** `BaseAdapter` of adapter spec §2: its eight methods in its own words, over any adapter of ours. */
import type { SessionId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import type { Reply } from "../model/answer/reply.js";
import type { Adapter, InjectionGate, InjectionResult, SessionSnapshot } from "../sdk/adapter.js";

export interface BaseAdapterOptions {
  /** `detect_prompt`, for what the adapter drives; see `detectPrompt`. Resolves to null where prompts are no text. */
  readonly detect: (buffer: Uint8Array) => Promise<PromptEvent | null>;
  /** How long a tool that waits must have been quiet until it counts as stuck, in seconds. */
  readonly stuckTimeoutSeconds: number;
}

export class BaseAdapter {
  readonly #adapter: Adapter;
  readonly #options: BaseAdapterOptions;

  constructor(adapter: Adapter, options: BaseAdapterOptions) {
    this.#adapter = adapter;
    this.#options = options;
  }

  startSession(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<SessionId> {
    return this.#adapter.startSession(command, env);
  }

  readStream(): AsyncIterable<Uint8Array> {
    return this.#adapter.readStream();
  }

  /** Null when nothing is asked in the last 4,096 bytes of the buffer. */
  detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    return this.#options.detect(buffer);
  }

  /** True when the tool waits for input and has been quiet for the stuck timeout. */
  async awaitInputState(): Promise<boolean> {
    const { waitsForInput, lastOutputAgoSeconds } = await this.snapshotContext();
    return waitsForInput && lastOutputAgoSeconds >= this.#options.stuckTimeoutSeconds;
  }

  injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    return this.#adapter.injectReply(reply, gate);
  }

  terminateSession(sessionId: SessionId): Promise<void> {
    return this.#adapter.terminateSession(sessionId);
  }

  snapshotContext(): Promise<SessionSnapshot> {
    return this.#adapter.snapshotContext();
  }

  /** The tool was started, lives, and can be written to. */
  async healthcheck(): Promise<boolean> {
    return (await this.snapshotContext()).ptyAlive;
  }
}
