/** An adapter with tools for it, and a session of it that a check watches. */
import type { EightMethodAdapter } from "../base-adapter.js";
import type { NewlinePolicy, Reply } from "../../model/answer/reply.js";
import { asId, type ReplyId, type SessionId } from "../../model/ids.js";
import type { PromptEvent } from "../../model/prompt.js";
import { waitFor } from "./check.js";

/** An adapter that was not started, with tools for it that the kit can watch. Each check opens one of its own. */
export interface AdapterBench {
  readonly adapter: EightMethodAdapter;
  /** Under which `startSession` starts the tool; null if the adapter chooses it. */
  readonly sessionId: SessionId | null;
  /** The command of a tool that asks one question with at least two choices, then ends with code 0. */
  readonly asks: readonly string[];
  /**
   * The command of a tool that asks one question, of which `2` is a legal answer, writes something when it has read an answer, reads on,
   * and does not end by itself. Unless the adapter has no newline policy, the question takes a text.
   */
  readonly listens: readonly string[];
  /** The command of a tool that asks one question and then stands still: it reads nothing, writes nothing and does not end by itself. */
  readonly stalls: readonly string[];
  /** The command of a tool that writes something, never ends by itself, asks nothing and ignores SIGTERM. */
  readonly deaf: readonly string[];
  /** A command that does not exist. */
  readonly missing: readonly string[];
  /** All that the tool was told, with the line ends under `listens`; null while it was told nothing. */
  readonly told: () => string | null;
  /** Answers the open question as the person at the tool would: another way than `injectReply`. */
  readonly answerLocally: () => void;
  /** Moves the adapter's clock, if that can be set. Absent: where nothing happens, the adapter waits as long as it always does. */
  readonly skipTime?: (ms: number) => void;
  /** Ends what the check left. */
  readonly dispose: () => Promise<void>;
}

/** How much of the output `detectPrompt` gets (adapter spec §2). */
const BUFFER_BYTES_MAX = 4096;

/** A started tool, whose output is read all the time. */
export class Session {
  readonly bench: AdapterBench;
  readonly adapter: EightMethodAdapter;
  #buffer: Uint8Array = new Uint8Array();
  readonly #ended: Promise<void>;

  constructor(bench: AdapterBench) {
    this.bench = bench;
    this.adapter = bench.adapter;
    this.#ended = this.#read();
    this.#ended.catch(() => undefined);
  }

  async #read(): Promise<void> {
    for await (const chunk of this.adapter.readStream())
      this.#buffer = Buffer.concat([this.#buffer, chunk]).subarray(-BUFFER_BYTES_MAX);
  }

  detect(): Promise<PromptEvent | null> {
    return this.adapter.detectPrompt(this.#buffer);
  }

  nextPrompt(): Promise<PromptEvent> {
    return waitFor("a prompt of the tool", () => this.detect());
  }

  async hasOutput(): Promise<void> {
    await waitFor("output of the tool", () => this.#buffer.length > 0 || null);
  }

  /** Resolves when the stream has ended, as it does with the tool. */
  ended(): Promise<void> {
    return this.#ended;
  }
}

export function replyTo(
  event: Pick<PromptEvent, "promptId" | "sessionId">,
  value: string,
  newlinePolicy: NewlinePolicy = "append",
): Reply {
  return {
    replyId: asId<ReplyId>("33333333-3333-4333-8333-333333333333"),
    promptId: event.promptId,
    sessionId: event.sessionId,
    value,
    nonce: asId("0".repeat(32)),
    channelIdentity: asId("cli:local"),
    timestamp: new Date().toISOString(),
    newlinePolicy,
  };
}
