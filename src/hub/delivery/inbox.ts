/** Stores each update before the channel acknowledges it, handles it once, even after a crash, and answers the sender. */
import type { Cancel, Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { failPoint } from "../../observe/fail-point.js";
import type { Inbound, InboundResponse, Inbox } from "../../sdk/channel.js";
import type { DeliveryRef } from "../../sdk/delivery-ref.js";
import type { InboxRow } from "../store/tables/inbox.js";
import type { Store } from "../store/store.js";
import { HANDLED_MS_MAX, INBOX_RETRY_MS } from "./limits.js";
import type { Log } from "../../observe/log.js";
import type { ConfiguredChannel } from "../people/routing.js";

export interface InboxOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly configuredChannels: () => readonly ConfiguredChannel[];
  readonly commit: (work: () => InboundResponse | null) => InboundResponse | null;
  readonly handle: (configuredChannel: ConfiguredChannel, inbound: Inbound) => InboundResponse | null;
  readonly replied: (answer: InboundResponse, ref: DeliveryRef | null) => void;
  readonly admit: (configuredChannel: ConfiguredChannel, raw: unknown) => boolean;
  /** The update as it may be stored. */
  readonly conceal: (configuredChannel: ConfiguredChannel, raw: unknown) => unknown;
  readonly log: Log;
}

/** The reply after a bug in our code. It is true because the transaction was rolled back. */
const BUG_ANSWER: InboundResponse = {
  text: "Something went wrong in AtlasBridge; nothing was typed.",
  alert: true,
};

export class InboxWorker {
  readonly #options: InboxOptions;
  #running = false;
  #cancelRetry: Cancel = () => undefined;
  /** When storing began in this turn of the event loop; null before the first row. Monotonic ms. */
  #stretchBegan: number | null = null;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, configuredChannels } = this.#options;
    this.#running = true;
    for (const configuredChannel of configuredChannels()) {
      for (const row of store.inbox.listWithoutResponse(configuredChannel.id))
        if (row.answer) this.#reply(configuredChannel, row, row.answer);
      this.#drain(configuredChannel.id);
    }
  }

  stop(): void {
    this.#running = false;
    this.#cancelRetry();
  }

  openInbox(channel: string): Inbox {
    return {
      store: (key, received) => {
        const { configuredChannels, admit, conceal } = this.#options;
        const configuredChannel = configuredChannels().find(({ id }) => id === channel);
        if (configuredChannel && !admit(configuredChannel, received)) return Promise.resolve(false);
        const raw = configuredChannel ? conceal(configuredChannel, received) : received;
        return this.#yieldTurn()
          .then(() => failPoint("tapped"))
          .then(() => this.#insert(channel, key, raw))
          .then((isNew) => {
            void failPoint("inbox_stored");
            // The channel acknowledges first. Handling happens in a later turn, never inside the channel's call.
            if (isNew) queueMicrotask(() => this.#drain(channel));
            return isNew;
          });
      },
    };
  }

  #insert(channel: string, key: string, raw: unknown): boolean {
    const { store, clock, commit } = this.#options;
    const insert = (): boolean => store.inbox.insert(channel, key, raw, clock.now());
    try {
      return store.write(insert);
    } catch {
      // Through the ledger, which then knows that it cannot be written and notifies the chats.
      let isNew = false;
      commit(() => {
        isNew = insert();
        return null;
      });
      return isNew;
    }
  }

  /** Rows are stored one by one, each with its own commit. After a while this yields to other work. */
  #yieldTurn(): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (this.#stretchBegan === null) {
      this.#stretchBegan = now;
      setImmediate(() => (this.#stretchBegan = null));
    }
    if (now - this.#stretchBegan < HANDLED_MS_MAX) return Promise.resolve();
    return new Promise((resolve) => setImmediate(resolve));
  }

  #drain(channel: string): void {
    const { store, clock, configuredChannels, log } = this.#options;
    const configuredChannel = configuredChannels().find(({ id }) => id === channel);
    if (!this.#running || !configuredChannel) return;
    const began = clock.monotonic();
    try {
      for (let rows = store.inbox.listUnhandled(channel); rows.length > 0;) {
        rows = this.#processSome(configuredChannel, rows, began);
        if (clock.monotonic() - began < HANDLED_MS_MAX) continue;
        setImmediate(() => this.#drain(channel));
        return;
      }
    } catch (error) {
      log("error", "an update could not be handled; it is tried again", { channel, error: String(error) });
      this.#cancelRetry();
      this.#cancelRetry = this.#options.clock.after(INBOX_RETRY_MS, () => this.#drain(channel));
    }
  }

  #processSome(configuredChannel: ConfiguredChannel, rows: readonly InboxRow[], began: number): InboxRow[] {
    for (const row of rows) {
      this.#process(configuredChannel, row);
      if (this.#options.clock.monotonic() - began >= HANDLED_MS_MAX) break;
    }
    return this.#options.store.inbox.listUnhandled(configuredChannel.id);
  }

  #process(configuredChannel: ConfiguredChannel, row: InboxRow): void {
    let answer: InboundResponse | null;
    try {
      answer = this.#handleOnce(row, () => this.#decide(configuredChannel, row));
    } catch (error) {
      if (error instanceof AtlasBridgeError) throw error;
      this.#options.log("error", "an update broke its handler", {
        channel: configuredChannel.id,
        error: String(error),
      });
      answer = this.#handleOnce(row, () => BUG_ANSWER);
    }
    if (answer) this.#reply(configuredChannel, row, answer);
  }

  #handleOnce(row: InboxRow, act: () => InboundResponse | null): InboundResponse | null {
    const { store, clock, commit } = this.#options;
    return commit(() => {
      const answer = act();
      store.inbox.markHandled(row.updateId, clock.now(), answer);
      return answer;
    });
  }

  #decide(configuredChannel: ConfiguredChannel, row: InboxRow): InboundResponse | null {
    const inbound = configuredChannel.channel.interpret(row.raw);
    return inbound === null ? null : this.#options.handle(configuredChannel, inbound);
  }

  /** Replies outside any queue, because the person is looking at a spinner. */
  #reply(configuredChannel: ConfiguredChannel, row: InboxRow, answer: InboundResponse): void {
    const { store, clock, commit, replied, log } = this.#options;
    const markResponded = () => store.inbox.markResponded(row.updateId, clock.now());
    configuredChannel.channel
      .respond(row.raw, answer)
      .then((ref) => {
        if (!store.isOpen) return;
        if (answer.buttons === undefined) store.write(markResponded);
        // Together, so that a reply that is repeated after a crash is not known twice.
        else
          commit(() => {
            markResponded();
            replied(answer, ref);
            return null;
          });
      })
      .catch((error: unknown) =>
        log("warn", "a sender could not be answered", {
          channel: configuredChannel.id,
          error: String(error),
        }),
      );
  }
}
