/** A tool that is talked to in the Agent Client Protocol, as one of the ways of running it without its interface. */
import { ActivityReader } from "../../runtimes/protocol/activity.js";
import { createRequestHandlers } from "./agent-requests.js";
import { AgentSession } from "./agent-session.js";
import type { Json } from "../../../model/data/json.js";
import type { Activity } from "../../runtimes/protocol/activity.js";
import { ensureAskingMode } from "./asking-mode.js";
import { AcpSettings } from "./settings.js";
import { SessionCost } from "./session-cost.js";
import { AutoDecider, type AutoDeciderOptions } from "./permission/auto-decided.js";
import { Services, type ServicesOptions } from "./services/services.js";
import type { AgentRequests } from "../../../sdk/adapter-code.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import { prependContext } from "../../runtimes/exec/command-builder.js";
import type { ExecClient, ExecClientParts, TurnEnd } from "../../runtimes/exec/exec-client.js";

/** What `adapters.acp` and the adapter file say of an agent, for `exec` as for `run --runtime acp`. */
export interface AcpExecSetup {
  /** What is answered without asking, and how that is put on record first. */
  readonly permissions: Pick<AutoDeciderOptions, "policy" | "record">;
  /** What is done for it on its word. */
  readonly services: Pick<ServicesOptions, "offers" | "offLimits" | "environment" | "sessionId" | "random">;
}

export interface AcpExecClientOptions extends ExecClientParts, AcpExecSetup {
  /** In which of its modes it asks, if it does not in all. */
  readonly asking: AgentAsking | null;
  readonly requests: AgentRequests;
}

export class AcpExecClient implements ExecClient {
  readonly #session: AgentSession;
  readonly #activities = new ActivityReader();
  readonly #settings = new AcpSettings();
  readonly #parts: AcpExecClientOptions;
  readonly #services: Services;
  readonly #cost: SessionCost;
  #context: string | null;

  constructor(parts: AcpExecClientOptions) {
    this.#parts = parts;
    this.#context = parts.context;
    const { pendingRequests, cwd, requests, clock, onActivity } = parts;
    this.#cost = new SessionCost(parts.resume !== null);
    const note = (...lines: readonly string[]): void =>
      onActivity({ kind: "notice", text: lines.join("\n") });
    const autoDecider = new AutoDecider({
      ...parts.permissions,
      clock,
      onAnswered: (line, allowed) => {
        note(line);
        if (!allowed) parts.onDenied?.();
      },
    });
    this.#services = new Services({
      ...parts.services,
      cwd,
      clock,
      onShown: (line, more) => note(line, ...more),
      onChange: (service, content) => autoDecider.noteHistory(service, content),
    });
    this.#session = new AgentSession({
      ...parts,
      capabilities: this.#services.capabilities,
      onOpened: (answer) => this.#onSession(answer),
      handlers: createRequestHandlers({
        cwd,
        pendingRequests,
        requests,
        calls: {
          find: (id) => this.#activities.findCall(id),
          onReport: (listener) => this.#activities.onCall(listener),
        },
        autoDecide: (request, isChanged) => autoDecider.answer(request, cwd, isChanged),
        services: this.#services.handlers,
      }),
      isKeptWaiting: () => pendingRequests.isAsking || this.#services.isWaitedFor,
      onActivity: (update) => this.#onUpdate(update),
      // Nobody signs in on the way: that is done once, before.
      chooseSignIn: () => Promise.resolve(null),
    });
  }

  get session(): string | null {
    return this.#session.resumableId;
  }

  get isWorking(): boolean {
    return this.#session.isWorking;
  }

  ping(): Promise<void> {
    return this.#session.ping();
  }

  open(): Promise<void> {
    return this.#session.open();
  }

  /** The context is put before the first task, because the protocol has no field for it. */
  async prompt(text: string): Promise<TurnEnd> {
    const context = this.#context;
    this.#context = null;
    const end = await this.#session.prompt(prependContext(context, text));
    return { ...end, costUsd: this.#cost.usd };
  }

  cancel(): void {
    this.#session.cancel();
  }

  close(): void {
    this.#session.close();
    this.#services.close();
  }

  /** Rejects modes that never ask: approvals stay on. */
  async #onSession(answer: Json): Promise<void> {
    this.#settings.noteOptions(answer);
    const { asking, clock } = this.#parts;
    const { silence } = await ensureAskingMode({
      asking,
      clock,
      settings: this.#settings,
      session: this.#session,
    });
    if (silence !== null) throw new Error(silence);
  }

  #onUpdate(update: Json): Activity | null {
    this.#settings.take(update);
    const activity = this.#activities.read(update);
    if (activity?.kind === "usage") this.#cost.take(activity);
    // Until it is open, the agent replays an earlier session.
    if (activity && this.#session.id !== null) this.#parts.onActivity(activity);
    return activity;
  }
}
