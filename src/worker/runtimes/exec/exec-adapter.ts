/** The `headless` runtime: runs a tool without its interface, gives it tasks, and relays prompts of its own protocol (ADR 22). */
import type { Reply } from "../../../model/answer/reply.js";
import type { PromptEvent } from "../../../model/prompt.js";
import {
  isWithdrawReason,
  type InjectionGate,
  type InjectionResult,
  type WithdrawReason,
} from "../../../sdk/adapter.js";
import type { StampedPrompt } from "../../detection/stamp.js";
import type { PipedProcess } from "../../process/piped-process.js";
import type { TerminalExit } from "../../process/terminal.js";
import type { Activity } from "../protocol/activity.js";
import type { RefusalReason } from "../../prompts/pending-requests.js";
import { TERMINATE_GRACE_MS } from "../../prompts/limits.js";
import type { ProtocolAdapterOptions } from "../protocol/protocol-client.js";
import { ProtocolAdapter } from "../protocol/protocol-adapter.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "./exec-client.js";
import type { SessionReport } from "./session-report.js";
import { TurnSummary, type TurnReport } from "./turn-summary.js";

export interface ExecAdapterOptions
  extends ProtocolAdapterOptions, Pick<ExecClientParts, "version" | "context" | "resume" | "silenceMs"> {
  readonly createClient: (parts: ExecClientParts) => ExecClient;
  /** Called when somebody stopped it remotely: the turn is cancelled, and no other may begin. */
  readonly onStopped?: () => void;
  readonly onReport?: (report: SessionReport) => void;
}

export class ExecAdapter extends ProtocolAdapter<ExecAdapterOptions, ExecClient, TurnEnd> {
  readonly #summary = new TurnSummary();
  #isFinishing = false;

  constructor(options: ExecAdapterOptions) {
    super(options, (reason) => (isWithdrawReason(reason) ? reason : "session_ended"));
  }

  get toolSession(): string | null {
    return this.client?.session ?? null;
  }

  /** Runs one task; resolves when the tool has ended its turn. Call only when it is `ready` and no other turn is in progress. */
  async prompt(text: string): Promise<TurnReport> {
    this.#summary.begin();
    return this.#summary.createReport(await this.runTurn(text));
  }

  override async injectReply(
    reply: Reply,
    gate: InjectionGate,
    halt?: AbortSignal,
  ): Promise<InjectionResult> {
    const result = await super.injectReply(reply, gate, halt);
    if (result.kind === "receipt")
      this.options.onReport?.({ type: "receipt", promptId: reply.promptId, receipt: result.receipt });
    return result;
  }

  async finish(): Promise<TerminalExit> {
    const { clock, sessionId } = this.options;
    this.#isFinishing = true;
    this.process?.input.end();
    const graceMs = this.client?.isServer ? 0 : TERMINATE_GRACE_MS;
    const stopTimer = clock.after(graceMs, () => void this.terminateSession(sessionId));
    const exit = await this.exited;
    stopTimer();
    return exit;
  }

  protected createClient({ input, output }: PipedProcess): ExecClient {
    return this.options.createClient({
      ...this.options,
      input,
      output,
      pendingRequests: this.pendingRequests,
      onActivity: (activity) => this.#onActivity(activity),
      onDenied: () => this.#summary.noteDenial(),
      onHung: () => void this.terminateSession(this.options.sessionId),
    });
  }

  protected get lastMessage(): string | null {
    return this.#summary.words === "" ? null : this.#summary.words;
  }

  /** The tool gets tasks until it ends, so it is busy also between two of them. */
  protected override get isBusy(): boolean {
    return !this.#isFinishing;
  }

  /** Called before the turn ends, so that no other one begins. */
  protected override onInterrupted(): void {
    this.options.onStopped?.();
    super.onInterrupted();
  }

  protected override onRaised(event: PromptEvent): void {
    this.options.onReport?.({ type: "asked", event });
    super.onRaised(event);
  }

  protected override onWithdrawn(event: PromptEvent, reason: WithdrawReason): void {
    // An answer given here has been reported already.
    if (reason !== "answered_locally") this.options.onReport?.({ type: "withdrawn", event, reason });
    super.onWithdrawn(event, reason);
  }

  protected override onAnswered(event: PromptEvent, label: string, by: "here" | "elsewhere"): void {
    this.#summary.noteAnswer(event, label);
    this.options.onReport?.({ type: "answered", event, label, by });
    super.onAnswered(event, label, by);
  }

  protected override onRefused(question: StampedPrompt, why: RefusalReason): void {
    this.#summary.noteRefusal();
    this.options.onReport?.({ type: "refused", question: question.question, why });
    super.onRefused(question, why);
  }

  #onActivity(activity: Activity): void {
    this.#summary.noteActivity(activity);
    this.options.onReport?.({ type: "activity", activity });
    this.transcript.showActivity(activity);
  }
}
