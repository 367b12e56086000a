/**
 * Receives tasks from the hub. Each is typed at most once, and its result is reported again to a hub that asks again, across lost
 * connections.
 */
import type { Clock } from "../../model/clock.js";
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import type { TaskInput } from "../../sdk/session-powers.js";
import type { ParamsOf, ResultOf, WorkerCalls } from "../../wire/messages.js";
import { createRefusal } from "../../model/answer/refusal.js";
import { withTimeLimit } from "../../observe/within.js";
import { BEGIN_WITHIN_MS, type HubCaller } from "./relay.js";

/** A hub gives one task at a time, and asks again only if it did not get the result. */
const REMEMBERED_MAX = 32;

const NO_COMPOSER: InjectionResult = {
  kind: "refused",
  rejection: createRefusal("no_composer"),
  stillAsked: false,
};

export interface TaskReceiverOptions {
  readonly hub: HubCaller;
  readonly clock: Clock;
  readonly input: TaskInput | null;
}

export class TaskReceiver {
  readonly #options: TaskReceiverOptions;
  /** Tasks in progress, and finished ones that were or may have been typed. */
  readonly #submissions = new Map<string, Promise<InjectionResult>>();
  #halt = new AbortController();

  constructor(options: TaskReceiverOptions) {
    this.#options = options;
  }

  async take({
    taskId,
    text,
    clears,
  }: ParamsOf<WorkerCalls, "task.submit">): Promise<ResultOf<WorkerCalls, "task.submit">> {
    const result = await (this.#submissions.get(taskId) ?? this.#begin(taskId, text, clears));
    return result.kind === "receipt"
      ? { receipt: result.receipt, rejection: null }
      : { receipt: null, rejection: { ...result.rejection }, ...this.#describeDraft(result.rejection.code) };
  }

  #describeDraft(code: string): { draft?: { text: string; hash: string } } {
    const draft = code === "draft" ? (this.#options.input?.draft?.() ?? null) : null;
    return draft === null ? {} : { draft: { ...draft } };
  }

  /** Call when the hub was paused: no further key of any task is written. */
  halt(): void {
    this.#halt.abort();
    this.#halt = new AbortController();
  }

  async #begin(taskId: string, text: string, clears: string | undefined): Promise<InjectionResult> {
    const gate: InjectionGate = async () => {
      const { hub, clock } = this.#options;
      // Repeated on the next connection: the hub recognizes the task.
      const permission = hub.call("task.begin", { taskId }, { whenConnected: true });
      await withTimeLimit(permission, BEGIN_WITHIN_MS, clock, "the hub did not record the task in time");
    };
    const { input } = this.#options;
    const submission =
      input?.submit(text, gate, { halt: this.#halt.signal, clears }) ?? Promise.resolve(NO_COMPOSER);
    this.#remember(taskId, submission);
    const result = await submission;
    // It was not typed, so it may be given again.
    if (result.kind === "refused") this.#submissions.delete(taskId);
    return result;
  }

  #remember(taskId: string, submission: Promise<InjectionResult>): void {
    const [oldest] = this.#submissions.keys();
    if (this.#submissions.size >= REMEMBERED_MAX && oldest !== undefined) this.#submissions.delete(oldest);
    this.#submissions.set(taskId, submission);
  }
}
