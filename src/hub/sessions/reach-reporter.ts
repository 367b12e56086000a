/** Tells each session who can be reached with its prompts, when it connects and on every change. */
import { AtlasBridgeError } from "../../model/errors.js";
import type { ChannelHealth } from "../../sdk/channel.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { findReachability, listApproverNames, type Reachability, type ReachFacts } from "../people/reach.js";
import { findPromptProblem } from "../ledger/policy/prompt-reach.js";
import { RefusedPlaces } from "../delivery/refused-places.js";
import type { RoutedSession } from "../people/routing.js";
import type { Ledger } from "../ledger/ledger.js";
import type { PromptRow } from "../store/tables/prompts.js";
import { probeChannels } from "./probe-reach.js";

/** As many as a line of `status` holds. */
const NAMED_MAX = 5;

export class ReachReporter {
  readonly #ledger: Ledger;
  readonly #findLink: (sessionId: string) => WorkerLink | null;
  readonly #health = new Map<string, ChannelHealth>();
  readonly #refused = new RefusedPlaces();
  /** Places with an overdue card. */
  readonly #late = new RefusedPlaces();
  /** Of each connected session's open prompts those that reach nobody: with hundreds open, one that changes is judged alone. */
  readonly #promptProblems = new Map<string, Map<string, string>>();
  /** What each connected session was told last. */
  readonly #reported = new Map<string, string>();

  constructor(ledger: Ledger, findLink: (sessionId: string) => WorkerLink | null) {
    this.#ledger = ledger;
    this.#findLink = findLink;
  }

  get facts(): ReachFacts {
    const { configuredChannels, settings } = this.#ledger.options;
    return {
      configuredChannels: configuredChannels(),
      settings: settings(),
      findHealth: (channel) => this.#health.get(channel) ?? null,
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
    this.#ledger.listeningGaps.noteHealth(channel, health);
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
    return this.#refused.findReason(channel, place) ?? this.#late.findReason(channel, place);
  }

  /** The places of this channel that refuse messages. */
  listRefusedPlaces(channel: string, places: readonly string[]): { place: string; reason: string }[] {
    return places.flatMap((place) => {
      const reason = this.#findReason(channel, place);
      return reason === null ? [] : [{ place, reason }];
    });
  }

  /** Called after a configuration reload: places that refused may accept messages now. */
  noteReconfigured(): void {
    this.#refused.forget();
    this.reportChanged();
  }

  findReach(session: RoutedSession | null): Reachability {
    const { removed } = this.#ledger.store;
    if (removed) return { channels: [], problem: removed.message, isPending: false };
    return findReachability(this.facts, session);
  }

  /** Call when this prompt was raised or changed: whom it reaches depends on its rule, and on the steps that it has taken. */
  notePrompt(promptId: string): void {
    const prompt = this.#ledger.store.prompts.find(promptId);
    if (!prompt || !this.#reported.has(prompt.sessionId)) return;
    const problems = this.#promptProblems.get(prompt.sessionId);
    const problem = this.findPromptProblem(prompt);
    if (!problems || (problems.get(promptId) ?? null) === problem) return;
    if (problem === null) problems.delete(promptId);
    else problems.set(promptId, problem);
    this.#send(prompt.sessionId);
  }

  /**
   * Why nobody who may answer this prompt can be reached although its session's people can; null otherwise, and where nobody is
   * asked any more.
   */
  findPromptProblem(prompt: PromptRow): string | null {
    const session = this.#ledger.store.sessions.find(prompt.sessionId);
    if (session === null || prompt.state !== "pending" || this.findReach(session).problem !== null)
      return null;
    return findPromptProblem(this.facts, session, prompt);
  }

  /** Open prompts of connected sessions that reach nobody who may answer, although their sessions' people can be reached. */
  summarizeUnreachedPrompts(): { count: number; shortIds: string[] } {
    const ids = [...this.#promptProblems.values()].flatMap((problems) => [...problems.keys()]);
    const named = ids.slice(0, NAMED_MAX).flatMap((id) => this.#ledger.store.prompts.find(id)?.shortId ?? []);
    return { count: ids.length, shortIds: named };
  }

  #listPromptProblems(sessionId: string): Map<string, string> {
    const open = this.#ledger.store.prompts.listOpenInSession(sessionId);
    return new Map(
      open.flatMap((prompt) => {
        const problem = this.findPromptProblem(prompt);
        return problem === null ? [] : [[prompt.promptId, problem]];
      }),
    );
  }

  /** Like `findReach`, and proves that a prompt can be stored. Errors: ATB_STORE_FAILED, ATB_STORE_DAMAGED. */
  proveReach(session: RoutedSession | null): Reachability {
    this.#ledger.proveWritable();
    return this.findReach(session);
  }

  /** Like `proveReach`, and probes the services first. Errors: as `proveReach`. */
  async probeReach(session: RoutedSession): Promise<Reachability> {
    const { channels, ...rest } = this.proveReach(session);
    const { configuredChannels, clock } = this.#ledger.options;
    const silent = await probeChannels(configuredChannels(), channels, clock);
    if (silent.size === 0) return { channels, ...rest };
    const { facts } = this;
    return findReachability(
      { ...facts, findHealth: (id) => silent.get(id) ?? facts.findHealth(id) },
      session,
    );
  }

  /** Why prompts reach nobody at this moment, or null. */
  findProblem(): string | null {
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
    this.#promptProblems.set(sessionId, this.#listPromptProblems(sessionId));
    this.#send(sessionId);
  }

  #send(sessionId: string): void {
    const session = this.#ledger.store.sessions.find(sessionId);
    const link = this.#findLink(sessionId);
    if (!session || !link) {
      this.#reported.delete(sessionId);
      this.#promptProblems.delete(sessionId);
      return;
    }
    const { channels, ...rest } = this.findReach(session);
    const problems = Object.fromEntries(this.#promptProblems.get(sessionId) ?? []);
    const unreached = Object.keys(problems).length > 0 && { unreachedPrompts: problems };
    const words = JSON.stringify({ channels, ...rest, ...unreached });
    if (this.#reported.get(sessionId) === words) return;
    this.#reported.set(sessionId, words);
    // If the session is lost or too old for the call, it is told when it connects again.
    link.call("session.reach", { channels: [...channels], ...rest, ...unreached }).catch(() => undefined);
  }
}
