/** `BaseAdapter` of adapter spec §2: its eight methods in its own words, over any adapter of this project. */
import type { SessionId } from "../model/ids.js";
import type { PromptEvent } from "../model/prompt.js";
import type { Reply } from "../model/answer/reply.js";
import type { Adapter, InjectionGate, InjectionResult, SessionSnapshot } from "../sdk/adapter.js";
import type { BufferDetector } from "./detect-prompt.js";

export interface BaseAdapterOptions {
  /** Finds prompts in the tool's output; null where prompts are no text. */
  readonly detector: Pick<BufferDetector, "detect" | "noteAnswered"> | null;
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

  /** Null when nothing new is asked in the last 4,096 bytes of the buffer: never the same prompt twice. */
  detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null> {
    return this.#options.detector?.detect(buffer) ?? Promise.resolve(null);
  }

  /** True when the tool waits for input and has been quiet for the stuck timeout. */
  async awaitInputState(): Promise<boolean> {
    const { waitsForInput, lastOutputAgoSeconds } = await this.snapshotContext();
    return waitsForInput && lastOutputAgoSeconds >= this.#options.stuckTimeoutSeconds;
  }

  async injectReply(reply: Reply, gate: InjectionGate): Promise<InjectionResult> {
    const result = await this.#adapter.injectReply(reply, gate);
    if (result.kind === "receipt") this.#options.detector?.noteAnswered();
    return result;
  }

  terminateSession(sessionId: SessionId): Promise<void> {
    return this.#adapter.terminateSession(sessionId);
  }

  snapshotContext(): Promise<SessionSnapshot> {
    return this.#adapter.snapshotContext();
  }

  /**
   * The tool lives, the way to its input is open, its output is read, and neither of them stands still; see `SESSION_TROUBLES`.
   */
  async healthcheck(): Promise<boolean> {
    return (await this.snapshotContext()).troubles.length === 0;
  }
}
