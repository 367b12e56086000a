/** Tells every chat, once, that the hub has stopped working, and that it works again. Not by the outbox, which may be the trouble. */
import type { Cancel } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { DeliveryError } from "../../sdk/channel.js";
import { listNewApprovers, type People } from "../people/people.js";
import { listSendingChannels } from "../people/routing.js";
import type { Ledger } from "../ledger/ledger.js";
import { ToldTrouble } from "./told-trouble.js";

/** How soon it is noticed that the ledger's file was removed. A check costs about 3 µs. */
export const PLACE_CHECK_EVERY_MS = 500;
/** Chats hear of a trouble that two checks in a row have found. */
export const LOOK_EVERY_MS = 5_000;
/** The shortest time between two messages about troubles: a disk that is full now and then floods nobody. */
export const TELL_AGAIN_MS = 600_000;
/** A chat that did not take the message is tried again this often at most; then the trouble is no news any more. */
const TRIES_MAX = 60;

type Trouble = "removed" | "unwritable" | "full" | "paused";

const STOPPED: Readonly<Record<Trouble, string>> = {
  removed:
    "⚠️ AtlasBridge relays no prompts and accepts no answers: its database was removed or replaced. Prompts show only where they are asked.",
  unwritable:
    "⚠️ AtlasBridge relays no new prompts and accepts no answers: it cannot write to its database. New prompts show only where they are asked.",
  full: "⚠️ AtlasBridge relays no new prompts: its disk limit is reached. They show only where they are asked. Prompts that are open here can be answered.",
  paused:
    "⏸ AtlasBridge has paused itself: its record was changed by another program, or is an older copy. It accepts no answers until an approver writes: resume",
};

const GOES_ON: Readonly<Record<Trouble, string>> = {
  removed: "▶️ AtlasBridge goes on: its database is back.",
  unwritable: "▶️ AtlasBridge goes on: it can write to its database again.",
  full: "▶️ AtlasBridge goes on: there is room for new prompts again.",
  paused: "▶️ AtlasBridge goes on: it is no longer paused.",
};

/** The trouble was that of a former hub: what ended it is not known. */
const STARTED_AGAIN = "▶️ AtlasBridge goes on: it was started again.";

interface PlaceOfChannel {
  readonly channel: string;
  readonly place: string;
}

interface Announcement {
  readonly text: string;
  readonly left: PlaceOfChannel[];
  tries: number;
}

export class HubAnnouncer {
  readonly #ledger: Ledger;
  readonly #onPlace: () => void;
  readonly #isQuiet: () => boolean;
  readonly #kept: ToldTrouble;
  #cancel: Cancel = () => undefined;
  #wasRemoved = false;
  #wasAnnouncedByFormer = false;
  #lookedAt: number | null = null;
  #seen: Trouble | null | undefined = undefined;
  /** The trouble in the last message; null: the message was that the hub works again, or there was none. */
  #announced: Trouble | null = null;
  #announcedAt: number | null = null;
  #message: Announcement | null = null;
  #sending = false;

  /** `onPlace`: called when the ledger's file was removed or has returned. */
  constructor(ledger: Ledger, onPlace: () => void, isQuiet: () => boolean) {
    this.#ledger = ledger;
    this.#onPlace = onPlace;
    this.#isQuiet = isQuiet;
    this.#kept = new ToldTrouble(ledger.store.path);
  }

  start(): void {
    this.#cancel = this.#ledger.options.clock.after(PLACE_CHECK_EVERY_MS, () => this.#check());
  }

  stop(): void {
    this.#cancel();
  }

  /** Tells the chats that were in use before a reload who may answer since then, but no new approver. One try: `people list` says it, too. */
  async tellOfApprovers(before: People, chats: readonly PlaceOfChannel[]): Promise<void> {
    const { settings, safeText, configuredChannels } = this.#ledger.options;
    const added = listNewApprovers(before, settings().people);
    const names = added.map(({ name, identity }) => safeText(`${name} (${identity})`)).join(", ");
    for (const { channel, place } of added.length === 0 ? [] : chats) {
      const reader =
        configuredChannels()
          .find(({ id }) => id === channel)
          ?.personAt?.(place) ?? null;
      if (added.some(({ identity }) => identity === reader)) continue;
      await this.#post({ channel, place }, `👤 Prompts may now be answered by ${names}, too.`, true);
    }
  }

  /** The chats that get prompts now. */
  listChats(): PlaceOfChannel[] {
    const { configuredChannels, settings } = this.#ledger.options;
    return listSendingChannels(configuredChannels(), settings().people)
      .filter(({ channel, capabilities }) => capabilities.pace !== null && channel.announce !== undefined)
      .flatMap(({ id, places }) => places.map((place) => ({ channel: id, place })));
  }

  #check(): void {
    try {
      this.#checkPlace();
      this.#look();
    } catch (error) {
      this.#ledger.options.log("error", "people could not be told about the hub", { error: String(error) });
    }
    this.start();
  }

  #checkPlace(): void {
    const { store, options } = this.#ledger;
    const { removed } = store;
    if ((removed !== null) === this.#wasRemoved) return;
    this.#wasRemoved = removed !== null;
    if (removed)
      options.log("error", "the ledger was removed; no answers are accepted", { error: removed.message });
    else options.log("info", "the ledger is back in its place", { path: store.path });
    this.#onPlace();
  }

  #look(): void {
    const now = this.#ledger.options.clock.monotonic();
    if (this.#lookedAt !== null && now - this.#lookedAt < LOOK_EVERY_MS) return;
    if (this.#lookedAt === null) this.#readFormerAnnouncement();
    this.#lookedAt = now;
    const before = this.#seen;
    this.#seen = this.#findTrouble();
    if (this.#seen !== before) return;
    if (this.#seen === null) this.#tellEnd();
    else if (this.#seen !== this.#announced) this.#tellTrouble(this.#seen, now);
    void this.#send();
  }

  #readFormerAnnouncement(): void {
    const told = this.#kept.read();
    if (!Object.hasOwn(STOPPED, told)) return;
    this.#announced = told as Trouble;
    this.#wasAnnouncedByFormer = true;
  }

  #tellTrouble(trouble: Trouble, now: number): void {
    if (this.#announcedAt !== null && now - this.#announcedAt < TELL_AGAIN_MS) return;
    // Later, where every channel is closed or can tell nobody now.
    if (!this.#tell(STOPPED[trouble])) return;
    this.#announced = trouble;
    this.#wasAnnouncedByFormer = false;
    this.#announcedAt = now;
    this.#kept.write(trouble);
  }

  #tellEnd(): void {
    const told = this.#announced;
    if (told === null) return;
    // Later, where every channel is closed: the next look tries again.
    // No restart ends a pause.
    const isByRestart = this.#wasAnnouncedByFormer && told !== "paused";
    if (!this.#tell(isByRestart ? STARTED_AGAIN : GOES_ON[told])) return;
    this.#announced = null;
    this.#wasAnnouncedByFormer = false;
  }

  #tell(text: string): boolean {
    const host = this.#ledger.hostLabel;
    const left = this.listChats();
    if (left.length === 0) return false;
    this.#ledger.options.log("warn", "people are told about the hub itself", { text });
    this.#message = { text: host === null ? text : `${host} · ${text}`, left, tries: 0 };
    return true;
  }

  /** One chat after another; what a chat may have got is not repeated. */
  async #send(): Promise<void> {
    const message = this.#message;
    if (message === null || this.#sending) return;
    this.#sending = true;
    message.tries += 1;
    for (const to of [...message.left]) {
      if (await this.#post(to, message.text)) message.left.splice(message.left.indexOf(to), 1);
      if (this.#message !== message) break;
    }
    this.#sending = false;
    if (this.#message !== message || (message.left.length > 0 && message.tries < TRIES_MAX)) return;
    this.#message = null;
    if (this.#announced === null) this.#kept.write("");
  }

  /** False: it was certainly not posted, and may be tried again. */
  async #post({ channel, place }: PlaceOfChannel, text: string, isQuiet = this.#isQuiet()): Promise<boolean> {
    const { configuredChannels, log } = this.#ledger.options;
    try {
      const known = configuredChannels().find(({ id }) => id === channel);
      await known?.channel.announce?.(place, text, isQuiet);
      return true;
    } catch (error) {
      log("warn", "a chat could not be told about the hub itself", { channel, place, error: String(error) });
      return !(error instanceof DeliveryError && error.certainty === "not_sent" && !error.permanent);
    }
  }

  #findTrouble(): Trouble | null {
    const { store, disk, failure } = this.#ledger;
    try {
      if (store.removed) return "removed";
      if (failure !== null) this.#ledger.proveWritable();
      if (disk.isFull) return "full";
      return this.#ledger.hasPausedItself ? "paused" : null;
    } catch (error) {
      if (!(error instanceof AtlasBridgeError))
        this.#ledger.options.log("error", "the state of the ledger could not be read", {
          error: String(error),
        });
      return "unwritable";
    }
  }
}
