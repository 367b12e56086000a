import { assertInvariant } from "../../../model/errors.js";
import type { Json } from "../../../model/data/json.js";
import type { ShowRule } from "../../adapter-format/compiled/compiled-headless.js";
import { EventFilter } from "./event-filter.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "./exec-client.js";
import { JsonLines, TOO_DEEP, type JsonLinesOptions } from "./json-lines.js";
import { TurnWatch } from "./turn-watch.js";

export interface TurnClientOptions extends ExecClientParts {
  readonly show: "lines" | readonly ShowRule[];
}

export const MESSAGE_TOO_LONG = "(a message was too long to be read)";
const ENDED: TurnEnd = { stopReason: null, problem: "the tool ended", costUsd: null };

export abstract class TurnClient<Options extends TurnClientOptions> implements ExecClient {
  protected readonly options: Options;
  protected readonly watch: TurnWatch;
  protected isClosed = false;
  readonly #filter: EventFilter;
  #endTurn: (end: TurnEnd) => void = () => undefined;

  constructor(options: Options) {
    this.options = options;
    this.#filter = new EventFilter(options.show === "lines" ? [] : options.show);
    this.watch = new TurnWatch({
      ...options,
      isAsking: () => options.pendingRequests.isAsking,
      cancel: () => void this.interrupt(),
    });
  }

  abstract get session(): string | null;
  abstract open(): Promise<void>;
  abstract ping(): Promise<void>;
  protected abstract startTurn(text: string): void;
  protected abstract interrupt(): void | Promise<void>;

  get isWorking(): boolean {
    return this.watch.isWorking;
  }

  prompt(text: string): Promise<TurnEnd> {
    assertInvariant(!this.isWorking, "a turn began before the last one was over");
    if (this.isClosed) return Promise.resolve(ENDED);
    this.watch.begin();
    const over = new Promise<TurnEnd>((resolve) => (this.#endTurn = resolve));
    this.startTurn(text);
    return over;
  }

  cancel(): void {
    this.watch.cancel();
  }

  close(): void {
    this.isClosed = true;
    this.finishTurn(ENDED);
  }

  protected finishTurn(end: TurnEnd): void {
    if (this.isWorking) this.#endTurn(this.watch.end(end));
  }

  protected note(text: string): void {
    this.options.onActivity({ kind: "notice", text });
  }

  protected showEvent(event: Json): void {
    for (const activity of this.#filter.read(event)) this.options.onActivity(activity);
  }

  /** A message that is nested too deeply may be refused by its ids; the rest of it must not be read. */
  protected readLines({
    onMessage,
    onTooDeep,
    ...rest
  }: Pick<JsonLinesOptions, "onMessage" | "onTooDeep" | "onText">): JsonLines {
    return new JsonLines({
      ...this.options,
      ...rest,
      onMessage: (message) => {
        this.watch.noteSignOfLife();
        onMessage(message);
      },
      onTooDeep: (message) => {
        this.watch.noteSignOfLife();
        this.note(`(${TOO_DEEP})`);
        onTooDeep(message);
      },
      onTooLong: () => this.note(MESSAGE_TOO_LONG),
    });
  }
}
