/** Runs a tool that does one task and ends without prompting. The tool itself refuses calls that its settings do not allow. */
import type { TerminalExit } from "../../process/terminal.js";
import type { Json } from "../../../model/data/json.js";
import type { TurnEnd } from "./exec-client.js";
import { SessionIdFinder } from "./session-id.js";
import { TurnClient, type TurnClientOptions } from "./turn-client.js";

export interface BatchClientOptions extends TurnClientOptions {
  readonly sessionIn: readonly string[];
  /** The text that is written to the tool; null if the task is in its arguments. */
  readonly task: string | null;
}

export class BatchClient extends TurnClient<BatchClientOptions> {
  readonly #ids: SessionIdFinder;
  #exit: Partial<TerminalExit> | null = null;

  constructor(options: BatchClientOptions) {
    super(options);
    this.#ids = new SessionIdFinder(options.sessionIn);
    const isText = options.show === "lines";
    this.readLines({
      onMessage: (event) => (isText ? this.#takeLine(JSON.stringify(event)) : this.#takeEvent(event)),
      onTooDeep: () => undefined,
      onText: (line) => (isText ? this.#takeLine(line) : this.note(line)),
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

  override prompt(text: string): Promise<TurnEnd> {
    return this.#exit ? Promise.resolve(describeEnd(this.#exit)) : super.prompt(text);
  }

  override close(exit: Partial<TerminalExit> = {}): void {
    this.#exit = exit;
    this.finishTurn(this.watch.isCancelled ? CANCELLED : describeEnd(exit));
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

  #takeLine(line: string): void {
    this.watch.noteSignOfLife();
    this.options.onActivity({ kind: "said", by: "agent", text: `${line}\n` });
  }
}

const CANCELLED: TurnEnd = { stopReason: "cancelled", problem: null, costUsd: null };

function describeEnd({ exitCode = null, signalName }: Partial<TerminalExit>): TurnEnd {
  if (exitCode === 0) return { stopReason: "end_turn", problem: null, costUsd: null };
  const how = exitCode === null ? `by ${signalName ?? "a signal"}` : `with code ${exitCode}`;
  return { stopReason: null, problem: `the tool ended ${how}`, costUsd: null };
}
