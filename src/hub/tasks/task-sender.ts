/** Sends tasks to their workers, one at a time per session. A worker that gets the same task again repeats its first result. */
import type { Cancel } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import type { SessionId } from "../../model/ids.js";
import type { Receipt } from "../../model/answer/receipt.js";
import { createRefusal, type Refusal, type RefusalCode } from "../../model/answer/refusal.js";
import type { BoxDraft } from "../../sdk/session-powers.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import type { ResultOf, WorkerCalls } from "../../wire/messages.js";
import type { TaskRow } from "../store/tables/tasks.js";
import type { Ledger } from "../ledger/ledger.js";
import { endTask, failTask, maySend, findNextTask, refuseTask } from "./tasks.js";

/** Obstacles usually disappear after a moment, without an event. */
const RETRY_MS = 5_000;
/** After a minute people should learn that it cannot be typed. */
const TRIES_MAX = 12;

/** Temporary obstacles: someone is typing, or the tool is drawing. */
const TRANSIENT_CODES: readonly string[] = [
  "not_idle",
  "screen_moved",
  "typing",
  "write_failed",
  "paused",
  "not_recorded",
] satisfies RefusalCode[];

export class TaskSender {
  readonly #ledger: Ledger;
  readonly #findLink: (sessionId: string) => WorkerLink | null;
  readonly #underWay = new Map<string, WorkerLink>();
  readonly #tries = new Map<string, number>();
  /** A tool that has just received a task may seem idle for a moment. Monotonic ms. */
  readonly #restsUntil = new Map<string, number>();
  #cancel: Cancel = () => undefined;
  #running = false;

  constructor(ledger: Ledger, findLink: (sessionId: string) => WorkerLink | null) {
    this.#ledger = ledger;
    this.#findLink = findLink;
  }

  start(): void {
    this.#running = true;
    this.#sendAll();
  }

  stop(): void {
    this.#running = false;
    this.#cancel();
  }

  /** Called when something changed that a task of this session may wait for. */
  sendNext(sessionId: SessionId): void {
    const link = this.#findLink(sessionId);
    if (!this.#running || !link || this.#underWay.get(sessionId) === link) return;
    const isResting = this.#ledger.options.clock.monotonic() < (this.#restsUntil.get(sessionId) ?? 0);
    const task = isResting ? null : findNextTask(this.#ledger, sessionId);
    if (task && task.state === "waiting" && !maySend(this.#ledger, task))
      this.#runSafely(() => refuseTask(this.#ledger, task.taskId, createRefusal("not_allowed")));
    else if (task) this.#submit(task, link);
    else this.#retryLater();
  }

  #sendAll(): void {
    for (const sessionId of this.#ledger.store.tasks.listSessionsWithOpen()) this.sendNext(sessionId);
  }

  #retryLater(): void {
    this.#cancel();
    if (!this.#running || this.#ledger.store.tasks.listSessionsWithOpen().length === 0) return;
    this.#cancel = this.#ledger.options.clock.after(RETRY_MS, () => this.#sendAll());
  }

  #submit({ taskId, sessionId, text }: TaskRow, link: WorkerLink): void {
    this.#underWay.set(sessionId, link);
    const over = (work: () => void): void => {
      if (this.#underWay.get(sessionId) === link) this.#underWay.delete(sessionId);
      this.#restsUntil.set(sessionId, this.#ledger.options.clock.monotonic() + RETRY_MS);
      if (this.#ledger.store.isOpen) this.#runSafely(work);
      this.#retryLater();
    };
    const clears = this.#ledger.boxClearings.get(taskId);
    link.call("task.submit", { taskId, text, ...(clears !== undefined && { clears }) }).then(
      (result) => over(() => this.#conclude(taskId, result)),
      (error: unknown) => over(() => this.#failed(taskId, error)),
    );
  }

  #conclude(taskId: string, { receipt, rejection: why, draft }: ResultOf<WorkerCalls, "task.submit">): void {
    if (receipt) endTask(this.#ledger, taskId, receipt as Receipt);
    else if (why) this.#endRefused(taskId, why as Refusal, draft ?? null);
  }

  #endRefused(taskId: string, why: Refusal, draft: BoxDraft | null): void {
    const tries = (this.#tries.get(taskId) ?? 0) + 1;
    this.#tries.set(taskId, tries);
    const isBegun = this.#ledger.store.tasks.find(taskId)?.state === "begun";
    if (!isBegun && TRANSIENT_CODES.includes(why.code) && tries < TRIES_MAX) return;
    this.#tries.delete(taskId);
    refuseTask(this.#ledger, taskId, why, draft);
  }

  /** A lost connection comes back, or the session is closed. A worker that failed, or is too old for the call, gets no more tasks. */
  #failed(taskId: string, error: unknown): void {
    if (error instanceof AtlasBridgeError && error.code === "ATB_WIRE_LOST") return;
    this.#ledger.options.log("warn", "a task could not be sent", { taskId, error: String(error) });
    failTask(
      this.#ledger,
      taskId,
      createRefusal("no_composer", "Not sent: the session's AtlasBridge cannot type tasks."),
    );
  }

  #runSafely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#ledger.options.log("error", "a task's result could not be recorded", {
        error: String(error),
      });
    }
  }
}
