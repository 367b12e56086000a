/** Runs a tool that does one task and ends without prompting: it refuses by itself what its settings do not allow. */
import type { Json } from "../../../model/data/json.js";
import type { TurnEnd } from "./exec-client.js";
import { SessionIdFinder } from "./session-id.js";
import { TurnClient, type TurnClientOptions } from "./turn-client.js";

export interface BatchClientOptions extends TurnClientOptions {
  /** It prints text instead of events. */
  readonly printsText: boolean;
  readonly sessionIn: readonly string[];
  /** The text that is written to the tool; null if the task is in its arguments. */
  readonly task: string | null;
}

export class BatchClient extends TurnClient<BatchClientOptions> {
  readonly #ids: SessionIdFinder;

  constructor(options: BatchClientOptions) {
    super(options);
    const { printsText, sessionIn, onActivity } = options;
    this.#ids = new SessionIdFinder(sessionIn);
    const say = (line: string): void => {
      this.watch.noteSignOfLife();
      onActivity({ kind: "said", by: "agent", text: `${line}\n` });
    };
    this.readLines({
      onMessage: (event) => (printsText ? say(JSON.stringify(event)) : this.#takeEvent(event)),
      onTooDeep: () => undefined,
      onText: (line) => (printsText ? say(line) : this.note(line)),
    });
  }

  get session(): string | null {
    return this.#ids.found;
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  ping(): Promise<void> {
    return Promise.reject(new Error("a batch run reads no messages"));
  }

  protected override describeEnd(): TurnEnd {
    if (this.watch.isCancelled) return CANCELLED;
    const { exitCode = null, signalName = null } = this.exit ?? {};
    if (exitCode === 0) return { stopReason: "end_turn", problem: null, costUsd: null };
    const how = exitCode === null ? `by ${signalName ?? "a signal"}` : `with code ${exitCode}`;
    return { stopReason: null, problem: `the tool ended ${how}`, costUsd: null };
  }

  protected startTurn(): void {
    const { input, task } = this.options;
    input.end(task ?? "");
  }

  /** The tool reads no further input, so it can only be stopped by ending it. */
  protected interrupt(): void {
    this.options.onHung();
  }

  #takeEvent(event: Json): void {
    this.#ids.take(event);
    this.showEvent(event);
  }
}

const CANCELLED: TurnEnd = { stopReason: "cancelled", problem: null, costUsd: null };
