/** Tells each session who can be reached with its prompts, when it connects and on every change. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { ChannelHealth } from "../../sdk/channel.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { listApproverNames, findReachability, type Reachability, type ReachFacts } from "../people/reach.js";
import { RefusedPlaces } from "../delivery/refused-places.js";
import type { RoutedSession } from "../people/routing.js";
import type { Ledger } from "../ledger/ledger.js";
import { probeChannels } from "./probe-reach.js";

export class ReachReporter {
  readonly #ledger: Ledger;
  readonly #linkOf: (sessionId: string) => WorkerLink | null;
  readonly #health = new Map<string, ChannelHealth>();
  readonly #refused = new RefusedPlaces();
  /** Places with an overdue card. */
  readonly #late = new RefusedPlaces();
  /** What each connected session was told last. */
  readonly #reported = new Map<string, string>();

  constructor(ledger: Ledger, linkOf: (sessionId: string) => WorkerLink | null) {
    this.#ledger = ledger;
    this.#linkOf = linkOf;
  }

  get facts(): ReachFacts {
    const { configuredChannels, settings } = this.#ledger.options;
    return {
      configuredChannels: configuredChannels(),
      settings: settings(),
      healthOf: (channel) => this.#health.get(channel) ?? null,
      refusalAt: (channel, place) => this.#findReason(channel, place),
    };
  }

  /** Names of the people who may answer on a channel. */
  listApprovers(channel: string): string[] {
    return listApproverNames(this.facts, channel);
  }

  /** Records a channel's reported state. */
  noteHealth(channel: string, health: ChannelHealth): void {
    const before = this.#health.get(channel)?.state;
    this.#health.set(channel, health);
    this.reportChanged();
    if (health.state === "connected" && before !== "connected")
      this.#ledger.options.onEvent({ kind: "connected", channel });
  }

  /** Records that a place refused a message, or (null) accepted one or sent one. */
  readonly notePlace = (channel: string, place: string, refusal: string | null): void => {
    if (this.#refused.note(channel, place, refusal)) this.reportChanged();
  };

  /**
   * Records that a card is overdue there, or (null) no longer is. Kept apart from refusals, because an incoming message proves
   * nothing about the card.
   */
  readonly onLate = (channel: string, place: string, why: string | null): void => {
    if (this.#late.note(channel, place, why)) this.reportChanged();
  };

  #findReason(channel: string, place: string): string | null {
    return this.#refused.reasonAt(channel, place) ?? this.#late.reasonAt(channel, place);
  }

  /** The places of this channel that refuse messages. */
  refusedPlaces(channel: string, places: readonly string[]): { place: string; reason: string }[] {
    return places.flatMap((place) => {
      const reason = this.#findReason(channel, place);
      return reason === null ? [] : [{ place, reason }];
    });
  }

  /** Called after a configuration reload: places that refused may accept messages now. */
  reconfigured(): void {
    this.#refused.forget();
    this.reportChanged();
  }

  findReach(session: RoutedSession | null): Reachability {
    const { removed } = this.#ledger.store;
    if (removed) return { channels: [], problem: removed.message, isPending: false };
    return findReachability(this.facts, session);
  }

  /** Like `findReach`, and proves that a prompt can be stored. Errors: ATB_STORE_FAILED, ATB_STORE_DAMAGED. */
  proveReach(session: RoutedSession | null): Reachability {
    const ledger = this.#ledger;
    ledger.commit((tx) => ledger.store.settings.set("hub", "relay_checked_at", String(tx.now)));
    return this.findReach(session);
  }

  /** Like `proveReach`, and probes the services first. Errors: as `proveReach`. */
  async probeReach(session: RoutedSession): Promise<Reachability> {
    const { channels, ...rest } = this.proveReach(session);
    const { configuredChannels, clock } = this.#ledger.options;
    const silent = await probeChannels(configuredChannels(), channels, clock);
    if (silent.size === 0) return { channels, ...rest };
    const { facts } = this;
    return findReachability({ ...facts, healthOf: (id) => silent.get(id) ?? facts.healthOf(id) }, session);
  }

  /** Why prompts reach nobody at this moment, or null. */
  problem(): string | null {
    try {
      return this.proveReach(null).problem;
    } catch (error) {
      if (error instanceof AtlasBridgeError) return error.message;
      throw error;
    }
  }

  /** People, routes, channels or their states may have changed. */
  reportChanged(): void {
    for (const sessionId of this.#reported.keys()) this.#report(sessionId);
  }

  connected(sessionId: string): void {
    this.#reported.set(sessionId, "");
    this.#report(sessionId);
  }

  #report(sessionId: string): void {
    const session = this.#ledger.store.sessions.find(sessionId);
    const link = this.#linkOf(sessionId);
    if (!session || !link) {
      this.#reported.delete(sessionId);
      return;
    }
    const { channels, ...rest } = this.findReach(session);
    const words = JSON.stringify({ channels, ...rest });
    if (this.#reported.get(sessionId) === words) return;
    this.#reported.set(sessionId, words);
    // If the session is lost or too old for the call, it is told when it connects again.
    link.call("session.reach", { channels: [...channels], ...rest }).catch(() => undefined);
  }
}
