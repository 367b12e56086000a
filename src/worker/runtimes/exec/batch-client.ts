/** Runs a tool that does one task and ends without prompting: it refuses by itself what its settings do not allow. */
import type { TerminalExit } from "../../process/terminal.js";
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import type { Json } from "../../../model/data/json.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "./exec-client.js";
import { JsonLines, TOO_DEEP } from "./json-lines.js";
import { SessionIdFinder } from "./session-id.js";
import { EventFilter } from "./event-filter.js";
import { TurnWatch } from "./turn-watch.js";

export interface BatchClientOptions extends ExecClientParts {
  readonly show: "lines" | readonly ShowRule[];
  readonly sessionIn: readonly string[];
  /** The text that is written to the tool; null if the task is in its arguments. */
  readonly task: string | null;
}

export class BatchClient implements ExecClient {
  readonly #options: BatchClientOptions;
  readonly #filter: EventFilter;
  readonly #ids: SessionIdFinder;
  readonly #watch: TurnWatch;
  #exit: TerminalExit | null = null;
  #endTurn: (end: TurnEnd) => void = () => undefined;

  constructor(options: BatchClientOptions) {
    this.#options = options;
    const { show, sessionIn, onActivity, onHung } = options;
    this.#filter = new EventFilter(show === "lines" ? [] : show);
    this.#ids = new SessionIdFinder(sessionIn);
    // The tool reads no further input, so it can only be stopped by ending it.
    this.#watch = new TurnWatch({ ...options, isAsking: () => false, cancel: onHung });
    new JsonLines({
      ...options,
      onMessage: (event) =>
        show === "lines" ? this.#takeLine(JSON.stringify(event)) : this.#takeEvent(event),
      onTooDeep: () => {
        this.#watch.noteSignOfLife();
        onActivity({ kind: "notice", text: `(${TOO_DEEP})` });
      },
      onText: (line) =>
        show === "lines" ? this.#takeLine(line) : onActivity({ kind: "notice", text: line }),
    });
  }

  get isWorking(): boolean {
    return this.#watch.isWorking;
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

  /** The task that the command was made for. */
  prompt(): Promise<TurnEnd> {
    if (this.#exit) return Promise.resolve(describeEnd(this.#exit));
    const { input, task } = this.#options;
    this.#watch.begin();
    input.end(task ?? "");
    return new Promise((resolve) => (this.#endTurn = resolve));
  }

  cancel(): void {
    this.#watch.cancel();
  }

  close(exit: TerminalExit): void {
    this.#exit = exit;
    if (!this.#watch.isWorking) return;
    this.#endTurn(this.#watch.end(this.#watch.isCancelled ? CANCELLED : describeEnd(exit)));
  }

  #takeEvent(event: Json): void {
    this.#watch.noteSignOfLife();
    this.#ids.take(event);
    for (const activity of this.#filter.read(event)) this.#options.onActivity(activity);
  }

  #takeLine(line: string): void {
    this.#watch.noteSignOfLife();
    this.#options.onActivity({ kind: "said", by: "agent", text: `${line}\n` });
  }
}

const CANCELLED: TurnEnd = { stopReason: "cancelled", problem: null, costUsd: null };

function describeEnd({ exitCode, signalName }: TerminalExit): TurnEnd {
  if (exitCode === 0) return { stopReason: "end_turn", problem: null, costUsd: null };
  const how = exitCode === null ? `by ${signalName ?? "a signal"}` : `with code ${exitCode}`;
  return { stopReason: null, problem: `the tool ended ${how}`, costUsd: null };
}
