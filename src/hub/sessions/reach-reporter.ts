/** Tells each session who can be reached with its prompts, when it connects and on every change. */
import type { Clock } from "../../model/clock.js";
import { AtlasBridgeError } from "../../model/errors.js";
import { LOCAL_IDENTITY } from "../../model/ids.js";
import { withTimeLimit } from "../../observe/within.js";
import type { Channel, ChannelHealth } from "../../sdk/channel.js";
import { makePrintable } from "../../sdk/text.js";
import type { WorkerLink } from "../../wire/connection-ends.js";
import { PlaceProblems } from "../delivery/place-problems.js";
import type { Ledger } from "../ledger/ledger.js";
import { getPeopleForPrompt, isLocalOnly, routePrompt } from "../ledger/policy/prompt-people.js";
import { findReachability, type Reachability, type ReachFacts } from "../people/reach.js";
import { ABANDONED, isAbandoned, type ConfiguredChannel, type RoutedSession } from "../people/routing.js";
import type { PromptRow } from "../store/tables/prompts.js";

/** As many as a line of `status` holds. */
const NAMED_MAX = 5;
/** A service responds within a second; callers wait ten seconds for the whole probe. */
const PROBE_LIMIT_MS = 4_000;
/** Longest stored reason, which is the service's text. */
const REASON_MAX = 200;

interface InformedSession {
  /** Why which open prompts reach nobody: with hundreds open, one that changes is judged alone. */
  readonly problems: Map<string, string>;
  told: string;
}

export class ReachReporter {
  readonly places: PlaceProblems;
  readonly #ledger: Ledger;
  readonly #findLink: (sessionId: string) => WorkerLink | null;
  readonly #health = new Map<string, ChannelHealth>();
  readonly #sessions = new Map<string, InformedSession>();

  constructor(ledger: Ledger, findLink: (sessionId: string) => WorkerLink | null) {
    this.#ledger = ledger;
    this.#findLink = findLink;
    this.places = new PlaceProblems(ledger.options.clock, () => this.reportChanged());
  }

  get facts(): ReachFacts {
    const { configuredChannels, settings } = this.#ledger.options;
    return {
      configuredChannels: configuredChannels(),
      settings: settings(),
      findHealth: (channel) => this.#health.get(channel) ?? null,
      refusalAt: (channel, place) => this.places.find(channel, place),
    };
  }

  noteHealth(channel: string, health: ChannelHealth): void {
    const before = this.#health.get(channel)?.state;
    this.#health.set(channel, health);
    this.#ledger.listeningGaps.noteHealth(channel, health);
    this.reportChanged();
    if (health.state === "connected" && before !== "connected")
      this.#ledger.options.onEvent({ kind: "connected", channel });
  }

  /** The places of this channel that get no cards. */
  listRefusedPlaces(
    channel: Pick<ConfiguredChannel, "id" | "places" | "personAt">,
  ): { place: string; reason: string }[] {
    const { people } = this.#ledger.options.settings();
    return channel.places.flatMap((place) => {
      const reason = isAbandoned(channel, place, people) ? ABANDONED : this.places.find(channel.id, place);
      return reason === null ? [] : [{ place, reason }];
    });
  }

  findReach(session: RoutedSession | null): Reachability {
    const { removed } = this.#ledger.store;
    if (removed) return { channels: [], problem: removed.message, isPending: false };
    return findReachability(this.facts, session);
  }

  /** Proves that a prompt can be stored, and probes the services, which may be down since. Errors: ATB_STORE_FAILED, ATB_STORE_DAMAGED. */
  async probeReach(session: RoutedSession): Promise<Reachability> {
    this.#ledger.proveWritable();
    const reach = this.findReach(session);
    const { configuredChannels, clock } = this.#ledger.options;
    const silent = new Map<string, ChannelHealth>();
    const probed = configuredChannels().filter(({ id }) => reach.channels.includes(id));
    const probes = probed.map(async ({ id, channel }) => {
      const reason = await findProbeProblem(channel, clock);
      if (reason !== null) silent.set(id, { state: "degraded", reason, action: "" });
    });
    await Promise.all(probes);
    if (silent.size === 0) return reach;
    const { facts } = this;
    return findReachability(
      { ...facts, findHealth: (id) => silent.get(id) ?? facts.findHealth(id) },
      session,
    );
  }

  findProblem(): string | null {
    try {
      this.#ledger.proveWritable();
      return this.findReach(null).problem;
    } catch (error) {
      if (error instanceof AtlasBridgeError) return error.message;
      throw error;
    }
  }

  /** Null where somebody who may answer can be reached, where nobody is asked any more, and where only this machine is wanted. */
  findPromptProblem(prompt: PromptRow): string | null {
    const session = this.#ledger.store.sessions.find(prompt.sessionId);
    if (session === null || prompt.state !== "pending" || this.findReach(session).problem !== null)
      return null;
    if (isLocalOnly(prompt)) return null;
    const { facts } = this;
    const people = getPeopleForPrompt(facts.settings, session, prompt);
    const approvers = people
      .filter(({ role }) => role === "approver")
      .flatMap(({ identities }) => identities);
    if (approvers.every((identity) => identity === LOCAL_IDENTITY)) return null;
    // `people` has the approvers of the rules already, and delegates are in no rule.
    const routes = facts.settings.routes.map((rule) => ({ ...rule, approvers: undefined }));
    const settings = { people, routes };
    return findReachability({ ...facts, settings }, routePrompt(session, prompt)).problem;
  }

  summarizeUnreachedPrompts(): { count: number; shortIds: string[] } {
    const ids = [...this.#sessions.values()].flatMap(({ problems }) => [...problems.keys()]);
    const named = ids.slice(0, NAMED_MAX).flatMap((id) => this.#ledger.store.prompts.find(id)?.shortId ?? []);
    return { count: ids.length, shortIds: named };
  }

  /** Call when this prompt was raised or changed: whom it reaches depends on its rule, and on the steps that are behind it. */
  notePrompt(promptId: string): void {
    const prompt = this.#ledger.store.prompts.find(promptId);
    const session = prompt && this.#sessions.get(prompt.sessionId);
    if (!prompt || !session) return;
    const problem = this.findPromptProblem(prompt);
    if ((session.problems.get(promptId) ?? null) === problem) return;
    if (problem === null) session.problems.delete(promptId);
    else session.problems.set(promptId, problem);
    this.#send(prompt.sessionId, session);
  }

  /** People, routes, channels or their states may have changed. */
  reportChanged(): void {
    for (const [sessionId, session] of this.#sessions) this.#report(sessionId, session);
  }

  connected(sessionId: string): void {
    const session = { problems: new Map<string, string>(), told: "" };
    this.#sessions.set(sessionId, session);
    this.#report(sessionId, session);
  }

  #report(sessionId: string, session: InformedSession): void {
    session.problems.clear();
    for (const prompt of this.#ledger.store.prompts.listOpenInSession(sessionId)) {
      const problem = this.findPromptProblem(prompt);
      if (problem !== null) session.problems.set(prompt.promptId, problem);
    }
    this.#send(sessionId, session);
  }

  #send(sessionId: string, informed: InformedSession): void {
    const session = this.#ledger.store.sessions.find(sessionId);
    const link = this.#findLink(sessionId);
    if (!session || !link) {
      this.#sessions.delete(sessionId);
      return;
    }
    const unreachedPrompts = Object.fromEntries(informed.problems);
    const reach = { ...this.findReach(session), ...(informed.problems.size > 0 && { unreachedPrompts }) };
    const words = JSON.stringify(reach);
    if (words === informed.told) return;
    informed.told = words;
    // A session that is lost or too old for the call gets it when it connects again.
    link.call("session.reach", reach).catch(() => undefined);
  }
}

async function findProbeProblem(channel: Channel, clock: Clock): Promise<string | null> {
  try {
    const limit = `the service did not answer within ${PROBE_LIMIT_MS / 1000} s`;
    const probe = channel.probe?.(PROBE_LIMIT_MS) ?? Promise.resolve();
    await withTimeLimit(probe, PROBE_LIMIT_MS, clock, limit);
    return null;
  } catch (error) {
    return makePrintable(error instanceof Error ? error.message : String(error), REASON_MAX);
  }
}
