/** `BaseAdapter` of adapter spec §2: its eight methods. */
import type { PromptEvent } from "../model/prompt.js";
import type { SessionId } from "../model/ids.js";
import type { Reply } from "../model/answer/reply.js";
import type { Adapter, InjectionGate, InjectionResult, SessionSnapshot } from "../sdk/adapter.js";

/**
 * Drives one tool (adapter spec §2). It decides no policy, sends nothing to channels and does not block the event loop. After
 * `terminateSession`, or when the tool has ended by itself, every method still responds and nothing is typed.
 */
export interface EightMethodAdapter extends Omit<Adapter, "capabilities" | "events"> {
  /**
   * `buffer`: the last bytes of the tool's output, escape sequences included; at most 4,096 are read. Null if they ask nothing new:
   * a prompt that an earlier call has returned is not returned again.
   */
  detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null>;

  /** Whether the tool waits for input and has written nothing for the stuck timeout. */
  awaitInputState(): Promise<boolean>;

  /** Whether the tool's process lives, its input is open, and its output is read. */
  healthcheck(): Promise<boolean>;
}

/** An adapter whose `awaitInputState` and `healthcheck` follow from its snapshot. A subclass adds the other six methods. */
export abstract class BaseAdapter implements EightMethodAdapter {
  readonly #stuckTimeoutSeconds: number;

  /** `stuckTimeoutSeconds`: see `awaitInputState`; the adapter spec's default is 2. */
  constructor(stuckTimeoutSeconds = 2) {
    this.#stuckTimeoutSeconds = stuckTimeoutSeconds;
  }

  abstract startSession(
    command: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<SessionId>;
  abstract readStream(): AsyncIterable<Uint8Array>;
  abstract detectPrompt(buffer: Uint8Array): Promise<PromptEvent | null>;
  abstract injectReply(reply: Reply, gate: InjectionGate, halt?: AbortSignal): Promise<InjectionResult>;
  abstract terminateSession(sessionId: SessionId): Promise<void>;
  abstract snapshotContext(): Promise<SessionSnapshot>;

  async awaitInputState(): Promise<boolean> {
    const { waitsForInput, lastOutputAgoSeconds } = await this.snapshotContext();
    return waitsForInput && lastOutputAgoSeconds >= this.#stuckTimeoutSeconds;
  }

  async healthcheck(): Promise<boolean> {
    return (await this.snapshotContext()).troubles.length === 0;
  }
}
