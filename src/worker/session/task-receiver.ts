/**
 * Receives the tasks that the hub gives the tool. Each task is typed at most once, and its result is reported again to a hub that
 * asks again, across any number of lost connections.
 */
import type { Clock } from "../../model/clock.js";
import type { InjectionGate, InjectionResult } from "../../sdk/adapter.js";
import type { ParamsOf, ResultOf, WorkerCalls } from "../../wire/messages.js";
import { withTimeLimit } from "../../observe/within.js";
import { BEGIN_WITHIN_MS, type HubCaller } from "./relay.js";

/** A hub gives one task at a time, and asks again only if it has not heard the result. */
const REMEMBERED_MAX = 32;

export interface TaskReceiverOptions {
  readonly hub: HubCaller;
  readonly clock: Clock;
  /** After `halt` is aborted nothing more is typed. */
  readonly submit: (text: string, gate: InjectionGate, halt: AbortSignal) => Promise<InjectionResult>;
}

export class TaskReceiver {
  readonly #options: TaskReceiverOptions;
  /** Tasks in progress, and finished ones whose keys were written or perhaps written. */
  readonly #submissions = new Map<string, Promise<InjectionResult>>();
  #halt = new AbortController();

  constructor(options: TaskReceiverOptions) {
    this.#options = options;
  }

  async take({
    taskId,
    text,
  }: ParamsOf<WorkerCalls, "task.submit">): Promise<ResultOf<WorkerCalls, "task.submit">> {
    const result = await (this.#submissions.get(taskId) ?? this.#begin(taskId, text));
    return result.kind === "receipt"
      ? { receipt: result.receipt, rejection: null }
      : { receipt: null, rejection: { ...result.rejection } };
  }

  /** Call when the hub was paused: no further key of any task is written. */
  halt(): void {
    this.#halt.abort();
    this.#halt = new AbortController();
  }

  async #begin(taskId: string, text: string): Promise<InjectionResult> {
    const gate: InjectionGate = async () => {
      const { hub, clock } = this.#options;
      // Repeated over the next connection: the hub knows a task that has begun.
      const begun = hub.call("task.begin", { taskId }, { whenConnected: true });
      await withTimeLimit(begun, BEGIN_WITHIN_MS, clock, "the hub did not record the task in time");
    };
    const submission = this.#options.submit(text, gate, this.#halt.signal);
    this.#remember(taskId, submission);
    const result = await submission;
    // Nothing was typed, so it may be given again.
    if (result.kind === "refused") this.#submissions.delete(taskId);
    return result;
  }

  #remember(taskId: string, submission: Promise<InjectionResult>): void {
    const [oldest] = this.#submissions.keys();
    if (this.#submissions.size >= REMEMBERED_MAX && oldest !== undefined) this.#submissions.delete(oldest);
    this.#submissions.set(taskId, submission);
  }
}
